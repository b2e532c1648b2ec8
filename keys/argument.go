package keys

import (
	"encoding/json"
	"errors"
	"math"
	"strconv"
	"time"
)

// Argument is a GraphQL argument that is a variable of the field's condition, or a filter.
type Argument struct {
	Name string
	Kind Kind
	// Ref is the type of the objects that an ID must name, or "" for an opaque text.
	Ref string
	// Range is set for an input object with from and to, or with Prefix for one with a prefix.
	Range  bool
	Prefix bool
	// Parts is the number of key values of an ID of several; 0 for others.
	Parts int
	// Filter is set if the argument selects among the items that the condition has read, by their attribute of this name.
	Filter bool
}

// ArgumentValue returns the Value of a GraphQL argument from the Go value that gqlparser returns:
// string, int64, float64, json.Number, bool, map[string]any or nil. For every valid input it is
// that of the typed functions above.
func ArgumentValue(arg Argument, raw any) Value {
	if arg.Range {
		ends, ok := raw.(map[string]any)
		if !ok {
			return Value{}
		}
		if arg.Prefix {
			return PrefixValue(scalarValue(arg.Kind, ends["prefix"]))
		}
		from := scalarValue(arg.Kind, ends["from"])
		if t, ok := ends["from"].(string); ok && arg.Kind == Time {
			from = parseTime(t, EarliestTime)
		}
		return RangeValue(from, scalarValue(arg.Kind, ends["to"]))
	}
	if text, ok := raw.(string); ok && arg.Parts > 0 {
		id, err := coerceID(text)
		if err != nil {
			return Value{err: err}
		}
		return partsValue(id, arg.Parts)
	}
	return scalarValue(arg.Kind, raw)
}

func scalarValue(kind Kind, raw any) Value {
	if kind == Int64 && raw != nil {
		return int64Value(raw)
	}
	if kind == Float && raw != nil {
		return floatValue(raw)
	}
	switch raw := raw.(type) {
	case nil:
		return Value{}
	case string:
		switch kind {
		case IDKind:
			id, err := coerceID(raw)
			if err != nil {
				return Value{err: err}
			}
			return IDValue(id)
		case Time:
			return parseTime(raw, TimeValue)
		case Date:
			var d CalendarDate
			if err := d.UnmarshalGQL(raw); err != nil {
				return Value{err: err}
			}
			return DateValue(d)
		case Int:
			// gqlparser allows a variable to be a number in quotes, and gqlgen reads it.
			if n, err := strconv.ParseInt(raw, 10, 64); err == nil {
				return IntValue(n)
			}
		default:
			return StringValue(raw)
		}
	case bool:
		return BooleanValue(raw)
	case int64:
		return numberValue(kind, raw)
	case int:
		return numberValue(kind, int64(raw))
	case float64:
		if raw == math.Trunc(raw) && math.Abs(raw) < 1<<53 {
			return numberValue(kind, int64(raw))
		}
	case json.Number:
		if n, err := raw.Int64(); err == nil {
			return numberValue(kind, n)
		}
	}
	return Value{err: InputErrorf("", "this must be of type %s", kind)}
}

func int64Value(raw any) Value {
	n, err := ParseInt64(raw)
	if err != nil {
		return Value{err: err}
	}
	return IntValue(n)
}

// floatValue returns the Value of a Float, which a variable may have in quotes, as gqlgen reads it.
func floatValue(raw any) Value {
	switch raw := raw.(type) {
	case float64:
		return FloatValue(raw)
	case int64:
		return FloatValue(float64(raw))
	case int:
		return FloatValue(float64(raw))
	case json.Number:
		return floatValue(raw.String())
	case string:
		// Beyond the numbers of a Float, f is an infinity, which FloatValue rejects.
		if f, err := strconv.ParseFloat(raw, 64); err == nil || errors.Is(err, strconv.ErrRange) {
			return FloatValue(f)
		}
	}
	return Value{err: InputErrorf("", "this must be of type %s", Float)}
}

func numberValue(kind Kind, n int64) Value {
	if kind == IDKind {
		return IDValue(untypedID(strconv.FormatInt(n, 10)))
	}
	return IntValue(n)
}

func parseTime(text string, value func(time.Time) Value) Value {
	t, err := ParseTime(text)
	if err != nil {
		return Value{err: err}
	}
	return value(t)
}

// partsValue returns the Value of a global ID with several key values: its text.
func partsValue(id ID, parts int) Value {
	if id.Type() != "" && len(id.Values()) != parts {
		return Value{idType: id.Type(), err: InputErrorf("", "this id has other key values than its type")}
	}
	return Value{text: string(id), set: true, idType: id.Type()}
}
