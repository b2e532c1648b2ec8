package randomtable

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// kind is how the values of a field are declared and stored.
type kind struct {
	// gql is the GraphQL type without "!", as the format of @stored.
	gql, as string
	// width is that of the padding in keys; 0 for none.
	width int
	// number is set if the attribute is a Number.
	number bool
}

// variable returns the format of a variable in a template: ":04" or "".
func (k kind) variable() string {
	if k.width == 0 {
		return ""
	}
	return fmt.Sprintf(":0%d", k.width)
}

// keyKinds are the kinds of fields that can be in keys, the simplest first.
var keyKinds = []kind{
	{gql: "String"},
	{gql: "Int", width: 4, number: true},
	{gql: "Time"},
	{gql: "Mode"},
	{gql: "Date"},
	{gql: "Boolean"},
	{gql: "Int", width: 10, number: true},
	{gql: "Int64", width: 19, number: true},
	{gql: "Int", as: "NUMBER_TEXT", width: 5},
	{gql: "Int64", as: "NUMBER_TEXT", width: 12},
	{gql: "Time", as: "SECONDS"},
	{gql: "Time", as: "SECONDS_NO_ZONE"},
	{gql: "Time", as: "DATE"},
	{gql: "Time", as: "EPOCH_SECONDS", width: 10, number: true},
	{gql: "Time", as: "EPOCH_SECONDS", width: 12, number: true},
	{gql: "Time", as: "EPOCH_MILLIS", width: 13, number: true},
	{gql: "Time", as: "EPOCH_MILLIS", width: 15, number: true},
	{gql: "Time", as: "EPOCH_SECONDS_TEXT", width: 10},
	{gql: "Date", as: "EPOCH_SECONDS", width: 10, number: true},
	{gql: "Date", as: "EPOCH_MILLIS", width: 13, number: true},
}

// otherKinds are the kinds of fields that are in no key.
var otherKinds = []kind{
	{gql: "String"},
	{gql: "Float", number: true},
	{gql: "[String!]"},
	{gql: "[String!]", as: "SET"},
	{gql: "[Int!]", as: "SET"},
	{gql: "Boolean"},
	{gql: "Int", number: true},
	{gql: "Int64", number: true},
	{gql: "Int64", as: "NUMBER_TEXT"},
	{gql: "Time", as: "EPOCH_SECONDS", number: true},
	{gql: "Time", as: "EPOCH_MILLIS", number: true},
	{gql: "Time", as: "SECONDS"},
	{gql: "Time", as: "SECONDS_NO_ZONE"},
	{gql: "Date", as: "EPOCH_SECONDS_TEXT"},
	{gql: "Date"},
}

// value is a value of a field in all its forms.
type value struct {
	// key is the text in a key, id that in a global ID.
	key, id string
	// stored is the attribute in DynamoDB JSON.
	stored map[string]any
	// json is the value in an answer, literal that in a document.
	json    any
	literal string
	// rank is what values of the kind are ordered by: an int64, a float64 or a string.
	rank any
	at   time.Time
}

func (v *value) compare(other *value) int {
	switch n := v.rank.(type) {
	case int64:
		return cmp.Compare(n, other.rank.(int64))
	case float64:
		return cmp.Compare(n, other.rank.(float64))
	}
	return strings.Compare(v.rank.(string), other.rank.(string))
}

func stringAttribute(s string) map[string]any { return map[string]any{"S": s} }
func numberAttribute(s string) map[string]any { return map[string]any{"N": s} }

var texts = []string{
	"a", "b", "ab", "aB", "AB", "Ab", "1", "10", "2", "é", "É", "日本", "z z", "a.b", "a-b", "~", "!", "_", "+",
	"😀",
	"x:y", "x/y", "x|y", "us", "US", "Us", "U", "usa", "ﬀ", " a", "0", "00", "-1", "true", "null", `q"q`, `b\s`,
	"{a}",
	"ß", "ΑΣ", "İ",
}

// special are the texts that have other lower and upper cases than those of each letter, as ECMAScript has them.
var special = map[string]map[string]string{
	"ﬀ": {"upper": "FF"}, "ß": {"upper": "SS"}, "ΑΣ": {"lower": "ας"}, "İ": {"lower": "i\u0307"},
}

// inCase returns a text in lower or upper case, or as it is.
func inCase(text, name string) string {
	if other, ok := special[text][name]; ok {
		return other
	}
	switch name {
	case "lower":
		return strings.ToLower(text)
	case "upper":
		return strings.ToUpper(text)
	}
	return text
}

var freeTexts = []string{"", "x", "#", "A#1", "|", "::", " ", "line\nline", "\u2028", "<b>",
	strings.Repeat("long ", 300),
}

// numbers are the values of keys that are Numbers. No Float holds the last two.
var numbers = []string{
	"0", "7", "-3", "2.5", "101", "-0.25", "10", "2", "1000.125", "-250", "9007199254740993",
	"12345678901234567890123456789012345678",
}

// modes are the values of the enum.
var modes = []string{"A", "AB", "OPEN", "OPENED", "Open", "open", "B_1"}

var ints = []int64{
	0, 1, 2, 9, 10, 11, 99, 100, 1000, 9999, 10000, 99999, 2147483647, 999999999999,
	9007199254740993, 9223372036854775807,
}

var negatives = []int64{-1, -10, -2147483648}

var instants = times("1970-01-01T00:00:00Z", "2024-02-29T23:59:59.999Z", "2024-03-01T00:00:00Z",
	"2024-03-01T00:00:00.001Z", "2024-03-01T00:00:01Z", "2024-03-15T12:30:00.5Z", "2024-03-31T23:00:00Z",
	"2024-04-01T00:00:00Z", "2024-05-02T00:00:00Z", "2024-05-02T01:00:00Z", "2025-01-01T00:00:00Z",
	"1969-12-31T23:59:59.999Z", "1960-06-01T00:00:00Z", "1970-01-01T00:00:01Z", "2001-09-09T01:46:39Z",
	"2001-09-09T01:46:40Z", "2038-01-19T03:14:07Z", "2038-01-19T03:14:08Z", "2286-11-20T17:46:39Z",
	"2286-11-20T17:46:40Z", "9999-12-01T00:00:00Z", "9999-12-31T23:59:59.999Z")

// near are the instants in one year, for buckets.
var near = instants[1:10]

func times(all ...string) []time.Time {
	var parsed []time.Time
	for _, text := range all {
		at, err := time.Parse(time.RFC3339, text)
		if err != nil {
			panic(err)
		}
		parsed = append(parsed, at)
	}
	return parsed
}

// values returns the values of a kind that a key of a table with the delimiter can have.
func (k kind) values(delimiter string) []*value {
	var all []*value
	add := func(v *value) {
		if v != nil && !slices.ContainsFunc(all, func(other *value) bool { return other.key == v.key }) {
			all = append(all, v)
		}
	}
	switch k.gql {
	case "String", "ID":
		if k.as == "NUMBER" {
			for _, digits := range numbers {
				v := k.text(digits)
				v.stored = numberAttribute(digits)
				add(v)
			}
			break
		}
		for _, text := range texts {
			if !strings.Contains(text, delimiter) {
				add(k.text(text))
			}
		}
	case "Mode":
		for _, name := range modes {
			v := k.text(name)
			v.literal = name
			add(v)
		}
	case "Boolean":
		for _, b := range []bool{false, true} {
			text := strconv.FormatBool(b)
			add(&value{key: text, id: text, stored: map[string]any{"BOOL": b}, json: b, literal: text, rank: text})
		}
	case "Float":
		for _, digits := range numbers[:len(numbers)-2] {
			f, _ := strconv.ParseFloat(digits, 64)
			add(&value{key: digits, id: digits, stored: numberAttribute(digits), json: f, literal: digits, rank: f})
		}
	case "Int", "Int64":
		if k.width == 0 {
			for _, n := range negatives {
				add(k.number_(n))
			}
		}
		for _, n := range ints {
			add(k.number_(n))
		}
	case "Time", "Date":
		for _, at := range instants {
			add(k.time(at))
		}
	}
	return all
}

// freeValues returns the values of a kind that is in no key.
func (k kind) freeValues() []*value {
	var all []*value
	k.width = 0
	switch k.gql {
	case "String":
		if k.as == "NUMBER" {
			return k.values("#")
		}
		for _, text := range append(slices.Clone(texts), freeTexts...) {
			all = append(all, k.text(text))
		}
	case "Float":
		for _, text := range []string{"0", "1.5", "-0.25", "2500.5"} {
			f, _ := strconv.ParseFloat(text, 64)
			all = append(all, &value{stored: numberAttribute(text), json: f, literal: text})
		}
	case "[Int!]":
		for _, list := range [][]int64{{}, {10, 9}, {2, -1, 2, 100}} {
			all = append(all, setOf("NS", list, func(n int64) string { return strconv.FormatInt(n, 10) }))
		}
	case "[String!]":
		if k.as == "SET" {
			for _, list := range [][]string{{}, {"b"}, {"b", "a", "b", "B"}, {"é", "", "z", "😀"}} {
				all = append(all, setOf("SS", list, literal))
			}
			break
		}
		for _, list := range [][]string{{}, {"a"}, {"a", "b", "a"}} {
			stored, json, literal := []any{}, []any{}, []string{}
			for _, text := range list {
				stored, json = append(stored, stringAttribute(text)), append(json, text)
				literal = append(literal, strconv.Quote(text))
			}
			all = append(all, &value{
				stored: map[string]any{"L": stored}, json: json, literal: "[" + strings.Join(literal, ", ") + "]",
			})
		}
	case "Int", "Int64":
		for _, n := range append(slices.Clone(negatives), ints...) {
			if v := k.number_(n); v != nil {
				all = append(all, v)
			}
		}
	case "Time", "Date":
		for _, at := range instants {
			all = append(all, k.time(at))
		}
	default:
		all = k.values("#")
	}
	return all
}

// setOf returns a set of a kind, whose elements are read in their order. An empty one has no attribute.
func setOf[T cmp.Ordered](kind string, list []T, literal func(T) string) *value {
	v := &value{}
	literals := []string{}
	for _, element := range list {
		literals = append(literals, literal(element))
	}
	v.literal = "[" + strings.Join(literals, ", ") + "]"
	sorted := slices.Compact(slices.Sorted(slices.Values(list)))
	v.json = sorted
	if len(sorted) > 0 {
		texts := []string{}
		for _, element := range sorted {
			texts = append(texts, fmt.Sprint(element))
		}
		slices.Sort(texts)
		v.stored = map[string]any{kind: texts}
	} else {
		v.json = []T{}
	}
	return v
}

func (k kind) text(text string) *value {
	return &value{
		key: text, id: text, stored: stringAttribute(text), json: text, literal: literal(text), rank: text,
	}
}

// number_ returns a number, nil if it is not one of the kind.
func (k kind) number_(n int64) *value {
	digits := strconv.FormatInt(n, 10)
	if k.gql == "Int" && (n > 2147483647 || n < -2147483648) || k.width > 0 && (n < 0 || len(digits) > k.width) {
		return nil
	}
	v := &value{
		key: pad(digits, k.width), id: digits, stored: numberAttribute(digits), json: n, literal: digits, rank: n,
	}
	if k.gql == "Int64" {
		v.json, v.literal = digits, strconv.Quote(digits)
	}
	if k.as == "NUMBER_TEXT" {
		v.stored = stringAttribute(digits)
	}
	return v
}

const (
	millis = "2006-01-02T15:04:05.000Z"
	hour   = "2006-01-02T15"
)

// time returns a time that is cut to what the kind holds, nil if a key cannot have it.
func (k kind) time(at time.Time) *value {
	switch {
	case k.gql == "Date" || k.as == "DATE":
		at = at.UTC().Truncate(24 * time.Hour)
	case k.as == "SECONDS" || k.as == "SECONDS_NO_ZONE" || k.as == "EPOCH_SECONDS" || k.as == "EPOCH_SECONDS_TEXT":
		at = at.Truncate(time.Second)
	}
	v := &value{at: at, rank: at.UnixMilli(), id: at.Format(millis), json: at.Format(time.RFC3339Nano)}
	if k.gql == "Date" {
		v.id, v.json = at.Format(time.DateOnly), at.Format(time.DateOnly)
	}
	v.literal = strconv.Quote(v.json.(string))
	n := at.UnixMilli()
	switch k.as {
	case "":
		v.key = v.id
	case "SECONDS":
		v.key = at.Format("2006-01-02T15:04:05Z")
	case "SECONDS_NO_ZONE":
		v.key = at.Format("2006-01-02T15:04:05")
	case "DATE":
		v.key = at.Format(time.DateOnly)
	case "EPOCH_SECONDS", "EPOCH_SECONDS_TEXT":
		n = at.Unix()
		fallthrough
	case "EPOCH_MILLIS":
		digits := strconv.FormatInt(n, 10)
		if k.width > 0 && (n < 0 || len(digits) > k.width) {
			return nil
		}
		v.key, v.stored = pad(digits, k.width), numberAttribute(digits)
		if k.as == "EPOCH_SECONDS_TEXT" {
			v.stored = stringAttribute(digits)
		}
		return v
	}
	v.stored = stringAttribute(v.key)
	return v
}

func pad(digits string, width int) string {
	return strings.Repeat("0", max(0, width-len(digits))) + digits
}

// literal returns a text as it is in a document.
func literal(text string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range text {
		switch {
		case r == '"' || r == '\\':
			b.WriteString(`\` + string(r))
		case r < ' ':
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String() + `"`
}
