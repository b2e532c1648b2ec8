package executors

import (
	"slices"
	"strings"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
)

// Damaged returns an item with another value of one of its attributes, which often does not fit its type, or without
// the attribute. Keys are never damaged.
func Damaged(random Random, it item.Item) item.Item {
	damaged := slices.Clone(it)
	var usable []int
	for i, a := range damaged {
		if strings.ToUpper(a.Name) != a.Name { // a key of the table or of an index
			usable = append(usable, i)
		}
	}
	i := usable[random.IntN(len(usable))]
	switch value, known := damagedValue(random, damaged[i].Value); {
	case damaged[i].Name == item.EntityType && random.IntN(3) > 0:
		deleted := item.StringValue("2026-05-01T00:00:00.000Z")
		return append(damaged, item.Attribute{Name: keys.AttributeDeletedAt, Value: deleted})
	case known:
		damaged[i].Value = value
		return damaged
	default:
		return slices.Delete(damaged, i, i+1)
	}
}

var damagedTexts = []string{
	"damaged", "", "\x00\x01\x1f\x7f", `"\/` + "\b\f\n\r\t", "\u2028\u2029<>&'", "\ud7ff\U0010ffff", "ä", "a:b%c",
	"0001-01-01T00:00:00.000Z", "2026-02-30T00:00:00.000Z", "2026-01-31T09:30:00.100Z", "2026-01-31T09:30:00Z",
	"9999-12-31T23:59:59.999Z", "2026-02-29", "2024-02-29", "1", "true", strings.Repeat("x", 3000),
}

var damagedNumbers = []string{
	"7.0", "1E+3", "0", "-1", "1.5", "2147483647", "2147483648", "-2147483648", "9007199254740993", "1E-130", "12300E-2",
	"9E+125", "00012",
}

// damagedValue returns another value for an attribute, or false if it should be missing.
func damagedValue(random Random, v item.Value) (item.Value, bool) {
	switch random.IntN(9) {
	case 0:
		return v, false
	case 1:
		return item.Value{}, true
	case 2:
		return item.BoolValue(random.IntN(2) == 0), true
	case 3:
		return item.Value{Kind: item.Binary, Text: "\xff\x00"}, true
	case 4, 5:
		if v.Kind == item.Number || random.IntN(4) == 0 {
			return item.Value{Kind: item.Number, Text: damagedNumbers[random.IntN(len(damagedNumbers))]}, true
		}
	case 6:
		if v.Kind == item.List {
			return damagedList(random, v), true
		}
		return item.ListValue([]item.Value{v, {}}), true
	case 7:
		if fields := v.Fields(); len(fields) > 0 {
			return item.FieldsValue(damagedField(random, fields)), true
		}
		return item.FieldsValue(item.Item{{Name: "a", Value: v}}), true
	}
	return item.StringValue(damagedTexts[random.IntN(len(damagedTexts))]), true
}

func damagedList(random Random, v item.Value) item.Value {
	elements := slices.Clone(v.Elements())
	if len(elements) == 0 || random.IntN(4) == 0 {
		return item.ListValue(append(elements, item.Value{}))
	}
	i := random.IntN(len(elements))
	value, known := damagedValue(random, elements[i])
	if !known {
		return item.ListValue(slices.Delete(elements, i, i+1))
	}
	elements[i] = value
	return item.ListValue(elements)
}

func damagedField(random Random, fields item.Item) item.Item {
	fields = slices.Clone(fields)
	i := random.IntN(len(fields))
	value, known := damagedValue(random, fields[i].Value)
	if !known {
		return slices.Delete(fields, i, i+1)
	}
	fields[i].Value = value
	return fields
}
