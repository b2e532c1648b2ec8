package executors

import (
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
)

// Damaged returns an item with another value of one of its attributes, which often does not fit its type or contradicts
// the item's key, or without the attribute. Keys are never damaged.
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

// damage returns a Memory's Alter, which damages or leaves out one in some items; nil for the seed 0.
func damage(seed uint64) func(item.Item) item.Item {
	if seed == 0 {
		return nil
	}
	return func(it item.Item) item.Item {
		h := fnv.New64a()
		_, _ = h.Write([]byte(it.Text(keys.AttributePK) + " " + it.Text(keys.AttributeSK)))
		random := rand.New(rand.NewPCG(seed, h.Sum64()))
		switch {
		case random.IntN(2+int(seed%16)) > 0:
			return it
		case random.IntN(5) == 0:
			return nil
		}
		for range 1 + random.IntN(3) {
			it = Damaged(random, it)
		}
		return it
	}
}

var damagedTexts = []string{
	"damaged", "", "\x00\x01\x1f\x7f", `"\/` + "\b\f\n\r\t",
	"\u2028\u2029<>&'", "\ud7ff\U0010ffff", "ä", "a:b%c", "1", "true", "r001", "r002", "r003",
	strings.Repeat("x", 3000),
}

var damagedTimes = []string{
	"0001-01-01T00:00:00.000Z", "2026-02-30T00:00:00.000Z", "2026-01-31T09:30:00.100Z", "2026-01-31T09:30:00Z",
	"9999-12-31T23:59:59.999Z", "2026-02-29", "2024-02-29",
}

var damagedNumbers = []string{
	"7.0", "1E+3", "0", "-1", "1.5", "2147483647", "2147483648", "-2147483648", "9007199254740993", "1E-130", "12300E-2",
	"9E+125", "00012",
}

// damagedValue returns another value for an attribute, or false if it should be missing.
func damagedValue(random Random, v item.Value) (item.Value, bool) {
	if random.IntN(3) > 0 {
		return similar(random, v), true
	}
	switch random.IntN(7) {
	case 0:
		return v, false
	case 1:
		return item.Value{}, true
	case 2:
		return item.BoolValue(random.IntN(2) == 0), true
	case 3:
		return item.Value{Kind: item.Binary, Text: "\xff\x00"}, true
	case 4:
		return item.Value{Kind: item.Number, Text: pickText(random, damagedNumbers)}, true
	case 5:
		return item.ListValue([]item.Value{v, {}}), true
	default:
		return item.FieldsValue(item.Item{{Name: "a", Value: v}}), true
	}
}

func pickText(random Random, from []string) string { return from[random.IntN(len(from))] }

// similar returns another value of the same kind.
func similar(random Random, v item.Value) item.Value {
	switch v.Kind {
	case item.Number:
		return item.Value{Kind: item.Number, Text: pickText(random, damagedNumbers)}
	case item.Bool:
		return item.BoolValue(random.IntN(2) == 0)
	case item.List:
		return similarList(random, v)
	case item.Map:
		return similarMap(random, v.Fields())
	}
	if _, err := time.Parse(time.DateOnly, v.Text[:min(len(v.Text), len(time.DateOnly))]); err == nil {
		return item.StringValue(pickText(random, damagedTimes))
	}
	return item.StringValue(pickText(random, damagedTexts))
}

func similarList(random Random, v item.Value) item.Value {
	elements := slices.Clone(v.Elements())
	if len(elements) == 0 || random.IntN(2) == 0 {
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

func similarMap(random Random, fields item.Item) item.Value {
	if len(fields) == 0 {
		return item.FieldsValue(nil)
	}
	fields = slices.Clone(fields)
	i := random.IntN(len(fields))
	value, known := damagedValue(random, fields[i].Value)
	if !known {
		return item.FieldsValue(slices.Delete(fields, i, i+1))
	}
	fields[i].Value = value
	return item.FieldsValue(fields)
}
