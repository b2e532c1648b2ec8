package design

import (
	"fmt"

	"github.com/partita/partita/item"
)

// Constant is an attribute that every item of a type has, with the same value: a String, a Number or a Bool. Items of a
// Design do not have it, as they do not have the type attribute under its stored name.
type Constant struct {
	Name  string
	Value item.Value
}

// StringConstant returns the Constant with a String, and NumberConstant and BooleanConstant those with other values, by
// their texts.
func StringConstant(name, text string) Constant { return Constant{name, item.StringValue(text)} }

// NumberConstant returns a Constant with a Number.
func NumberConstant(name, digits string) Constant {
	return Constant{name, item.Value{Kind: item.Number, Text: digits}}
}

// BooleanConstant returns a Constant with a Bool: "true" or "false".
func BooleanConstant(name, text string) Constant {
	return Constant{name, item.Value{Kind: item.Bool, Text: text}}
}

// GoString returns the constant as a Go expression.
func (c Constant) GoString() string {
	kind := "String"
	switch c.Value.Kind {
	case item.Number:
		kind = "Number"
	case item.Bool:
		kind = "Boolean"
	}
	return fmt.Sprintf("design.%sConstant(%q, %q)", kind, c.Name, c.Value.Text)
}

// isIn reports whether a stored item has the constant.
func (c *Constant) isIn(stored item.Item) bool {
	v, has := stored.Get(c.Name)
	return has && c.equals(v)
}

// equals reports whether a value is that of the constant. DynamoDB may have written a Number with an exponent.
func (c *Constant) equals(v item.Value) bool {
	if c.Value.Kind == item.Number && v.Kind == item.Number {
		a, err := item.AsFloat(c.Value)
		b, other := item.AsFloat(v)
		return err == nil && other == nil && a == b
	}
	return c.Value.Equal(v)
}
