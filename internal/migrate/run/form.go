package run

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/table"
	"github.com/partita/partita/write"
)

// blocks reports whether an object has no form by the other design, and why. Where both designs have one item,
// companion is that by the other one if the item may lack what the migration has removed, and nil otherwise.
func (s side) blocks(t *design.Type, it, companion item.Item) (Blocked, bool) {
	key := keys.KeyOf(it)
	b := Blocked{Code: InvalidValue, Type: t.Name, PK: key.PK, SK: key.SK}
	if keys.IsDeleted(it) {
		return b, false
	}
	for i := range t.Attributes {
		_, has := it.Get(t.Attributes[i].Name)
		if err := write.CheckAttribute(&t.Attributes[i], it); err != nil && (has || companion == nil) {
			b.Code, b.Problem = Unreadable, err.Error()
			return b, true
		}
	}
	object, is := s.forward.Object(it)
	if !is {
		return b, false
	}
	for _, a := range companion {
		if _, has := object.Get(a.Name); !has {
			object = table.With(object, a.Name, a.Value)
		}
	}
	ot := s.other.Type(object.Type())
	for _, a := range ot.Attributes {
		v, has := object.Get(a.Name)
		if a.NonNull && (!has || v.Kind == item.Null) {
			b.Code = MissingValue
			b.Problem = a.Name + " must not be null, and is not stored: write @default(value:), or store it first"
			return b, true
		}
		if path := missingWithin(ot, a.Object, a.Name, v); path != "" {
			b.Code = MissingValue
			b.Problem = path + " must not be null, and is not stored: let it be null, or store it first"
			return b, true
		}
	}
	if attribute, value := s.other.UnknownValue(ot, object); value != "" {
		b.Problem = fmt.Sprintf("%s is %s, which is no value any more: change it, or write @was on a new value", attribute,
			value)
		return b, true
	}
	err := write.CheckAttributes(ot, object)
	if err == nil {
		err = s.checkItems(ot, object)
	}
	var input *keys.InputError
	switch {
	case errors.As(err, &input):
		b.Problem = input.Message
	case err != nil:
		b.Problem = err.Error()
	case ot.StoredSize(object) > ot.MaxBytes:
		b.Code = TooLarge
		b.Problem = fmt.Sprintf("it has %d bytes; at most %d are allowed", ot.StoredSize(object), ot.MaxBytes)
	default:
		return b, false
	}
	return b, true
}

// checkItems returns an error if an object has no items by the other design.
func (s side) checkItems(t *design.Type, object item.Item) error {
	items, err := write.ItemsOf(s.other.Design, t, object)
	for _, it := range items {
		err = cmp.Or(err, s.otherTenant.CheckPK(keys.KeyOf(it).PK))
		for _, index := range s.other.IndexNames() {
			err = cmp.Or(err, s.otherTenant.CheckPK(keys.PK(it.Text(keys.IndexPK(index)))))
		}
	}
	return err
}

// missingWithin returns the path to a field that must not be null and that an object within an attribute lacks; "" if
// there is none.
func missingWithin(t *design.Type, object, path string, v item.Value) string {
	o := t.Object(object)
	switch {
	case o == nil:
		return ""
	case v.Kind == item.List:
		for _, element := range v.Elements() {
			if missing := missingWithin(t, object, path, element); missing != "" {
				return missing
			}
		}
	case v.Kind == item.Map:
		for _, a := range o.Attributes {
			field, has := v.Fields().Find(a.Name)
			if a.NonNull && (!has || field.Kind == item.Null) {
				return path + "." + a.Name
			}
			if missing := missingWithin(t, a.Object, path+"."+a.Name, field); missing != "" {
				return missing
			}
		}
	}
	return ""
}

// isForm reports whether an item is one of those in which a design stores an object, or a claim.
func isForm(d *design.Design, it item.Item) bool {
	if t := d.Type(it.Type()); t != nil {
		return t.Stores(it) || keys.IsDeleted(it) && (t.IsBase(keys.KeyOf(it)) || isLatest(t, it))
	}
	of, _ := write.ClaimOf(d, it)
	return of != nil
}

// isLatest reports whether an item is the place of the latest object of a type, which may be empty.
func isLatest(t *design.Type, it item.Item) bool {
	return slices.ContainsFunc(t.Copies, func(c design.Copy) bool { return c.Latest != "" && c.Holds(keys.KeyOf(it)) })
}
