// Package item has the stored items and their attribute values. Package table reads and writes
// them, generated code fills the GraphQL models from them, and package write returns those in which
// an object is stored. The package depends neither on the AWS SDK nor on GraphQL.
package item

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// EntityType is the attribute with the name of an item's GraphQL type. It distinguishes the members
// of a union or an interface in a collection of several types.
const EntityType = "entityType"

// TimeLayout is the layout of a stored time: UTC, fixed width, milliseconds, so that text order is
// time order.
const TimeLayout = "2006-01-02T15:04:05.000Z"

// Kind is the DynamoDB data type of a Value.
type Kind uint8

// The DynamoDB data types. A set (SS, NS, BS) is a List for which IsSet is true.
const (
	Null Kind = iota
	String
	Number
	Bool
	Binary
	List
	Map
)

// Value is one attribute value. Text holds a String's characters, a Number's digits as DynamoDB sent them, a Binary's
// bytes, or "true"/"false" for a Bool.
type Value struct {
	Kind Kind
	Text string
	// nested is nil unless the value is a List or a Map, or from StoredAs: most values are not, and there are many.
	nested *nested
}

// nested are the values in a List or a Map.
type nested struct {
	elements []Value
	isSet    bool
	fields   Item
	// stored is that of StoredAs.
	stored *Value
}

// StoredAs returns a scalar that is stored as another value, which does not follow from it: a table may have several
// forms of one value, such as 7 and 007. Both are Equal.
func (v Value) StoredAs(stored Value) Value {
	v.nested = &nested{stored: &stored}
	return v
}

// Stored returns the value that was passed to StoredAs, and whether there is one.
func (v Value) Stored() (stored Value, has bool) {
	if v.nested == nil || v.nested.stored == nil {
		return v, false
	}
	return *v.nested.stored, true
}

// Elements returns the elements of a List; none for any other value.
func (v Value) Elements() []Value {
	if v.nested == nil {
		return nil
	}
	return v.nested.elements
}

// Fields returns the attributes of a Map; none for any other value.
func (v Value) Fields() Item {
	if v.nested == nil {
		return nil
	}
	return v.nested.fields
}

// Attribute is a named Value.
type Attribute struct {
	Name  string
	Value Value
}

// Item is the attributes of one stored item, keys included, in no particular order. A nil Item
// means that there is none. An Item must not be modified after it was returned, because goroutines
// share it.
type Item []Attribute

// Get returns the attribute's value, and whether the item has it with a value
// other than NULL.
func (it Item) Get(name string) (Value, bool) {
	v, _ := it.Find(name)
	return v, v.Kind != Null
}

// Text returns the text of a String, Number or Bool attribute, or "" when the
// item lacks it.
func (it Item) Text(name string) string {
	v, _ := it.Get(name)
	return v.Text
}

// Type returns the item's entityType, or "".
func (it Item) Type() string { return it.Text(EntityType) }

// StringValue returns a String attribute value.
func StringValue(s string) Value { return Value{Kind: String, Text: s} }

// IntValue returns a Number attribute value.
func IntValue(n int64) Value { return Value{Kind: Number, Text: strconv.FormatInt(n, 10)} }

// FloatValue returns a Number attribute value in the shortest form that reads back as f.
func FloatValue(f float64) Value {
	return Value{Kind: Number, Text: strconv.FormatFloat(f, 'f', -1, 64)}
}

// BoolValue returns a Bool attribute value.
func BoolValue(b bool) Value { return Value{Kind: Bool, Text: strconv.FormatBool(b)} }

// TimeValue returns a String attribute value in TimeLayout.
func TimeValue(t time.Time) Value { return StringValue(t.UTC().Format(TimeLayout)) }

// ListValue returns a List attribute value.
func ListValue(elements []Value) Value {
	return Value{Kind: List, nested: &nested{elements: elements}}
}

// SetValue returns the value of a set of Strings, Numbers or Binaries, which must all be of one kind and differ.
// DynamoDB returns them in no order; in a Value they are sorted.
func SetValue(elements []Value) Value {
	if !slices.IsSortedFunc(elements, compareElements) {
		elements = slices.Clone(elements)
		slices.SortFunc(elements, compareElements)
	}
	return Value{Kind: List, nested: &nested{elements: elements, isSet: true}}
}

// compareElements returns the order of two elements of a set: that of numbers or texts.
func compareElements(a, b Value) int {
	if a.Kind == Number && b.Kind == Number {
		x, _ := strconv.ParseFloat(a.Text, 64)
		y, _ := strconv.ParseFloat(b.Text, 64)
		if x != y {
			return cmp.Compare(x, y)
		}
	}
	return cmp.Or(cmp.Compare(a.Kind, b.Kind), strings.Compare(a.Text, b.Text))
}

// IsSet reports whether the value is a set.
func (v Value) IsSet() bool { return v.nested != nil && v.nested.isSet }

// FieldsValue returns a Map attribute value of exactly these attributes.
func FieldsValue(fields Item) Value { return Value{Kind: Map, nested: &nested{fields: fields}} }

// Equal reports whether both are the same value to DynamoDB. It compares numbers as texts, so that
// 1 and 1.0 are not equal. A set is equal to the List of its elements, because a field does not know which it is.
func (v Value) Equal(w Value) bool {
	if v.Kind != w.Kind || v.Text != w.Text || len(v.Fields()) != len(w.Fields()) {
		return false
	}
	for _, a := range v.Fields() {
		if b, ok := w.Fields().Find(a.Name); !ok || !a.Value.Equal(b) {
			return false
		}
	}
	return slices.EqualFunc(v.Elements(), w.Elements(), Value.Equal)
}

// Find returns the attribute's value, NULL included, and whether the item has the attribute.
func (it Item) Find(name string) (Value, bool) {
	for i := range it {
		if it[i].Name == name {
			return it[i].Value, true
		}
	}
	return Value{}, false
}

// Size returns the item's size in bytes as DynamoDB counts it for capacity and the 400 KB limit:
// names and values in UTF-8, a number about one byte per two digits plus one, one byte for a
// Boolean or null, three bytes for a list or map plus one per element.
//
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html
func (it Item) Size() int {
	n := 0
	for i := range it {
		n += len(it[i].Name) + it[i].Value.size()
	}
	return n
}

func (v Value) size() int {
	switch v.Kind {
	case Number:
		digits := 0
		negative := 0
		for _, r := range v.Text {
			switch {
			case r >= '0' && r <= '9':
				digits++
			case r == '-':
				negative = 1
			}
		}
		return (digits+1)/2 + 1 + negative
	case Null, Bool:
		return 1
	case List:
		n := 3
		for _, e := range v.Elements() {
			n += 1 + e.size()
		}
		return n
	case Map:
		return 3 + len(v.Fields()) + v.Fields().Size()
	default:
		return len(v.Text)
	}
}
