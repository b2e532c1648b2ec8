package otherwriter

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// value is an attribute value as the SDK has it, nil for none.
type value = types.AttributeValue

type attributes = map[string]value

// field is a field of the schema in testdata. It says again what the schema says, so that the tests share nothing with
// the packages that they test.
type field struct {
	name, stored string
	kind         kind
	of           []field
	required     bool
	// isKey is set for a text that is part of a key.
	isKey bool
}

type kind uint8

const (
	text kind = iota
	integer
	long
	float
	seconds
	millis
	digits
	boolean
	anything
	textSet
	numberSet
	texts
	object
	objects
)

var (
	geo     = []field{{name: "lat", stored: "Lat", kind: float}, {name: "lng", kind: float}}
	room    = []field{{name: "number", stored: "No", kind: integer, required: true}, {name: "names", kind: texts}}
	address = []field{
		{name: "city", stored: "City"}, {name: "since", stored: "Since", kind: millis}, {name: "zip", kind: digits},
		{name: "tags", stored: "Tags", kind: textSet}, {name: "geo", stored: "Geo", kind: object, of: geo},
		{name: "rooms", kind: objects, of: room},
	}
	line = []field{
		{name: "sku", stored: "SKU", required: true}, {name: "quantity", kind: integer}, {name: "geo", kind: object, of: geo},
	}
	product = []field{
		{name: "shop", required: true, isKey: true}, {name: "title", isKey: true}, {name: "state"}, {name: "rank",
			kind: integer},
		{name: "price", stored: "cost", kind: float}, {name: "big", kind: long},
		{name: "soldAt", stored: "sold_at", kind: seconds}, {name: "on", kind: boolean}, {name: "text"},
		{name: "tags", kind: textSet}, {name: "sizes", stored: "sz", kind: numberSet, required: true},
		{name: "labels", kind: texts}, {name: "lines", kind: objects, of: line},
		{name: "address", kind: object, of: address}, {name: "json", kind: anything},
	}
	page = []field{
		{name: "text"}, {name: "tags", kind: textSet}, {name: "address", kind: object, of: address},
		{name: "lines", kind: objects, of: line},
	}
)

func (f field) attribute() string {
	if f.stored != "" {
		return f.stored
	}
	return f.name
}

// change is a value of an input, as it is written in GraphQL, and what it makes of a stored value.
type change struct {
	literal string
	apply   func(was value) value
}

// to returns the change to a value whatever was stored.
func to(literal string, v value) change {
	return change{literal, func(value) value { return v }}
}

// toNumber is to for a number: the digits of an equal one are not changed.
func toNumber(literal, digits string) change {
	return change{literal, func(was value) value {
		if n, is := was.(*types.AttributeValueMemberN); is && number(n.Value) == number(digits) {
			return was
		}
		return n(digits)
	}}
}

func number(digits string) float64 {
	f, err := strconv.ParseFloat(digits, 64)
	if err != nil {
		panic(err)
	}
	return f
}

func s(v string) value { return &types.AttributeValueMemberS{Value: v} }
func n(v string) value { return &types.AttributeValueMemberN{Value: v} }

// words are few, so that equal values are frequent.
var words = []string{"", "a", "B", "c d", "ü", "null", "=x", `"q"`}

func word(r *rand.Rand) string { return words[r.IntN(len(words))] }

// drawn returns a change of a field whose value is stored as was: nil if there is none.
func (f field) drawn(r *rand.Rand, was value) change {
	if !f.required && r.IntN(8) == 0 {
		return change{"null", func(was value) value {
			if _, isNull := was.(*types.AttributeValueMemberNULL); isNull {
				return was
			}
			return nil
		}}
	}
	switch f.kind {
	case integer:
		v := strconv.Itoa(r.IntN(5) * 100)
		return toNumber(v, v)
	case long:
		v := []string{"9007199254740993", "-1", "100", "9223372036854775807"}[r.IntN(4)]
		return to(strconv.Quote(v), n(v))
	case float:
		v := []string{"4.5", "-0.25", "100", "0"}[r.IntN(4)]
		return toNumber(v, v)
	case seconds, millis, digits:
		at := time.Unix(1.7e9+int64(r.IntN(5)), 0).UTC()
		literal := strconv.Quote(at.Format(time.RFC3339))
		switch f.kind {
		case seconds:
			return toNumber(literal, strconv.FormatInt(at.Unix(), 10))
		case millis:
			return toNumber(literal, strconv.FormatInt(at.UnixMilli(), 10))
		}
		v := strconv.Itoa(r.IntN(3) + 7)
		return change{v, func(was value) value {
			if t, is := was.(*types.AttributeValueMemberS); is && strings.TrimLeft(t.Value, "0") == v {
				return was // 007 is another form of 7
			}
			return s(v)
		}}
	case boolean:
		is := r.IntN(2) == 0
		return to(strconv.FormatBool(is), &types.AttributeValueMemberBOOL{Value: is})
	case anything:
		v := strconv.Itoa(r.IntN(3))
		return to("{a: "+v+", b: [true, null]}", &types.AttributeValueMemberM{Value: attributes{
			"a": n(v), "b": &types.AttributeValueMemberL{Value: []value{
				&types.AttributeValueMemberBOOL{Value: true}, &types.AttributeValueMemberNULL{Value: true},
			}},
		}})
	case textSet, numberSet, texts:
		return f.drawnList(r)
	case object:
		return drawnObject(r, f.of, was)
	case objects:
		return drawnObjects(r, f.of, was)
	default:
		v := word(r)
		if f.isKey {
			v += "x"
		}
		return to(strconv.Quote(v), s(v))
	}
}

// drawnList returns a change of a list of texts or numbers.
func (f field) drawnList(r *rand.Rand) change {
	var literals, all []string
	for range r.IntN(4) {
		v := "e" + word(r)
		literal := strconv.Quote(v)
		if f.kind == numberSet {
			v = strconv.Itoa(r.IntN(4))
			literal = v
		}
		literals, all = append(literals, literal), append(all, v)
	}
	once := slices.Compact(slices.Sorted(slices.Values(all)))
	return change{"[" + strings.Join(literals, ", ") + "]", func(was value) value {
		_, isSet := was.(*types.AttributeValueMemberSS)
		switch {
		case f.kind == texts && !isSet:
			elements := make([]value, len(all))
			for i, v := range all {
				elements[i] = s(v)
			}
			return &types.AttributeValueMemberL{Value: elements}
		case len(once) == 0:
			return nil
		case f.kind == numberSet:
			return &types.AttributeValueMemberNS{Value: once}
		default:
			return &types.AttributeValueMemberSS{Value: once}
		}
	}}
}

// drawnObject returns a change of an object, whose whole value is given: what is left out is removed.
func drawnObject(r *rand.Rand, fields []field, was value) change {
	m, _ := was.(*types.AttributeValueMemberM)
	var literals []string
	changes := map[string]change{}
	for _, f := range fields {
		if !f.required && r.IntN(3) == 0 {
			continue
		}
		var old value
		if m != nil {
			old = m.Value[f.attribute()]
		}
		c := f.drawn(r, old)
		literals, changes[f.name] = append(literals, f.name+": "+c.literal), c
	}
	return change{"{" + strings.Join(literals, ", ") + "}", func(was value) value {
		return applied(fields, changes, was, true)
	}}
}

// applied returns an object with the changes of fields. With whole, fields without a change are removed.
func applied(fields []field, changes map[string]change, was value, whole bool) value {
	out := attributes{}
	if m, is := was.(*types.AttributeValueMemberM); is {
		for name, v := range m.Value {
			out[name] = v
		}
	}
	for _, f := range fields {
		old := out[f.attribute()]
		c, changed := changes[f.name]
		_, isNull := old.(*types.AttributeValueMemberNULL)
		if changed {
			old = c.apply(old)
		} else if whole && !isNull {
			old = nil
		}
		if old == nil {
			delete(out, f.attribute())
		} else {
			out[f.attribute()] = old
		}
	}
	return &types.AttributeValueMemberM{Value: out}
}

// drawnObjects returns a change of a list of objects: one is changed, removed or added, two change places, or all are
// new.
func drawnObjects(r *rand.Rand, fields []field, was value) change {
	l, _ := was.(*types.AttributeValueMemberL)
	if l == nil || len(l.Value) == 0 || r.IntN(8) == 0 {
		var literals []string
		var made []change
		for range r.IntN(4) {
			c := unique(r, fields, 1000+r.IntN(1e6))
			literals, made = append(literals, c.literal), append(made, c)
		}
		return change{"[" + strings.Join(literals, ", ") + "]", func(was value) value {
			l, _ := was.(*types.AttributeValueMemberL)
			out := make([]value, len(made))
			for i, c := range made {
				var old value
				if l != nil && len(l.Value) == len(made) {
					old = l.Value[i]
				}
				out[i] = c.apply(old)
			}
			return &types.AttributeValueMemberL{Value: out}
		}}
	}
	literals := make([]string, len(l.Value))
	for i, v := range l.Value {
		literals[i] = literalOf(fields, v)
	}
	var edit func([]value) []value
	i, j, made := r.IntN(len(literals)), r.IntN(len(literals)), unique(r, fields, 100+r.IntN(100))
	switch r.IntN(4) {
	case 0:
		literals[i] = made.literal
		edit = func(l []value) []value { l[i] = made.apply(l[i]); return l }
	case 1:
		literals = slices.Delete(literals, i, i+1)
		edit = func(l []value) []value { return slices.Delete(l, i, i+1) }
	case 2:
		literals = slices.Insert(literals, i, made.literal)
		edit = func(l []value) []value { return slices.Insert(l, i, made.apply(nil)) }
	default:
		literals[i], literals[j] = literals[j], literals[i]
		edit = func(l []value) []value { l[i], l[j] = l[j], l[i]; return l }
	}
	return change{"[" + strings.Join(literals, ", ") + "]", func(was value) value {
		return &types.AttributeValueMemberL{Value: edit(slices.Clone(was.(*types.AttributeValueMemberL).Value))}
	}}
}

// unique returns a change to an object that differs from others with another number.
func unique(r *rand.Rand, fields []field, number int) change {
	first, rest := fields[0], fields[1:]
	c := drawnObject(r, rest, nil)
	id := to(strconv.Quote(fmt.Sprint("u", number)), s(fmt.Sprint("u", number)))
	if first.kind == integer {
		id = to(strconv.Itoa(number), n(strconv.Itoa(number)))
	}
	literal := "{" + first.name + ": " + id.literal
	if c.literal != "{}" {
		literal += ", " + c.literal[1:len(c.literal)-1]
	}
	return change{literal + "}", func(was value) value {
		m := c.apply(was).(*types.AttributeValueMemberM)
		m.Value[first.attribute()] = id.apply(nil)
		return m
	}}
}

// literalOf returns a stored object as a caller sends it who has read it.
func literalOf(fields []field, v value) string {
	m := v.(*types.AttributeValueMemberM).Value
	var parts []string
	for _, f := range fields {
		var text string
		switch v := m[f.attribute()].(type) {
		case *types.AttributeValueMemberS:
			if text = strconv.Quote(v.Value); f.kind == digits {
				text = strings.TrimLeft(v.Value, "0")
			}
		case *types.AttributeValueMemberN:
			text = strconv.FormatFloat(number(v.Value), 'g', -1, 64)
		case *types.AttributeValueMemberM:
			text = literalOf(f.of, v)
		case *types.AttributeValueMemberSS:
			text = quoted(v.Value)
		case *types.AttributeValueMemberL:
			var all []string
			for _, e := range v.Value {
				all = append(all, e.(*types.AttributeValueMemberS).Value)
			}
			text = quoted(all)
		default:
			continue
		}
		parts = append(parts, f.name+": "+text)
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

func quoted(all []string) string {
	literals := make([]string, len(all))
	for i, v := range all {
		literals[i] = strconv.Quote(v)
	}
	return "[" + strings.Join(literals, ", ") + "]"
}
