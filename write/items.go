package write

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// Items returns all items in which an object of the type is stored: the base item,
// then its copies in the order of the type, each with PK, SK, entityType and its
// index entries. An index entry is left out while one of its variables is unset, and
// so are attributes that are NULL.
//
// The attributes are the type's fields, an ID as keys.IDAttribute returns it: what is
// stored of an ID is its raw value. A time is cut to the precision of its stored format. An attribute that must not be
// null has its default if it is not given: an API of an earlier version does not know it. The error is a
// keys.InputError.
func Items(t *design.Type, attributes item.Item) ([]item.Item, error) {
	attributes = withoutNulls(slices.Clone(attributes))
	if err := rawIDs(t, attributes); err != nil {
		return nil, err
	}
	for _, a := range t.Attributes {
		v, has := attributes.Get(a.Name)
		switch {
		case !has && a.NonNull && a.Default.Kind != item.Null:
			attributes = with(attributes, a.Name, a.Default)
		case !has && a.NonNull:
			return nil, inputError(a.Name, "%s must be given", a.Name)
		case has && (a.As == keys.Set || a.Object != ""):
			var err error
			if v, err = edited(t, a.Name, item.Value{}, v); err != nil {
				return nil, err
			}
			attributes = with(attributes, a.Name, v)
		}
	}
	items, entries, err := itemsOf(t, withoutNulls(attributes))
	if err = cmp.Or(err, entries); err != nil {
		return nil, err
	}
	return items, checkSizes(t, items, nil)
}

// withoutNulls removes the attributes of an item that are NULL. It modifies the item.
func withoutNulls(it item.Item) item.Item {
	return slices.DeleteFunc(it, func(a item.Attribute) bool { return a.Value.Kind == item.Null })
}

// itemsOf returns the items of an object from its attributes as they are to be stored. The errors are those of stored.
func itemsOf(t *design.Type, attributes item.Item) (items []item.Item, entries, err error) {
	if err := checkValues(attributes); err != nil {
		return nil, nil, err
	}
	for i := range t.Attributes {
		a := &t.Attributes[i]
		if v, has := attributes.Get(a.Name); has && (a.As != keys.Plain || a.Object != "") {
			if !t.CanStore(a, v) {
				return nil, nil, inputError(a.Name,
					"%s must be a decimal number in its shortest form, such as 101 or -0.25", a.Name)
			}
			attributes = with(attributes, a.Name, t.Rounded(a, v))
		}
	}
	return stored(t, attributes)
}

// checkValues returns an InputError for a value that DynamoDB cannot store.
func checkValues(attributes item.Item) error {
	if wrong, is := errors.AsType[*item.ValueError](attributes.Check()); is {
		return inputError(wrong.Attribute, "%s %s", wrong.Attribute, wrong.Problem)
	}
	return nil
}

// checkSizes returns an InputError if an item is larger than its type allows, unless it was not smaller before.
func checkSizes(t *design.Type, items, before []item.Item) error {
	for i, it := range items {
		n := t.StoredSize(it) + t.Room(it)
		if n > t.MaxBytes && (before == nil || n > t.StoredSize(before[i])+t.Room(before[i])) {
			return inputError("", "this %s takes %d bytes; at most %d are allowed", t.Name, n, t.MaxBytes)
		}
	}
	return nil
}

// stored returns the items of an object from its attributes as they are stored. entries is the error of the first index
// entry that does not follow from them: the items lack it. Both errors are keys.InputErrors.
func stored(t *design.Type, attributes item.Item) (items []item.Item, entries, err error) {
	items = make([]item.Item, 1+len(t.Copies))
	values := attributesOf(attributes)
	for i := range items {
		key, shape := t.BaseKey, t.Item
		if i > 0 {
			key, shape = t.Copies[i-1].Key, t.Copies[i-1].Shape
		}
		if err := checkKey(t, shape, attributes); err != nil {
			return nil, nil, err
		}
		keyed, fault, err := keysOf(t, i, key, attributes, values)
		if err != nil {
			return nil, nil, err
		}
		items[i], entries = append(keyed, attributes...), cmp.Or(entries, fault)
	}
	return items, entries, nil
}

// checkKey returns an InputError if an attribute that is part of a key of the shape cannot be the value of its field.
func checkKey(t *design.Type, shape keys.Shape, attributes item.Item) error {
	for _, template := range [...]keys.Template{shape.PK, shape.SK} {
		for i := range template.Segments() {
			name := template.Segments()[i].Variable
			if name == "" {
				continue
			}
			a := t.Attribute(name)
			if v, has := attributes.Get(name); has && a != nil && !stores(a.Kind, v) {
				return inputError(name, "%s is not stored as what the schema declares, %s", name, a.Kind)
			}
		}
	}
	return nil
}

// rawIDs replaces the IDs among the attributes by their raw values.
func rawIDs(t *design.Type, attributes item.Item) error {
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

// keysOf returns the keys and the entityType of the n-th stored item, with room for the attributes, whose values are
// also a function. entries is the error of the first index entry that does not follow from the attributes.
func keysOf(
	t *design.Type, n int, primary func(func(string) keys.Value) (keys.Key, error), attributes item.Item,
	values func(string) keys.Value,
) (it item.Item, entries, err error) {
	key, err := primary(values)
	if err != nil {
		return nil, nil, err
	}
	it = key.AppendTo(make(item.Item, 0, 3+2*len(t.Indexes)+len(attributes)))
	for i := range t.Indexes {
		ix := &t.Indexes[i]
		if place(t, i) != n {
			continue
		}
		entry, set, err := entryKey(t, ix, attributes, values)
		if entries = cmp.Or(entries, err); err != nil || !set {
			continue
		}
		entry = t.EntryOf(key, *ix, entry)
		it = append(it, item.Attribute{Name: keys.IndexPK(ix.Name), Value: item.TextValue(entry.PK)})
		if entry.SK != "" { // Otherwise the index has no sort key.
			it = append(it, item.Attribute{Name: keys.IndexSK(ix.Name), Value: item.TextValue(entry.SK)})
		}
	}
	return append(it, item.Attribute{Name: item.EntityType, Value: item.StringValue(t.Name)}), entries, nil
}

// place returns which of the items of an object the i-th index of its type is for: those of one name are for the items
// in their order.
func place(t *design.Type, i int) int {
	n := 0
	for before := range t.Indexes[:i] {
		if t.Indexes[before].Name == t.Indexes[i].Name {
			n++
		}
	}
	return n
}

// entryKey returns the key of an index entry, and whether there is one. The attributes are also a function. The error
// is a keys.InputError.
func entryKey(
	t *design.Type, ix *design.Index, attributes item.Item, values func(string) keys.Value,
) (key keys.Key, set bool, err error) {
	if err := checkKey(t, ix.Shape, attributes); err != nil {
		return keys.Key{}, false, err
	}
	return t.IndexKey(*ix, values)
}

func inputError(argument, format string, args ...any) error {
	return &keys.InputError{Argument: argument, Message: fmt.Sprintf(format, args...)}
}
