package reading

import (
	"math"
	"strconv"
	"time"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
)

// DefaultOf returns the value of a @default as an attribute of a type and a format has it. ok is false if it is no
// value of the type.
func (r *Source) DefaultOf(t *ast.Type, as keys.Format, v *ast.Value) (_ item.Value, ok bool) {
	if t.Elem == nil {
		return r.scalarDefault(t, v)
	}
	if v.Kind != ast.ListValue {
		return item.Value{}, false
	}
	elements := make([]item.Value, len(v.Children))
	for i, child := range v.Children {
		if elements[i], ok = r.DefaultOf(t.Elem, keys.Plain, child.Value); !ok {
			return item.Value{}, false
		}
	}
	if as == keys.Set {
		return item.SetValue(elements), true
	}
	return item.ListValue(elements), true
}

func (r *Source) scalarDefault(t *ast.Type, v *ast.Value) (_ item.Value, ok bool) {
	isText := v.Kind == ast.StringValue || v.Kind == ast.BlockValue
	switch r.Kind(t) {
	case keys.Boolean:
		return item.BoolValue(v.Raw == "true"), v.Kind == ast.BooleanValue
	case keys.Int, keys.Int64:
		n, err := keys.ParseInt64(v.Raw)
		isShort := n >= math.MinInt32 && n <= math.MaxInt32
		return item.IntValue(n), err == nil && v.Kind == ast.IntValue && (isShort || t.Name() == "Int64")
	case keys.Float:
		n, err := strconv.ParseFloat(v.Raw, 64)
		return item.FloatValue(n), err == nil && (v.Kind == ast.IntValue || v.Kind == ast.FloatValue)
	case keys.Enum:
		isValue := v.Kind == ast.EnumValue && r.Schema.Types[t.Name()].EnumValues.ForName(v.Raw) != nil
		return item.StringValue(v.Raw), isValue
	case keys.Time:
		at, err := keys.ParseTime(v.Raw)
		return item.TimeValue(at), err == nil && isText
	case keys.Date:
		_, err := time.Parse(time.DateOnly, v.Raw)
		return item.StringValue(v.Raw), err == nil && isText
	case keys.String, keys.IDKind:
		return item.StringValue(v.Raw), isText
	}
	if def := r.Schema.Types[t.Name()]; def == nil || def.Kind != ast.Scalar {
		return item.Value{}, false
	}
	switch v.Kind { // a scalar whose values Go code reads
	case ast.IntValue, ast.FloatValue:
		return item.Value{Kind: item.Number, Text: v.Raw}, true
	case ast.BooleanValue:
		return item.BoolValue(v.Raw == "true"), true
	default:
		return item.StringValue(v.Raw), isText
	}
}
