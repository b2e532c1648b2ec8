package design

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
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
	if c.Field.bothForms && c.Field.isOfOtherForm(it) {
		return true
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
func (c *Condition) CanExclude() bool { return len(c.expected) > 0 || c.isMixed() || c.Field.bothForms }

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

// means reports whether the condition selects items of a type.
func (c *Condition) means(typeName string) bool {
	if c.KeyOnly != nil {
		return typeName == c.KeyOnly.Type()
	}
	return slices.Contains(c.Field.Types, typeName)
}

// isIn reports whether an item has the value. With partly, it may lack the attribute.
func (e *expected) isIn(it item.Item, partly bool) bool {
	v := keys.AttributeValue(it, e.name)
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

// fillExpected sets expected.
func (c *Condition) fillExpected(values func(name string) keys.Value) {
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
