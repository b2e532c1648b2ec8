package keys

import (
	"slices"
	"strings"
	"time"

	"github.com/partita/partita/item"
)

// StoredName returns the name of the attribute in the table.
func (a *Attribute) StoredName() string {
	if a.Stored != "" {
		return a.Stored
	}
	return a.Name
}

// IsNumber reports whether the stored attribute is a Number.
func (a *Attribute) IsNumber() bool {
	return a.As.IsNumber() || (a.Kind == Int || a.Kind == Int64) && a.As == Plain
}

// isStoredOtherwise reports whether items of the type differ from those of the Design.
func (t *Type) isStoredOtherwise() bool {
	isOther := func(a Attribute) bool { return a.Stored != "" || a.As != Plain }
	return t.Value != "" || slices.ContainsFunc(t.Attributes, isOther)
}

// attributeStoredAs returns the type's attribute with that stored name, or nil.
func (t *Type) attributeStoredAs(name string) *Attribute {
	for i := range t.Attributes {
		if t.Attributes[i].StoredName() == name {
			return &t.Attributes[i]
		}
	}
	return nil
}

// withNumbers returns the layout with KeyAttribute.Number.
func (l *Layout) withNumbers(types []*Type) *Layout {
	isNumber := func(name string) bool {
		return slices.ContainsFunc(types, func(t *Type) bool {
			a := t.attributeStoredAs(name)
			return a != nil && a.IsNumber()
		})
	}
	out := *l
	out.Indexes = slices.Clone(l.Indexes)
	for i := range out.Indexes {
		ix := &out.Indexes[i]
		ix.PK, ix.SK = slices.Clone(ix.PK), slices.Clone(ix.SK)
		for _, k := range [...]KeyAttributes{ix.PK, ix.SK} {
			for n := range k {
				k[n].Number = isNumber(k[n].Name)
			}
		}
	}
	return &out
}

// formatted returns the types with the formats of their attributes in their templates.
func formatted(l *Layout, types []*Type) []*Type {
	out := make([]*Type, len(types))
	for i, t := range types {
		c := *t
		c.Item = t.formatted(t.Item)
		c.Copies = slices.Clone(t.Copies)
		for k := range c.Copies {
			c.Copies[k].Shape = t.formatted(c.Copies[k].Shape)
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

// formatted returns the shape with the formats of the type's attributes.
func (t *Type) formatted(s Shape) Shape {
	for _, template := range [...]*Template{&s.PK, &s.SK} {
		template.segments = slices.Clone(template.segments)
		for i := range template.segments {
			segment := &template.segments[i]
			if a := t.Attribute(segment.Variable); a != nil {
				segment.as = a.As
				segment.fixed = fixedWidth(a, segment.Bucket, template.Delimiter())
			}
		}
	}
	return s
}

// fixedWidth returns the number of bytes of the values of a time or a date in a key if they contain the delimiter,
// otherwise 0.
func fixedWidth(a *Attribute, bucket Bucket, delimiter string) int {
	layout := ""
	switch {
	case a.Kind == Time && bucket > 0:
		layout = item.TimeLayout[:bucket]
	case a.As == Seconds:
		layout = secondsLayout
	case a.As == DayOnly, a.Kind == Date && a.As == Plain:
		layout = time.DateOnly
	case a.Kind == Time && a.As == Plain:
		layout = item.TimeLayout
	}
	if !strings.Contains(layout, delimiter) {
		return 0
	}
	return len(layout)
}

// setAttributes marks the variables of a template that are the values of Number attributes of the key. If the key has
// several attributes, each segment is the text of one. A value that is an attribute as it is may have the delimiter.
func (t *Type) setAttributes(template *Template, k KeyAttributes) {
	if len(k) > 1 {
		template.separated = true
	} else if len(template.segments) > 1 {
		return
	}
	for i := range min(len(k), len(template.segments)) {
		a, s := t.attributeStoredAs(k[i].Name), &template.segments[i]
		if a != nil && s.Literal == "" && s.Variable == a.Name {
			s.number = a.IsNumber()
			template.separated = true
		}
	}
}

// setFormats sets the formats of a field's templates from the shape that they match, and which variables are those of
// items.
func (f *Field) setFormats(s Shape) {
	isStored := func(name string) bool { return name != ViewerVariable && f.Argument(name) == nil }
	for _, pair := range [...]struct {
		own   *Template
		shape Template
	}{{&f.PK, s.PK}, {&f.SK, s.SK}} {
		pair.own.delimiter, pair.own.separated = pair.shape.delimiter, pair.shape.separated
		pair.own.segments = slices.Clone(pair.own.segments)
		for i := range pair.own.segments {
			own := &pair.own.segments[i]
			if own.Variable != "" {
				stored := pair.shape.segments[i]
				own.as, own.number, own.fixed = stored.as, stored.number, stored.fixed
				own.stored = isStored(own.Variable)
			}
		}
	}
}
