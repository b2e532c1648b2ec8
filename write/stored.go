package write

import (
	"slices"
	"time"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// ItemsOf returns all items in which an object should be stored, in the order of Items, from one of them that was read.
// Its attributes are assumed to be right, and are kept on all items, also those that the type does not declare or that
// are not as it declares: see CheckAttributes. The size is not checked. An index entry that does not follow from the
// attributes is that of the item that was read, and missing on the others. If the key of an item does not follow from
// them, the error is a keys.InputError.
func ItemsOf(d *design.Design, t *design.Type, it item.Item) ([]item.Item, error) {
	attributes := make(item.Item, 0, len(it))
	for _, a := range it {
		if !d.IsKeyAttribute(a.Name) {
			attributes = append(attributes, a)
		}
	}
	items, entries, err := stored(t, attributes)
	if entries == nil || err != nil {
		return items, err
	}
	for n := range items {
		if keys.KeyOf(items[n]) == keys.KeyOf(it) {
			items[n] = withEntries(t, n, items[n], it)
		}
	}
	return items, nil
}

// withEntries returns the n-th item of an object with the index entries of the stored one as far as they do not follow
// from its attributes.
func withEntries(t *design.Type, n int, it, stored item.Item) item.Item {
	for _, ix := range underived(t, n, it) {
		for _, name := range [...]string{keys.IndexPK(ix.Name), keys.IndexSK(ix.Name)} {
			if v, has := stored.Find(name); has {
				it = with(it, name, v)
			}
		}
	}
	return it
}

// changedEntries returns the base item of an object before an update, with the keys of the index entries that the
// update changes as they are stored: another program may have left one that follows from older values, or one attribute
// of a key alone. The update then removes what no entry has afterwards.
func changedEntries(t *design.Type, before, after, stored item.Item) item.Item {
	seen := map[string]bool{}
	for _, ix := range t.Indexes {
		if seen[ix.Name] || isSame(before, after, append(ix.PK.Variables(), ix.SK.Variables()...)...) {
			seen[ix.Name] = true // Others of the name are of copies.
			continue
		}
		seen[ix.Name] = true
		for _, name := range [...]string{keys.IndexPK(ix.Name), keys.IndexSK(ix.Name)} {
			before = slices.DeleteFunc(before, func(a item.Attribute) bool { return a.Name == name })
			if v, has := stored.Find(name); has {
				before = append(before, item.Attribute{Name: name, Value: v})
			}
		}
	}
	return before
}

// underived returns the index entries of the n-th item of an object that do not follow from its attributes.
func underived(t *design.Type, n int, it item.Item) []design.Index {
	var all []design.Index
	values := attributesOf(it)
	for i, ix := range t.Indexes {
		if place(t, i) != n {
			continue
		}
		if _, _, err := entryKey(t, &ix, it, values); err != nil {
			all = append(all, ix)
		}
	}
	return all
}

// CheckAttributes returns a keys.InputError if the attributes of an item are not those that the type declares: one that
// must not be null is missing, or a scalar is stored as another.
func CheckAttributes(t *design.Type, it item.Item) error {
	for i := range t.Attributes {
		if err := CheckAttribute(&t.Attributes[i], it); err != nil {
			return err
		}
	}
	return nil
}

// CheckAttribute is CheckAttributes for one attribute.
func CheckAttribute(a *design.Attribute, it item.Item) error {
	v, ok := it.Get(a.Name)
	switch {
	case !ok && a.NonNull:
		return inputError(a.Name, "%s is missing", a.Name)
	case ok && !stores(a.Kind, v):
		return inputError(a.Name, "%s is not stored as what the schema declares, %s", a.Name, a.Kind)
	}
	return nil
}

// stores reports whether a value can be the stored value of a field of the kind.
func stores(k keys.Kind, v item.Value) bool {
	switch k {
	case keys.Int:
		_, err := item.AsInt(v)
		return err == nil
	case keys.Int64:
		_, err := item.AsInt64(v)
		return err == nil
	case keys.Float:
		_, err := item.AsFloat(v)
		return err == nil
	case keys.Boolean:
		return v.Kind == item.Bool
	case keys.Other:
		return true
	case keys.Time:
		_, err := item.AsTime(v)
		return err == nil
	case keys.Date:
		_, err := time.Parse(time.DateOnly, v.Text)
		return err == nil && v.Kind == item.String
	default:
		return v.Kind == item.String
	}
}

// IfUnchanged returns the conditions that the attributes of an item are as they were read. Counters
// are left out, because they change without a change of the object, unless its copies have them as well.
func IfUnchanged(d *design.Design, it item.Item) []Precondition {
	t := d.Type(it.Type())
	return slices.DeleteFunc(unchanged(it), func(c Precondition) bool {
		if hasOtherValue(t, c) {
			return true
		}
		if t != nil && !d.HasCopiedCounters(t) {
			for counter := range d.Counted(t) {
				if counter == c.Name {
					return true
				}
			}
		}
		return false
	})
}
