// Package claim has the claims of the shop: items that make a value unique, or an order happen only once.
package claim

import (
	"strings"
	"time"

	"golang.org/x/text/cases"
	"golang.org/x/text/language"
	"golang.org/x/text/unicode/norm"

	"github.com/partita/partita/graph/typed"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/write"
)

// Orders are the claims of idempotency keys by the orders that were placed with them.
var Orders = write.Once{
	Claims: write.Claims{
		Type: "OrderClaim", Key: keys.MustTemplate("ORDERED#{userId}#{key}"), Holder: "Order", Attribute: "orderId",
	},
	Lifetime: 24 * time.Hour,
}

// NormalEmail returns an e-mail address as it is stored and looked up: without spaces around it, in Unicode's normal
// form KC and in lower case.
func NormalEmail(text string) string {
	text = strings.TrimSpace(norm.NFKC.String(strings.TrimSpace(text)))
	return norm.NFKC.String(cases.Lower(language.Und).String(text))
}

// EmailKey returns the key of the claim of a normal e-mail address, which is that of all addresses that differ from
// it in case only. Its error is a keys.InputError.
func EmailKey(email string) (keys.Key, error) {
	claimed, err := Email(email, "")
	return keys.KeyOf(claimed), err
}

// Email returns the claim of a normal e-mail address by a user. Its error is a keys.InputError.
func Email(email string, user keys.ID) (item.Item, error) {
	t := typed.Design.Type("User")
	return write.UniqueClaim(t, t.Uniques[0], item.Item{
		{Name: "id", Value: item.StringValue(user.Value())}, {Name: "email", Value: item.StringValue(email)},
	})
}

// OrderKey returns the key of the claim of a user's idempotency key. Its error is a keys.InputError.
func OrderKey(user keys.ID, key string) (keys.Key, error) {
	return Orders.KeyFor(keys.Values{
		{Name: "userId", Value: keys.IDValue(user)},
		{Name: "key", Value: keys.StringValue(key)},
	})
}

// CustomerOf returns the user of the order claim with that key, "" if it is not the key of such a claim.
func CustomerOf(key keys.Key) keys.ID {
	values, ok := Orders.Key.Match(string(key.PK))
	if !ok {
		return ""
	}
	return keys.NewID("User", values[0])
}
