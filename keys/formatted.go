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
	return a.As.IsNumber() || (a.Kind == Int || a.Kind == Int64 || a.Kind == Float) && a.As == Plain
}

// isStoredOtherwise reports whether items of the type differ from those of the Design.
func (t *Type) isStoredOtherwise() bool {
	return t.Value != "" || len(t.Constants) > 0 || slices.ContainsFunc(t.Attributes, Attribute.isStoredOtherwise) ||
		len(t.translated()) > 0
}

// isStoredOtherwise reports whether the attribute has another name or format in the table, or is not in it.
func (a Attribute) isStoredOtherwise() bool { return a.Stored != "" || a.As != Plain || a.InKeys }

// WithNumbers returns the layout with KeyAttribute.Number, for a table with objects of these types.
func (l *Layout) WithNumbers(types []*Type) *Layout {
	isNumber := func(name string) bool {
		return slices.ContainsFunc(types, func(t *Type) bool {
			a := attributeStoredAs(t.Attributes, name)
			return a != nil && a.IsNumber()
		})
	}
	numbered := func(k KeyAttributes) KeyAttributes {
		k = slices.Clone(k)
		for n := range k {
			k[n].Number = isNumber(k[n].Name)
		}
		return k
	}
	out := *l
	out.PK, out.SK, out.Indexes = numbered(l.PK), numbered(l.SK), slices.Clone(l.Indexes)
	for i := range out.Indexes {
		ix := &out.Indexes[i]
		ix.PK, ix.SK = numbered(ix.PK), numbered(ix.SK)
	}
	return &out
}

// formatted returns the types with the formats of their attributes in their templates.
func formatted(l *Layout, types []*Type) []*Type {
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
func (t *Type) primary(l *Layout, s Shape) Shape {
	s = t.formatted(s)
	for _, part := range [...]struct {
		template *Template
		key      KeyAttributes
	}{{&s.PK, l.PK}, {&s.SK, l.SK}} {
		if part.key.hasNumber() {
			t.setAttributes(part.template, part.key)
		}
	}
	return s
}

// formatted returns the shape with the formats of the type's attributes.
func (t *Type) formatted(s Shape) Shape {
	for _, template := range [...]*Template{&s.PK, &s.SK} {
		template.segments = slices.Clone(template.segments)
		for i := range template.segments {
			segment := &template.segments[i]
			if a := t.Attribute(segment.Variable); a != nil {
				segment.as, segment.kind = a.As, a.Kind
				layout := layoutOf(a, segment.Bucket)
				segment.textWidth, segment.fixed = len(layout), 0
				if segment.delimiters = strings.Count(layout, template.Delimiter()); segment.delimiters > 0 {
					segment.fixed = len(layout)
				}
			}
		}
		template.setUnknown()
	}
	return s
}

// layoutOf returns the layout of a time or a date in a key, "" for a Number and for any other attribute.
func layoutOf(a *Attribute, bucket Bucket) string {
	switch {
	case a.Kind == Time && bucket > 0:
		return item.TimeLayout[:bucket]
	case a.As.Layout() != "":
		return a.As.Layout()
	case a.Kind == Date && a.As == Plain:
		return time.DateOnly
	case a.Kind == Time && a.As == Plain:
		return item.TimeLayout
	default:
		return ""
	}
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
		a, s := attributeStoredAs(t.Attributes, k[i].Name), &template.segments[i]
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
				own.as, own.number = stored.as, stored.number
				own.fixed, own.delimiters = stored.fixed, stored.delimiters
				own.kind, own.textWidth, own.unknown = stored.kind, stored.textWidth, stored.unknown
				own.stored = isStored(own.Variable)
			}
		}
	}
}
