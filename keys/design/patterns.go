package design

import (
	"fmt"
	"regexp"
	"slices"
)

// compiled returns attributes whose checks have their patterns compiled. The given ones are not modified, because
// several designs may have them.
func compiled(attributes []Attribute) ([]Attribute, error) {
	hasPattern := func(a Attribute) bool { return a.Check != nil && a.Check.Pattern != "" }
	if !slices.ContainsFunc(attributes, hasPattern) {
		return attributes, nil
	}
	attributes = slices.Clone(attributes)
	for i := range attributes {
		a := &attributes[i]
		if !hasPattern(*a) {
			continue
		}
		c := *a.Check
		var err error
		if c.pattern, err = regexp.Compile(c.Pattern); err != nil {
			return nil, fmt.Errorf("keys: pattern of %s: %w", a.Name, err)
		}
		a.Check = &c
	}
	return attributes, nil
}

// compile compiles the patterns of the type's attributes, and of those of the objects within them.
func (t *Type) compile() (err error) {
	if t.Attributes, err = compiled(t.Attributes); err != nil {
		return err
	}
	t.Objects = slices.Clone(t.Objects)
	for i := range t.Objects {
		o := &t.Objects[i]
		if o.Attributes, err = compiled(o.Attributes); err != nil {
			return err
		}
	}
	return nil
}
