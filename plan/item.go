package plan

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
)

// CheckItem returns an error if an item does not fit its type, or the edge type of the connection that f returns: an
// attribute is missing, or its value is not one of the field's type. The message is for the log.
func (s *Schema) CheckItem(f *keys.Field, it item.Item) error {
	name := it.Type()
	t := s.types[name]
	if t == nil {
		return fmt.Errorf("plan: there is no type %q", name)
	}
	if err := checkFields(t.attributes, it); err != nil {
		return fmt.Errorf("item: %s.%w", name, err)
	}
	if f.Edge == "" {
		return nil
	}
	if err := checkFields(s.types[f.Edge].attributes, it); err != nil {
		return fmt.Errorf("item: %s.%w", f.Edge, err)
	}
	return nil
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
			return fmt.Errorf("%s: %w", f.Name, err)
		}
	}
	return nil
}

var errMissing = errors.New("the attribute is missing")

// Check returns an error if a value, which is not NULL, is not one of the type.
func (f *Format) Check(v *item.Value) error {
	switch {
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

func mismatch(v *item.Value, want item.Kind) error {
	return fmt.Errorf("the attribute is a %s where a %s was expected", v.Kind, want)
}
