// Package claim makes the items that guard what must be unique or happen once.
// They have no GraphQL type: an item under the key that follows from a value
// means that the value is taken.
package claim

import (
	"strings"
	"time"

	"golang.org/x/text/cases"
	"golang.org/x/text/language"
	"golang.org/x/text/unicode/norm"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
)

// The values of entityType of the claims.
const (
	EmailType = "EmailClaim"
	OrderType = "OrderClaim"
)

// The attributes of the claims, and what an OrderClaim's input was.
const (
	attributeUser  = "userId"
	attributeOrder = "orderId"
	attributeInput = "input"
)

// OrderLifetime is how long an order's idempotency key is kept at least.
const OrderLifetime = 24 * time.Hour

var (
	emailShape = shape("EMAIL#{email}")
	orderShape = shape("ORDERED#{userId}#{key}")
)

func shape(template string) keys.Shape {
	t := keys.MustTemplate(template)
	return keys.Shape{PK: t, SK: t}
}

// NormalEmail is the one form in which an e-mail address is stored and looked up:
// no spaces around it, Unicode's normal form KC, lower case.
func NormalEmail(text string) string {
	text = strings.TrimSpace(norm.NFKC.String(strings.TrimSpace(text)))
	return norm.NFKC.String(cases.Lower(language.Und).String(text))
}

// foldedEmail is what two addresses must not have in common: lower case is not
// enough to see that two differ in case only, as straße and STRASSE do.
//
// https://www.unicode.org/versions/latest/core-spec/chapter-3/#G34145
func foldedEmail(email string) string {
	return norm.NFKC.String(cases.Fold().String(norm.NFKC.String(email)))
}

// EmailKey is the key of the claim of a normal e-mail address, and of those that
// differ from it in case only. Its error is a keys.InputError.
func EmailKey(email string) (keys.Key, error) {
	return emailShape.Key(keys.Values{{Name: "email", Value: keys.StringValue(foldedEmail(email))}}.Get)
}

// Email is the claim of a normal e-mail address by a user. Its error is a
// keys.InputError.
func Email(email string, user keys.ID) (item.Item, error) {
	key, err := EmailKey(email)
	if err != nil {
		return nil, err
	}
	return stored(key, EmailType, item.Attribute{Name: attributeUser, Value: item.StringValue(user.Value())}), nil
}

// UserOf is whom the claim of an e-mail address is for.
func UserOf(it item.Item) keys.ID { return keys.NewID("User", it.Text(attributeUser)) }

// OrderKey is the key of the claim of a user's idempotency key. Its error is a
// keys.InputError.
func OrderKey(user keys.ID, key string) (keys.Key, error) {
	return orderShape.Key(keys.Values{
		{Name: "userId", Value: keys.IDValue(user)},
		{Name: "key", Value: keys.StringValue(key)},
	}.Get)
}

// Order is the claim under a key from OrderKey by an order that was placed at a
// time with an input, of which a digest is enough.
func Order(key keys.Key, order keys.ID, digest string, at time.Time) item.Item {
	return stored(key, OrderType,
		item.Attribute{Name: attributeOrder, Value: item.StringValue(order.Value())},
		item.Attribute{Name: attributeInput, Value: item.StringValue(digest)},
		item.Attribute{Name: keys.AttributeExpiry, Value: item.IntValue(at.Add(OrderLifetime).Unix())},
	)
}

// OrderOf is what a claim of an order says: which order, and its input's digest.
func OrderOf(it item.Item) (order keys.ID, digest string) {
	return keys.NewID("Order", it.Text(attributeOrder)), it.Text(attributeInput)
}

// CustomerOf is whose order has the claim with that key; without a value when
// the key is none of such a claim.
func CustomerOf(key keys.Key) keys.ID {
	values, ok := orderShape.PK.Match(string(key.PK))
	if !ok {
		return ""
	}
	return keys.NewID("User", values[0])
}

func stored(key keys.Key, entityType string, attributes ...item.Attribute) item.Item {
	return append(item.Item{
		{Name: keys.AttributePK, Value: item.TextValue(key.PK)},
		{Name: keys.AttributeSK, Value: item.TextValue(key.SK)},
		{Name: item.EntityType, Value: item.StringValue(entityType)},
	}, attributes...)
}
