package write

import (
	"strings"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// Claims is a kind of claims. A claim is an item without a GraphQL type whose key
// follows from a value. It is put under the condition that it does not exist, so that
// only one object has the value.
type Claims struct {
	// Type is the entityType of the claims.
	Type string
	// Key is the template of both PK and SK, such as EMAIL#{email}. With an SK, it is that of PK alone, and another
	// library writes claims as well, without a holder.
	Key, SK keys.Template
	// NoSK is set in a table without a sort key: Key is then the template of PK alone.
	NoSK bool
	// Holder is the type of the objects that have the values, and Attribute the
	// claim's attribute with the raw id of its holder. Values is how many key values
	// such an id has; 0 is 1. With several, the attribute has all of them, as the id.
	Holder, Attribute string
	Values            int
}

// KeyFor returns the key of the claim of a value. The error is a keys.InputError.
func (c Claims) KeyFor(values keys.Values) (keys.Key, error) {
	shape := c.shape()
	return shape.Key(values.Get)
}

func (c Claims) shape() keys.Shape {
	u := design.Unique{Key: c.Key, SK: c.SK, NoSK: c.NoSK}
	return u.Shape()
}

func (c Claims) isForeign() bool { return c.SK.String() != "" }

// HasHolder reports whether a claim has a holder, or must have one.
func (c Claims) HasHolder(claim item.Item) bool {
	_, has := claim.Get(c.Attribute)
	return has || !c.isForeign()
}

// ifHeld returns the condition that a claim is that of a holder. A foreign one may have no holder: that the object has
// the value is then enough.
func (c Claims) ifHeld(holder item.Value) Precondition {
	if c.isForeign() {
		return IfEqualsOrUnset(c.Attribute, holder)
	}
	return IfEquals(c.Attribute, holder)
}

// Item returns the claim with that key by the holder.
func (c Claims) Item(key keys.Key, holder keys.ID) item.Item {
	return append(key.Item(),
		item.Attribute{Name: item.EntityType, Value: item.StringValue(c.Type)},
		item.Attribute{Name: c.Attribute, Value: item.StringValue(c.holder(holder))})
}

// holder returns the text of a holder's id in a claim.
func (c Claims) holder(id keys.ID) string {
	if c.Values > 1 {
		_, values, _ := strings.Cut(string(id), ":")
		return values
	}
	return id.Value()
}

// HolderOf returns the id of the claim's holder.
func (c Claims) HolderOf(claim item.Item) keys.ID {
	text := claim.Text(c.Attribute)
	if c.Values > 1 {
		return keys.ID(c.Holder + ":" + text)
	}
	return keys.NewID(c.Holder, text)
}

// Claim returns the action that puts a claim that must not exist yet.
func Claim(claim item.Item) Action { return PutItem(claim, IfMissing()) }

// MoveClaim returns the actions that put a claim and delete the one that its holder had before. old
// is the zero Key if there was none. If both have the same key, there are no actions.
func MoveClaim(old keys.Key, claim item.Item) []Action {
	switch old {
	case keys.KeyOf(claim):
		return nil
	case keys.Key{}:
		return []Action{Claim(claim)}
	default:
		return []Action{Claim(claim), DeleteItem(old)}
	}
}
