package plan

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
)

// CheckItem returns an error if an item that a condition has read is damaged: its type is not one that the design
// declares for the condition, an attribute of the type or of the connection's edge type is missing, a value is not one
// of the field's type, or the item's key does not follow from its attributes. The message is for the log. It contains
// no value but the type.
func (s *Schema) CheckItem(c *keys.Condition, it item.Item) error {
	f, name := c.Field, it.Type()
	if !declares(c, name) {
		return fmt.Errorf("%s has read an item with %s %.64q", f.Coordinate(), item.EntityType, name)
	}
	if err := checkFields(s.attributesOf(name, f, it), it); err != nil {
		return fmt.Errorf("%s.%w", name, err)
	}
	if f.Edge != "" {
		if err := checkFields(s.attributesOf(f.Edge, f, it), it); err != nil {
			return fmt.Errorf("%s.%w", f.Edge, err)
		}
	}
	if !f.Agrees(s.Design.Type(name), it) {
		return keyError(name)
	}
	return nil
}

// attributesOf returns the attributes of an object type that an item must have: of an entry of an index those that it
// has.
func (s *Schema) attributesOf(objectType string, read *keys.Field, it item.Item) []FieldFormat {
	all := s.types[objectType].attributes
	if !keys.IsEntry(it) {
		return all
	}
	has := s.projected[entry{read.Index, it.Type()}]
	return slices.DeleteFunc(slices.Clone(all), func(f FieldFormat) bool { return has.lacks(f.Name) })
}

// CheckStored returns an error if an item that no field has read is damaged, as CheckItem does. An item of a type that
// the design does not have, such as a claim, is no object and has no error.
func (s *Schema) CheckStored(it item.Item) error {
	t := s.Design.Type(it.Type())
	if t == nil {
		return nil
	}
	if err := s.CheckAttributes(it); err != nil {
		return fmt.Errorf("%s.%w", t.Name, err)
	}
	if !t.Agrees(it) {
		return keyError(t.Name)
	}
	return nil
}

// CheckAttributes is CheckStored without the key: the error is that of the first attribute that is damaged, without
// the name of the type.
func (s *Schema) CheckAttributes(it item.Item) error {
	t := s.Design.Type(it.Type())
	if t == nil {
		return nil
	}
	return checkFields(s.types[t.Name].attributes, it)
}

func keyError(typeName string) error {
	return fmt.Errorf("%s: the key does not follow from the attributes", typeName)
}

// declares reports whether the design declares that a condition selects items of the type. Those of a Get are of one
// type, which follows from its key.
func declares(c *keys.Condition, typeName string) bool {
	if c.KeyOnly != nil {
		return typeName == c.KeyOnly.Type()
	}
	return slices.Contains(c.Field.Types, typeName)
}

// checkFields returns the first error of the attributes. An attribute that is NULL is missing.
func checkFields(fields []FieldFormat, it item.Item) error {
	for i := range fields {
		f := &fields[i]
		v, found := it.Get(f.Name)
		if !found {
			if f.NonNull {
				return fmt.Errorf("%s: %w", f.Name, errMissing)
			}
			continue
		}
		if err := f.Check(&v); err != nil {
			if f.As != keys.Plain {
				err = fmt.Errorf("the attribute is not stored as %s", f.As)
			}
			return fmt.Errorf("%s: %w", f.Name, err)
		}
	}
	return nil
}

var errMissing = errors.New("the attribute is missing")

// Check returns an error if a value, which is not NULL, is not one of the type.
func (f *Format) Check(v *item.Value) error {
	switch {
	case f.Any && v.Kind == item.Null:
		return errMissing
	case f.Any:
		return checkJSON(v)
	case f.Element != nil:
		return f.checkList(v)
	case f.Fields != nil:
		if v.Kind != item.Map {
			return mismatch(v, item.Map)
		}
		return checkFields(f.Fields, v.Fields())
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
func (f *Format) checkList(v *item.Value) error {
	if v.Kind != item.List {
		return mismatch(v, item.List)
	}
	elements := v.Elements()
	for i := range elements {
		e := &elements[i]
		if e.Kind == item.Null && (!f.Element.NonNull || f.Element.Element != nil || f.Element.Fields != nil) {
			continue
		}
		if err := f.Element.Check(e); err != nil {
			return fmt.Errorf("element %d: %w", i, err)
		}
	}
	return nil
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
