package write

import (
	"context"
	"slices"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// readsMoved reports whether a copy is read before its key changes: it is put again, and in an existing table another
// program may have stored more in it than the object has.
func readsMoved(d *design.Design, c design.Copy) bool { return d.Translates() && c.Latest == "" }

// keepMoved gives the copies of an object whose keys an update changes what is stored in them beside the object: before
// and after are its items.
func (x *mutation) keepMoved(ctx context.Context, before, after []item.Item) error {
	for n, c := range x.t.Copies {
		key := keys.KeyOf(before[n+1])
		if !readsMoved(x.d, c) || key == keys.KeyOf(after[n+1]) {
			continue
		}
		stored, err := x.readMoved(ctx, key)
		if err != nil {
			return err
		}
		if stored != nil {
			after[n+1] = withEntries(x.t, n+1, ItemOnto(x.d, x.t, stored, after[n+1]), stored)
		}
	}
	return nil
}

// readMoved reads a copy, once for all attempts at the object as it is.
func (x *mutation) readMoved(ctx context.Context, key keys.Key) (item.Item, error) {
	if stored, isKnown := x.moved[key]; isKnown {
		return stored, nil
	}
	stored, err := ReadItem(ctx, key)
	if err == nil {
		if x.moved == nil {
			x.moved = map[keys.Key]item.Item{}
		}
		x.moved[key] = stored
	}
	return stored, err
}

// ItemOnto returns the item of an object as it should be, with what a stored item has beside it: attributes that the
// type does not declare, of which the wanted one has none then, and all that Onto keeps.
func ItemOnto(d *design.Design, t *design.Type, stored, wanted item.Item) item.Item {
	isOther := func(a item.Attribute) bool {
		return t.Attribute(a.Name) == nil && a.Name != t.Expires && !d.IsKeyAttribute(a.Name)
	}
	it := slices.DeleteFunc(slices.Clone(wanted), isOther)
	for i, a := range it {
		if was, has := stored.Find(a.Name); has {
			it[i].Value = Onto(t, a.Name, was, a.Value)
		}
	}
	for _, a := range stored {
		if _, has := it.Find(a.Name); !has && (isOther(a) || a.Value.Kind == item.Null && !d.IsKeyAttribute(a.Name)) {
			it = append(it, a)
		}
	}
	return it
}
