// Package attribute converts items and keys to and from the attribute values of
// the AWS SDK.
package attribute

import (
	"slices"
	"strconv"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/stored"
)

// ToItems converts a response's items. All their attributes share one
// allocation, since a response's items live as long as their operation.
func ToItems(in []map[string]types.AttributeValue) []item.Item {
	if len(in) == 0 {
		return nil
	}
	n := 0
	for _, m := range in {
		n += len(m)
	}
	attributes := make([]item.Attribute, 0, n)
	items := make([]item.Item, len(in))
	for i, m := range in {
		start := len(attributes)
		for name, v := range m {
			attributes = append(attributes, item.Attribute{Name: name, Value: toValue(v)})
		}
		items[i] = item.Item(attributes[start:len(attributes):len(attributes)])
	}
	return items
}

func toValue(in types.AttributeValue) item.Value {
	switch v := in.(type) {
	case *types.AttributeValueMemberS:
		return item.Value{Kind: item.String, Text: v.Value}
	case *types.AttributeValueMemberN:
		return item.Value{Kind: item.Number, Text: v.Value}
	case *types.AttributeValueMemberBOOL:
		return item.BoolValue(v.Value)
	case *types.AttributeValueMemberB:
		return item.Value{Kind: item.Binary, Text: string(v.Value)}
	case *types.AttributeValueMemberL:
		return item.ListValue(valuesOf(v.Value, toValue))
	case *types.AttributeValueMemberM:
		fields := make(item.Item, 0, len(v.Value))
		for name, field := range v.Value {
			fields = append(fields, item.Attribute{Name: name, Value: toValue(field)})
		}
		return item.FieldsValue(fields)
	case *types.AttributeValueMemberSS:
		return item.SetValue(valuesOf(v.Value, item.StringValue))
	case *types.AttributeValueMemberNS:
		return item.SetValue(valuesOf(v.Value, func(s string) item.Value { return item.Value{Kind: item.Number, Text: s} }))
	case *types.AttributeValueMemberBS:
		return item.SetValue(valuesOf(v.Value, func(b []byte) item.Value {
			return item.Value{Kind: item.Binary, Text: string(b)}
		}))
	default: // NULL
		return item.Value{}
	}
}

func valuesOf[T any](in []T, convert func(T) item.Value) []item.Value {
	elements := make([]item.Value, len(in))
	for i, e := range in {
		elements[i] = convert(e)
	}
	return elements
}

// FromItem converts an item.
func FromItem(it item.Item) map[string]types.AttributeValue {
	m := make(map[string]types.AttributeValue, len(it))
	for _, a := range it {
		m[a.Name] = FromValue(a.Value)
	}
	return m
}

// FromValue converts a value.
func FromValue(v item.Value) types.AttributeValue {
	switch v.Kind {
	case item.String:
		return &types.AttributeValueMemberS{Value: v.Text}
	case item.Number:
		return &types.AttributeValueMemberN{Value: v.Text}
	case item.Bool:
		return &types.AttributeValueMemberBOOL{Value: v.Text == strconv.FormatBool(true)}
	case item.Binary:
		return &types.AttributeValueMemberB{Value: []byte(v.Text)}
	case item.List:
		if v.IsSet() {
			return fromSet(v.Elements())
		}
		elements := make([]types.AttributeValue, len(v.Elements()))
		for i, e := range v.Elements() {
			elements[i] = FromValue(e)
		}
		return &types.AttributeValueMemberL{Value: elements}
	case item.Map:
		return &types.AttributeValueMemberM{Value: FromItem(v.Fields())}
	default:
		return &types.AttributeValueMemberNULL{Value: true}
	}
}

// fromSet returns the set of the elements, which are all of one kind.
func fromSet(elements []item.Value) types.AttributeValue {
	texts := make([]string, len(elements))
	binaries := make([][]byte, len(elements))
	kind := item.String
	for i, e := range elements {
		texts[i], binaries[i], kind = e.Text, []byte(e.Text), e.Kind
	}
	switch kind {
	case item.Number:
		return &types.AttributeValueMemberNS{Value: texts}
	case item.Binary:
		return &types.AttributeValueMemberBS{Value: binaries}
	default:
		return &types.AttributeValueMemberSS{Value: texts}
	}
}

// FromKey converts a primary key of a table with the layout.
func FromKey(l *stored.Layout, k keys.Key) map[string]types.AttributeValue {
	return FromItem(l.StoredKey(k))
}

// ToKey returns the primary key in an item or a key; a part of another type than the table's is "".
func ToKey(l *stored.Layout, m map[string]types.AttributeValue) keys.Key {
	var it item.Item
	for _, a := range slices.Concat(l.PK, l.SK) {
		if v, has := m[a.Name]; has {
			it = append(it, item.Attribute{Name: a.Name, Value: toValue(v)})
		}
	}
	return l.KeyOf(it)
}

// Text returns the value of a String attribute, or "".
func Text(m map[string]types.AttributeValue, name string) string {
	if s, ok := m[name].(*types.AttributeValueMemberS); ok {
		return s.Value
	}
	return ""
}
