package write

import (
	"golang.org/x/text/cases"
	"golang.org/x/text/language"
	"golang.org/x/text/unicode/norm"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// UniqueClaims returns the kind of claims of a unique attribute of a type.
func UniqueClaims(t *design.Type, u design.Unique) Claims {
	return Claims{
		Type: u.Claim, Key: u.Key, SK: u.SK, NoSK: u.NoSK, Holder: t.Name, Attribute: u.Holder, Values: len(t.Identity),
	}
}

// UniqueClaim returns the claim that the object with these stored attributes must have of a unique value; nil if it has
// no value, or does not fulfil the condition under which it is unique. It expires when the object does. The error is a
// keys.InputError for a value that is not allowed in a key.
func UniqueClaim(t *design.Type, u design.Unique, it item.Item) (item.Item, error) {
	v, ok := it.Get(u.Attribute)
	if !ok || !u.Where.Holds(it, nil) {
		return nil, nil
	}
	claims, values := UniqueClaims(t, u), keys.Values{}
	for _, name := range u.Key.Variables() {
		value := keys.AttributeValue(it, name)
		if name == u.Attribute {
			value = keys.StringValue(folded(u, v.Text))
		} else if !value.IsSet() {
			return nil, nil
		}
		values = append(values, keys.NamedValue{Name: name, Value: value})
	}
	key, err := claims.KeyFor(values)
	if err != nil {
		return nil, err
	}
	return append(claims.Item(key, idOf(t, it)), expiryOf(t, it)...), nil
}

// UniqueKey returns the key of the claim of a value, for a unique attribute whose claims have no other values in their
// keys. The error is a keys.InputError for a value that is not allowed in a key.
func UniqueKey(t *design.Type, u design.Unique, value string) (keys.Key, error) {
	values := keys.Values{{Name: u.Attribute, Value: keys.StringValue(folded(u, value))}}
	return UniqueClaims(t, u).KeyFor(values)
}

// expiryOf returns the attribute by which what belongs to an object expires with it, in the format of the table: it is
// stored in items that no type declares. There is none if the object does not expire.
func expiryOf(t *design.Type, it item.Item) item.Item {
	v, ok := it.Get(t.Expires)
	if t.Expires == "" || !ok {
		return nil
	}
	name := t.Expires
	if a := t.Attribute(name); a != nil {
		at, err := item.AsTime(v)
		if err != nil {
			return nil
		}
		name, v = a.StoredName(), item.IntValue(at.Unix())
	}
	return item.Item{{Name: name, Value: v}}
}

// ExpiresWith reports whether a stored claim expires when the claim does that its object must have.
func ExpiresWith(t *design.Type, claim, stored item.Item) bool {
	if t.Expires == "" {
		return true
	}
	name := t.Expires
	if a := t.Attribute(name); a != nil {
		name = a.StoredName()
	}
	is, _ := claim.Get(name)
	was, _ := stored.Get(name)
	return is.Equal(was)
}

// folded returns a unique value as claims have it. With IgnoreCase it is equal for two texts that differ in case only.
// Lower case is not enough for that: see straße and STRASSE.
//
// https://www.unicode.org/versions/latest/core-spec/chapter-3/#G34145
func folded(u design.Unique, value string) string {
	if !u.IgnoreCase {
		return value
	}
	// Of Cherokee, Fold exchanges capital and small letters.
	lower := cases.Lower(language.Und).String(norm.NFKC.String(value))
	return norm.NFKC.String(cases.Fold().String(lower))
}

// ClaimOf returns the unique attribute that an item is a claim of, and its type; nil if it is no such claim.
func ClaimOf(d *design.Design, it item.Item) (*design.Type, design.Unique) {
	key := keys.KeyOf(it)
	for _, t := range d.Types {
		for _, u := range t.Uniques {
			if !u.IsForeign() && !u.NoSK && string(key.PK) != string(key.SK) {
				continue
			}
			if (d.Layout.Type == "" || it.Type() == u.Claim || u.IsForeign()) && u.Shape().Holds(key) {
				return t, u
			}
		}
	}
	return nil, design.Unique{}
}
