package keys

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/partita/partita/item"
)

// Excludes reports whether an item that the condition selects is not one that it means, although it is not damaged: the
// same key can be made of other values, or an item of another type has a value in its key that looks like a literal of
// this one. It is read as missing.
//
// An entry of a projected index may lack what decides it: its item is then read, and decides.
func (c *Condition) Excludes(it item.Item) bool {
	if !c.CanExclude() {
		return false
	}
	name := it.Type()
	if c.isMixed() && name != "" && !c.means(name) {
		return true
	}
	for i := range c.expected {
		e := &c.expected[i]
		if e.of.Name == name && !e.isIn(it, c.Field.projected) {
			return true
		}
	}
	return false
}

// CanExclude reports whether there may be items that the condition excludes.
func (c *Condition) CanExclude() bool { return len(c.expected) > 0 || c.isMixed() }

// Exclusion is what a condition excludes. Two conditions with equal ones exclude the same of what both select. The zero
// Exclusion excludes nothing.
type Exclusion struct {
	field *Field
	// typeName is the type that a global ID names, if an item of another one may have the key.
	typeName string
	// texts are those of Condition.expected, each with its place in Field.verified and its length.
	texts string
}

// Exclusion returns what the condition excludes.
func (c *Condition) Exclusion() Exclusion {
	if !c.CanExclude() {
		return Exclusion{}
	}
	x := Exclusion{field: c.Field}
	if c.mixed {
		x.typeName = c.KeyOnly.Type()
	}
	for _, e := range c.expected {
		x.texts += fmt.Sprintf("%d %d %s", e.place, len(e.text), e.text)
	}
	return x
}

// Excludes is Condition.Excludes for a condition of a Query with this Exclusion.
func (x Exclusion) Excludes(it item.Item) bool {
	if x.field == nil {
		return false
	}
	c := Condition{Field: x.field}
	for rest := x.texts; rest != ""; {
		first, after, _ := strings.Cut(rest, " ")
		second, text, _ := strings.Cut(after, " ")
		place, _ := strconv.Atoi(first)
		length, _ := strconv.Atoi(second)
		c.expected = append(c.expected, x.field.verified[place].expect(place, text[:length]))
		rest = text[length:]
	}
	return c.Excludes(it)
}

// IsVerified reports whether the items of the field's index are needed to decide which are excluded.
func (f *Field) IsVerified() bool { return len(f.verified) > 0 }

func (c *Condition) isMixed() bool { return c.Field.mixed || c.mixed }

// means reports whether the condition selects items of a type.
func (c *Condition) means(typeName string) bool {
	if c.KeyOnly != nil {
		return typeName == c.KeyOnly.Type()
	}
	return slices.Contains(c.Field.Types, typeName)
}

// expected is a value that an attribute must have. With a segment, it is the text of the value in a key.
type expected struct {
	of      *Type
	name    string
	text    string
	segment *Segment
	// place is that of the variable in Field.verified.
	place int
}

// isIn reports whether an item has the value. With partly, it may lack the attribute.
func (e *expected) isIn(it item.Item, partly bool) bool {
	v := AttributeValue(it, e.name)
	if !v.IsSet() {
		return partly || e.text == ""
	}
	text := v.Text()
	if e.segment != nil {
		var err error
		if text, err = e.segment.Format(v, ""); err != nil {
			return false
		}
	}
	return text == e.text
}

// verified is a variable of a field whose value does not follow from a key with it. With isExact, the value must be the
// same also where the key has it in another case: it is the id of the viewer or of an owner.
type verified struct {
	of           *Type
	name, source string
	segment      *Segment
	isExact      bool
}

// unknownValues returns the variables of the field that Excludes compares: those whose value could also be another one
// beside it, and owners. A value in another case is the same for the library that wrote it.
func (f *Field) unknownValues() []verified {
	var unknown []verified
	for i := range f.matches {
		m := &f.matches[i]
		for _, t := range [...]*Template{&m.Shape.PK, &m.Shape.SK} {
			for k := range t.Segments() {
				s := &t.Segments()[k]
				source, isRead := m.Variables[s.Variable]
				if !isRead || !s.IsUnknown() || m.Shape.Has(s.Variable) {
					continue
				}
				isExact := source == ViewerVariable || f.rule != nil && f.rule.Owner == source
				if isExact || t.IsJoined(k) {
					unknown = append(unknown, verified{m.Type, s.Variable, source, s, isExact})
				}
			}
		}
	}
	return unknown
}

// fillExpected sets expected.
func (c *Condition) fillExpected(values func(name string) Value) {
	for i := range c.Field.verified {
		of := &c.Field.verified[i]
		v := values(of.source)
		text, ok := v.Single()
		if !ok {
			continue
		}
		if !of.isExact {
			var err error
			if text, err = of.segment.Format(v.Stored(), ""); err != nil {
				continue
			}
		}
		c.expected = append(c.expected, of.expect(i, text))
	}
}

// expect returns that the variable, which is at a place of Field.verified, has a text.
func (v *verified) expect(place int, text string) expected {
	e := expected{of: v.of, name: v.name, text: text, place: place}
	if !v.isExact {
		e.segment = v.segment
	}
	return e
}

// isMixed reports whether an item of another type than those of the field can be in its partition: a value there looks
// like a literal here, or the other way round, or types that an attribute tells apart have the same keys.
func (d *Design) isMixed(f *Field) bool {
	return slices.ContainsFunc(d.Types, func(t *Type) bool {
		if slices.Contains(f.Types, t.Name) {
			return false
		}
		return f.Index == "" && d.sharesKey(t, f.Types) || slices.ContainsFunc(t.shapesIn(f.Index), func(s Shape) bool {
			return Coincide(f.PK, s.PK) || SamePartition(f.PK, s.PK) && d.isApart(t, f.Types)
		})
	})
}

// sharesKey reports whether an item of a type can have the key of one of other types.
func (d *Design) sharesKey(t *Type, others []string) bool {
	for _, name := range others {
		other := d.types[name]
		if other != nil && slices.ContainsFunc(other.shapesIn(""), func(s Shape) bool {
			return slices.ContainsFunc(t.shapesIn(""), func(own Shape) bool { return CanShareKey(t, own, other, s) })
		}) {
			return true
		}
	}
	return false
}

// isApart reports whether the constants of a type differ from those of one of other types.
func (d *Design) isApart(t *Type, others []string) bool {
	return slices.ContainsFunc(others, func(name string) bool { return d.types[name] != nil && d.types[name].IsApart(t) })
}

// Coincide reports whether two partition key templates of different patterns can have the same key, because a value of
// one looks like a literal of the other.
func Coincide(a, b Template) bool {
	isSame := func(x, y Segment) bool {
		return x.Glued == y.Glued && x.Literal == y.Literal && (x.Variable == "") == (y.Variable == "")
	}
	return SamePartition(a, b) && !slices.EqualFunc(a.segments, b.segments, isSame)
}
