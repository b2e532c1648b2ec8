package design

import (
	"slices"

	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/stored"
)

// isStoredOtherwise reports whether items of the type differ from those of the Design.
func (t *Type) isStoredOtherwise() bool {
	return t.Value != "" || len(t.Values) > 0 || len(t.Constants) > 0 || len(t.translated()) > 0 ||
		slices.ContainsFunc(t.Attributes, Attribute.isStoredOtherwise)
}

// Numbers returns the function that reports whether an attribute of a table with objects of these types is a Number:
// see Layout.WithNumbers.
func Numbers(types []*Type) func(stored string) bool {
	return func(stored string) bool {
		return slices.ContainsFunc(types, func(t *Type) bool {
			a := attributeStoredAs(t.Attributes, stored)
			return a != nil && a.IsNumber()
		})
	}
}

// formatted returns the types with the formats of their attributes in their templates.
func formatted(l *stored.Layout, types []*Type) []*Type {
	out := make([]*Type, len(types))
	for i, t := range types {
		c := *t
		c.Item = t.primary(l, t.Item)
		c.Copies = slices.Clone(t.Copies)
		for k := range c.Copies {
			c.Copies[k].Shape = t.primary(l, c.Copies[k].Shape)
		}
		c.Uniques = slices.Clone(t.Uniques)
		for k := range c.Uniques {
			c.Uniques[k].NoSK = !l.HasSortKey()
		}
		c.Indexes = slices.Clone(t.Indexes)
		for k := range c.Indexes {
			ix := &c.Indexes[k]
			ix.Shape = t.formatted(ix.Shape)
			names := l.Index(ix.Name)
			t.setAttributes(&ix.PK, names.PK)
			t.setAttributes(&ix.SK, names.SK)
		}
		out[i] = &c
	}
	return out
}

// primary is formatted for a shape of the table.
func (t *Type) primary(l *stored.Layout, s keys.Shape) keys.Shape {
	s = t.formatted(s)
	if l.PK.HasNumber() {
		t.setAttributes(&s.PK, l.PK)
	}
	if l.SK.HasNumber() {
		t.setAttributes(&s.SK, l.SK)
	}
	return s
}

// formatted returns the shape with the formats of the type's attributes.
func (t *Type) formatted(s keys.Shape) keys.Shape {
	of := func(variable string) (keys.Kind, keys.Format, bool) {
		a := t.Attribute(variable)
		if a == nil {
			return keys.Other, keys.Plain, false
		}
		return a.Kind, a.As, true
	}
	s = keys.Shape{PK: s.PK.WithFormats(of), SK: s.SK.WithFormats(of)}
	if !slices.ContainsFunc(t.Attributes, func(a Attribute) bool { return a.Values != nil || a.Places != "" }) {
		return s
	}
	names := func(variable string) (*keys.ValueNames, keys.Places) {
		if a := t.Attribute(variable); a != nil {
			return a.Values, a.Places
		}
		return nil, ""
	}
	return keys.Shape{PK: s.PK.WithNames(names), SK: s.SK.WithNames(names)}
}

// setAttributes sets that a template is the key with the attributes.
func (t *Type) setAttributes(template *keys.Template, k keys.KeyAttributes) {
	*template = template.OfAttributes(k, func(stored string) (variable string, isNumber bool) {
		a := attributeStoredAs(t.Attributes, stored)
		if a == nil {
			return "", false
		}
		return a.Name, a.IsNumber()
	})
}

// setFormats sets the formats of a field's templates from the shape that they match, and which variables are those of
// items.
func (f *Field) setFormats(s keys.Shape) {
	isStored := func(name string) bool { return name != keys.ViewerVariable && f.Argument(name) == nil }
	f.PK, f.SK = f.PK.FormattedAs(s.PK, isStored), f.SK.FormattedAs(s.SK, isStored)
}
