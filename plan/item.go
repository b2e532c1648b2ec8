package plan

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// CheckItem returns an item that a condition has read as it is shown: see design.Field.Reconcile. It returns an error if
// the item is damaged: its type is not one that the design declares for the condition, its key is not one of the type,
// or the viewer may read it only as the owner that its key names, and its attribute names another one. The message is
// for the log. It contains no value but the type.
func (b *Bound) CheckItem(c *design.Condition, it item.Item) (item.Item, error) {
	f, name := c.Field, it.Type()
	if !declares(c, name) {
		return nil, fmt.Errorf("%s has read an item with %s %.64q", f.Coordinate(), item.EntityType, name)
	}
	t := b.Schema.Design.Type(name)
	it, ok := f.Reconcile(t, it)
	switch {
	case !ok:
		return nil, fmt.Errorf("%s: the key is not one of the type", name)
	case t.Rule.IsPublic() || b.DecideItem(t.Rule, it) != Deny || b.decideType(c, t) != Allow:
		return it, nil
	default:
		return nil, fmt.Errorf("%s.%s: the key and the attribute name different owners", name, t.Rule.Owner)
	}
}

// CheckStored returns an error if an item that is read for a change has a key that does not follow from its attributes:
// the change would be written to another object. An item of a type that the design does not have, such as a claim, is
// no object and has no error.
func (s *Schema) CheckStored(it item.Item) error {
	if t := s.Design.Type(it.Type()); t != nil && !t.Agrees(it) {
		return fmt.Errorf("%s: the key does not follow from the attributes", t.Name)
	}
	return nil
}

// CheckAttributes returns the error of the first attribute of an item that cannot be read, whether it is selected or
// not, without the name of the type. An item of a type that the design does not have has none.
func (s *Schema) CheckAttributes(it item.Item) error {
	t := s.Design.Type(it.Type())
	if t == nil {
		return nil
	}
	return checkFields(s.types[t.Name].attributes, it)
}

// declares reports whether the design declares that a condition selects items of the type. Those of a Get are of one
// type, which follows from its key.
func declares(c *design.Condition, typeName string) bool {
	if c.KeyOnly != nil {
		return typeName == c.KeyOnly.Type()
	}
	return slices.Contains(c.Field.Types, typeName)
}

// checkFields returns the first error of the attributes.
func checkFields(fields []FieldFormat, it item.Item) error {
	for i := range fields {
		f := &fields[i]
		v, _ := it.Find(f.Name)
		if err := f.check(&v, true); err != nil {
			return fmt.Errorf("%s: %w", f.Name, err)
		}
	}
	return nil
}

var errMissing = errors.New("the attribute is missing")

// check returns an error if an attribute cannot be read. One that is NULL is missing. What is nested in it is checked
// if deep is set.
func (f *Format) check(v *item.Value, deep bool) error {
	switch {
	case v.Kind != item.Null:
	case f.NonNull:
		return errMissing
	default:
		return nil
	}
	err := f.checkValue(v, deep)
	if err != nil && f.As != keys.Plain {
		return fmt.Errorf("the attribute is not stored as %s", f.As)
	}
	return err
}

// checkValue returns an error if a value, which is not NULL, is not one of the type.
func (f *Format) checkValue(v *item.Value, deep bool) error {
	switch {
	case f.Any:
		return checkJSON(v)
	case f.Element != nil:
		return f.checkList(v, deep)
	case f.Fields != nil:
		if v.Kind != item.Map {
			return mismatch(v, item.Map)
		}
		if deep {
			return checkFields(f.Fields, v.Fields())
		}
		return nil
	case f.Float:
		_, err := item.AsFloat(*v)
		return err
	}
	switch f.Kind {
	case keys.Int:
		_, err := item.AsInt(*v)
		return err
	case keys.Int64:
		_, err := item.AsInt64(*v)
		return err
	case keys.Boolean:
		if v.Kind != item.Bool {
			return mismatch(v, item.Bool)
		}
		return nil
	}
	if v.Kind != item.String {
		return mismatch(v, item.String)
	}
	switch f.Kind {
	case keys.Enum:
		if !slices.Contains(f.Names, v.Text) {
			return errors.New("the text is not a value of the enum")
		}
	case keys.Time:
		if _, err := time.Parse(item.TimeLayout, v.Text); err != nil {
			return fmt.Errorf("the text is not a time as %s", item.TimeLayout)
		}
	case keys.Date:
		if _, err := time.Parse(time.DateOnly, v.Text); err != nil {
			return fmt.Errorf("the text is not a date as %s", time.DateOnly)
		}
	}
	return nil
}

// checkList also checks the elements, which may be NULL unless they are scalars that the type does not allow to be
// null.
func (f *Format) checkList(v *item.Value, deep bool) error {
	if v.Kind != item.List {
		return mismatch(v, item.List)
	}
	elements := v.Elements()
	for i := range elements {
		e := &elements[i]
		if e.Kind == item.Null && (!f.Element.NonNull || f.Element.Element != nil || f.Element.Fields != nil) {
			continue
		}
		if err := f.Element.checkElement(e, deep); err != nil {
			return fmt.Errorf("element %d: %w", i, err)
		}
	}
	return nil
}

// Check returns an error if a value of a list is not one of the type, or anything that is nested in it.
func (f *Format) Check(v *item.Value) error { return f.checkElement(v, true) }

func (f *Format) checkElement(v *item.Value, deep bool) error {
	if f.Any && v.Kind == item.Null {
		return errMissing
	}
	return f.checkValue(v, deep)
}

// checkJSON returns an error for a value that JSON does not have.
func checkJSON(v *item.Value) error {
	switch v.Kind {
	case item.Binary:
		return errors.New("the attribute is a Binary, which JSON does not have")
	case item.Number:
		_, err := item.AsFloat(*v)
		return err
	}
	for _, e := range v.Elements() {
		if err := checkJSON(&e); err != nil {
			return err
		}
	}
	for _, a := range v.Fields() {
		if err := checkJSON(&a.Value); err != nil {
			return fmt.Errorf("%s: %w", a.Name, err)
		}
	}
	return nil
}

func mismatch(v *item.Value, want item.Kind) error {
	return fmt.Errorf("the attribute is a %s where a %s was expected", v.Kind, want)
}
