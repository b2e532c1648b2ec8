package design

import (
	"fmt"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
)

// Attribute is a stored field of a type.
type Attribute struct {
	Name string
	Kind keys.Kind
	// Stored is the name of the attribute in the table, "" if it is Name. As is the format of its value.
	Stored string
	As     keys.Format
	// Ref is the type of the objects that an ID attribute names by their raw id, or "".
	Ref string
	// Exists is set if the object that an ID names must exist when it is written.
	Exists bool
	// NonNull is set when every stored item must have the attribute.
	NonNull bool
	// InKeys is set for a field without an attribute in the table: its value is in keys only.
	InKeys bool
	// Object is the name of the object type of the value, or of the values in its lists: one of the type's Objects. It
	// is "" for any other value.
	Object string
	// Values are the stored names of the values of an enum; nil for those of the schema.
	Values *keys.ValueNames
	// Places are those of the values of an enum, if a key has the place of one; otherwise "".
	Places keys.Places
	// Default is the value of an item that lacks the attribute; NULL for none.
	Default item.Value
	// Check is what a given value must be; nil if any value of the type is right.
	Check *ValueCheck
	// Transitions are the ways of the value of an enum; nil if it may become any other.
	Transitions *Transitions
}

// Object is an object type that is not stored by itself: its objects are Maps within attributes.
type Object struct {
	Name       string
	Attributes []Attribute
}

// Attribute returns the object's field of that name, or nil. The Object may be nil.
func (o *Object) Attribute(name string) *Attribute {
	if o != nil {
		for i := range o.Attributes {
			if o.Attributes[i].Name == name {
				return &o.Attributes[i]
			}
		}
	}
	return nil
}

// StoredName returns the name of the attribute in the table.
func (a *Attribute) StoredName() string {
	if a.Stored != "" {
		return a.Stored
	}
	return a.Name
}

// IsNumber reports whether the stored attribute is a Number.
func (a *Attribute) IsNumber() bool {
	return a.As.IsNumber() || (a.Kind == keys.Int || a.Kind == keys.Int64 || a.Kind == keys.Float) && a.As == keys.Plain
}

// isStoredOtherwise reports whether the attribute has another name or format in the table, or is not in it.
func (a Attribute) isStoredOtherwise() bool {
	return a.Stored != "" || a.As != keys.Plain || a.InKeys || a.Values != nil || a.Default.Kind != item.Null
}

// attributeStoredAs returns the attribute with a stored name, or nil.
func attributeStoredAs(attributes []Attribute, name string) *Attribute {
	for i := range attributes {
		if attributes[i].StoredName() == name && !attributes[i].InKeys {
			return &attributes[i]
		}
	}
	return nil
}

// IsEmptySet reports whether a value is a set without elements: the table has no such attribute.
func (a *Attribute) IsEmptySet(v item.Value) bool {
	return a.As == keys.Set && v.Kind == item.List && len(v.Elements()) == 0
}

// mayBeMissing reports whether an item without the attribute has a value for it: its default, or without one the set
// without elements if it must not be null.
func (a *Attribute) mayBeMissing() bool {
	return a.Default.Kind != item.Null || a.As == keys.Set && a.NonNull
}

// withMissing returns an item with the values of attributes that it may lack.
func withMissing(it item.Item, attributes []Attribute) item.Item {
	for i := range attributes {
		a := &attributes[i]
		if !a.mayBeMissing() {
			continue
		}
		if _, has := it.Find(a.Name); has {
			continue
		}
		v := a.Default
		if v.Kind == item.Null {
			v = item.SetValue(nil)
		}
		it = append(it, item.Attribute{Name: a.Name, Value: v})
	}
	return it
}

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
