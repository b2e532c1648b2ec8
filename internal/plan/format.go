package plan

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
)

// Format is the type of a stored value, from which its JSON is written.
type Format struct {
	// Kind is the scalar type, or keys.Other for a Float, a list or an object.
	Kind keys.Kind
	// Float is set for the scalar Float, Any for a scalar that is known by its name only.
	Float, Any bool
	NonNull    bool
	// Ref is the type of the objects that an ID names, or "".
	Ref string
	// As is the format of the attribute in the table, where the value is in the format of the Kind.
	As keys.Format
	// Names are the names of an enum's values.
	Names []string
	// Element is the type of a list's elements.
	Element *Format
	// Fields are the attributes of an object.
	Fields []FieldFormat
	// Object is the name of the object's type.
	Object string
}

// FieldFormat is the Format of an attribute.
type FieldFormat struct {
	Name string
	*Format
}

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

var errMissing = errors.New("the attribute is missing")

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

func checkAttributes(attributes []FieldFormat, it item.Item) error {
	for i := range attributes {
		v, _ := it.Find(attributes[i].Name)
		if err := attributes[i].check(&v, false); err != nil {
			return err
		}
	}
	return nil
}
