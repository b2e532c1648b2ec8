package keys

import (
	"strconv"
	"strings"
	"time"

	"github.com/partita/partita/item"
)

// Value is the value of one key variable as text: an integer's digits without padding, a time in
// item.TimeLayout, an enum's name, an ID's raw value. The zero Value is unset.
type Value struct {
	text string
	set  bool
	// stored is set for a value that may contain the delimiter, because an item has it.
	stored bool
	// contested is set for the value of an attribute that the key of its item contradicts: it names no owner.
	contested bool
	// idType is the type of the global ID that the value is from.
	idType string
	// below is the text of the preceding millisecond if the value was rounded up.
	below string
	// bounds is set for a range argument.
	bounds *bounds
	err    error
}

// bounds are the inclusive ends of a range, of which an unset one is open, or what the texts of a range begin with.
type bounds struct{ from, to, prefix Value }

// IsSet reports whether there is a value (or a range).
func (v Value) IsSet() bool { return v.set || v.err != nil }

// Err returns the mistake in the value, or nil.
func (v Value) Err() error { return v.err }

// Text returns the text of the value, "" for a range.
func (v Value) Text() string { return v.text }

// Single returns the text of the value. It reports whether there is one: neither a range nor a mistake.
func (v Value) Single() (text string, ok bool) {
	return v.text, v.set && v.err == nil && v.bounds == nil
}

// Prefix returns what the texts of a range begin with. It reports whether the value is such a range.
func (v Value) Prefix() (prefix Value, ok bool) {
	if v.bounds == nil {
		return Value{}, false
	}
	return v.bounds.prefix, v.bounds.prefix.set
}

// Range returns the inclusive ends of a range; an unset end is open. It reports whether the value is a range with ends.
func (v Value) Range() (from, to Value, ok bool) {
	if v.bounds == nil || v.bounds.prefix.set {
		return Value{}, Value{}, false
	}
	return v.bounds.from, v.bounds.to, true
}

// IDType returns the type of the global ID that the value is from, or "".
func (v Value) IDType() string { return v.idType }

// IsContested reports whether the value is that of an attribute that the key of its item contradicts: it names no
// owner.
func (v Value) IsContested() bool { return v.contested }

// Stored returns the value as one of an item, which may contain the delimiter.
func (v Value) Stored() Value {
	v.stored = true
	return v
}

// StringValue returns the Value of a String.
func StringValue(s string) Value { return Value{text: s, set: true} }

// IntValue returns the Value of an Int or an Int64.
func IntValue[N ~int | ~int32 | ~int64](n N) Value {
	return Value{text: strconv.FormatInt(int64(n), 10), set: true}
}

// FloatValue returns the Value of a Float. It has an InputError for a number that DynamoDB cannot store.
func FloatValue(f float64) Value {
	text, ok := decimal(strconv.FormatFloat(f, 'f', -1, 64))
	if !ok {
		return Value{err: InputErrorf("", "this must be 0, or a number from 1E%d to 9.9E+%d, positive or negative",
			item.MinExponent, item.MaxExponent)}
	}
	return Value{text: text, set: true}
}

// BooleanValue returns the Value of a Boolean.
func BooleanValue(b bool) Value { return Value{text: strconv.FormatBool(b), set: true} }

// EnumValue returns the Value of an enum: its name.
func EnumValue[E ~string](e E) Value { return Value{text: string(e), set: true} }

// DateValue returns the Value of a Date.
func DateValue(d CalendarDate) Value { return Value{text: string(d), set: true} }

// IDValue returns the Value of a global ID with one key value. The type of the ID is checked where
// the value is used.
func IDValue(id ID) Value {
	raw, ok := id.Single()
	if !ok {
		err := InputErrorf("", "this id names an object by more than one key value; pass the id of another type")
		return Value{idType: id.Type(), err: err}
	}
	return Value{text: raw, set: true, idType: id.Type()}
}

// TimeValue returns the Value of a time, cut to the millisecond. The Value has an InputError for
// years outside of 0 to 9999, because their text has another width.
func TimeValue(t time.Time) Value {
	t = t.UTC()
	if err := checkYear(t); err != nil {
		return Value{err: err}
	}
	return Value{text: t.Format(item.TimeLayout), set: true}
}

// checkYear returns an InputError for a time whose year in UTC has other than four digits.
func checkYear(t time.Time) error {
	if year := t.UTC().Year(); year < 0 || year > 9999 {
		return InputErrorf("", "a time must lie in the years 0000 to 9999")
	}
	return nil
}

// EarliestTime is TimeValue for the inclusive lower end of a range: it rounds up to the
// millisecond, so that nothing before t is in the range.
func EarliestTime(t time.Time) Value {
	cut := t.Truncate(time.Millisecond)
	if !cut.Before(t) {
		return TimeValue(t)
	}
	v := TimeValue(cut.Add(time.Millisecond))
	v.below = TimeValue(cut).text
	return v
}

// Optional returns the Value of a nullable variable. It is unset for nil.
func Optional[T any](p *T, value func(T) Value) Value {
	if p == nil {
		return Value{}
	}
	return value(*p)
}

// RangeValue returns the Value of a range argument with inclusive ends; an unset end is open.
func RangeValue(from, to Value) Value {
	for _, end := range [...]Value{from, to} {
		if end.err != nil {
			return Value{err: end.err}
		}
	}
	if !from.set && !to.set {
		return Value{}
	}
	return Value{set: true, bounds: &bounds{from: from, to: to}}
}

// AttributeValue returns the Value of a stored attribute: unset when the item lacks it.
func AttributeValue(it item.Item, name string) Value {
	v, ok := it.Get(name)
	if !ok || (v.Kind != item.String && v.Kind != item.Number && v.Kind != item.Bool) {
		return Value{}
	}
	if v.Kind == item.Number && !isInteger(v.Text) {
		// DynamoDB may have written a whole number with an exponent.
		if n, err := item.AsInt64(v); err == nil {
			v.Text = strconv.FormatInt(n, 10)
		} else if text, ok := decimal(v.Text); ok {
			v.Text = text
		}
	}
	return Value{text: v.Text, set: true, contested: it.IsContested(name)}
}

// isInteger reports whether a whole number is written without anything that it does not need.
func isInteger(text string) bool {
	digits := strings.TrimPrefix(text, "-")
	return digits != "" && strings.Trim(digits, "0123456789") == "" && (digits[0] != '0' || text == "0")
}

// PrefixValue returns the Value of a range of the texts that begin with a prefix. It is unset for a prefix that is.
func PrefixValue(prefix Value) Value {
	if prefix.err != nil || !prefix.set {
		return prefix
	}
	return Value{set: true, bounds: &bounds{prefix: prefix}}
}

// ParseTime reads a time in RFC 3339. The error is an InputError for anything else, and for a time that has no year
// from 0 to 9999 in UTC.
func ParseTime(text string) (time.Time, error) {
	t, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return time.Time{}, InputErrorf("", "a time must be written as in RFC 3339, such as 2026-01-31T09:30:00.000Z")
	}
	if err := checkYear(t); err != nil {
		return time.Time{}, err
	}
	return t, nil
}

// Values are the named values of a Condition or of a Key.
type Values []NamedValue

// NamedValue is the Value of one variable.
type NamedValue struct {
	Name  string
	Value Value
}

// Get returns the value of that name, unset when there is none.
func (vs Values) Get(name string) Value {
	for i := range vs {
		if vs[i].Name == name {
			return vs[i].Value
		}
	}
	return Value{}
}

// PartValue returns the Value of the i-th key value of a global ID that has several.
func PartValue(id ID, i int) Value {
	values := id.Values()
	if i >= len(values) {
		return Value{err: InputErrorf("", "this id names an object by fewer key values; pass the id of another type")}
	}
	return StringValue(values[i])
}

// ViewerVariable is the variable of a read's templates that is the id of the viewer.
const ViewerVariable = "viewer"

// ViewerValue returns the Value of ViewerVariable. It is unset for an anonymous viewer, so that
// nothing is read.
func ViewerValue(id string) Value {
	if id == "" {
		return Value{}
	}
	return StringValue(id)
}
