package write

import (
	"errors"
	"fmt"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
)

// Items returns all items in which an object of the type is stored: the base item,
// then its copies in the order of the type, each with PK, SK, entityType and its
// index entries. An index entry is left out while one of its variables is unset, and
// so are attributes that are NULL.
//
// The attributes are the type's fields, an ID as keys.IDAttribute returns it: what is
// stored of an ID is its raw value. A time is cut to the precision of its stored format. The error is a
// keys.InputError.
func Items(t *keys.Type, attributes item.Item) ([]item.Item, error) {
	attributes = attributes.WithoutNulls()
	if err := rawIDs(t, attributes); err != nil {
		return nil, err
	}
	return itemsOf(t, attributes)
}

// itemsOf is Items with IDs as they are stored.
func itemsOf(t *keys.Type, attributes item.Item) ([]item.Item, error) {
	if wrong, is := errors.AsType[*item.ValueError](attributes.Check()); is {
		return nil, inputError(wrong.Attribute, "%s %s", wrong.Attribute, wrong.Problem)
	}
	for _, a := range t.Attributes {
		v, has := attributes.Get(a.Name)
		switch {
		case !has && a.NonNull:
			return nil, inputError(a.Name, "%s must be given", a.Name)
		case has && a.As != keys.Plain:
			attributes = with(attributes, a.Name, a.Rounded(v))
		}
	}
	items, err := stored(t, attributes)
	if err != nil {
		return nil, err
	}
	for _, it := range items {
		if n := t.StoredSize(it); n > t.MaxBytes {
			return nil, inputError("", "this %s takes %d bytes; at most %d are allowed", t.Name, n, t.MaxBytes)
		}
	}
	return items, nil
}

// stored returns the items of an object from its attributes as they are stored.
func stored(t *keys.Type, attributes item.Item) ([]item.Item, error) {
	values := func(name string) keys.Value { return keys.AttributeValue(attributes, name) }
	items := make([]item.Item, 1+len(t.Copies))
	for i := range items {
		key := t.BaseKey
		if i > 0 {
			key = t.Copies[i-1].Key
		}
		keyed, err := keysOf(t, i, key, values)
		if err != nil {
			return nil, err
		}
		items[i] = append(keyed, attributes...)
	}
	return items, nil
}

// rawIDs replaces the IDs among the attributes by their raw values.
func rawIDs(t *keys.Type, attributes item.Item) error {
	for i, have := range attributes {
		a := t.Attribute(have.Name)
		if a == nil || a.Kind != keys.IDKind {
			continue
		}
		raw, err := t.RawID(*a, keys.ID(have.Value.Text))
		if err != nil {
			return err
		}
		attributes[i].Value = item.StringValue(raw)
	}
	return nil
}

// keysOf returns the keys and the entityType of the n-th stored item.
func keysOf(
	t *keys.Type, n int, primary func(func(string) keys.Value) (keys.Key, error), values func(string) keys.Value,
) (item.Item, error) {
	key, err := primary(values)
	if err != nil {
		return nil, err
	}
	it := item.Item{
		{Name: keys.AttributePK, Value: item.TextValue(key.PK)},
		{Name: keys.AttributeSK, Value: item.TextValue(key.SK)},
	}
	seen := map[string]int{}
	for _, ix := range t.Indexes {
		place := seen[ix.Name]
		seen[ix.Name]++
		if place != n {
			continue
		}
		entry, set, err := t.IndexKey(ix, values)
		if err != nil {
			return nil, err
		}
		if !set {
			continue
		}
		entry = t.EntryOf(key, ix, entry)
		it = append(it, item.Attribute{Name: keys.IndexPK(ix.Name), Value: item.TextValue(entry.PK)})
		if entry.SK != "" { // Otherwise the index has no sort key.
			it = append(it, item.Attribute{Name: keys.IndexSK(ix.Name), Value: item.TextValue(entry.SK)})
		}
	}
	return append(it, item.Attribute{Name: item.EntityType, Value: item.StringValue(t.Name)}), nil
}

func inputError(argument, format string, args ...any) error {
	return &keys.InputError{Argument: argument, Message: fmt.Sprintf(format, args...)}
}
