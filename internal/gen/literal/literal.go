// Package literal writes parts of a design as Go expressions.
package literal

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/partita/partita/item"
)

// maxInline is the longest literal that stays on one line.
const maxInline = 100

// Of returns the Go expression of a part of a design: exported fields that are not zero, and
// all constants.
func Of(v reflect.Value) string {
	if value, is := v.Interface().(item.Value); is {
		return valueOf(value)
	}
	if g, ok := v.Interface().(fmt.GoStringer); ok {
		return g.GoString()
	}
	switch v.Kind() {
	case reflect.String:
		return strconv.Quote(v.String())
	case reflect.Int, reflect.Int64:
		return strconv.FormatInt(v.Int(), 10)
	case reflect.Bool:
		return strconv.FormatBool(v.Bool())
	case reflect.Pointer:
		return "&" + Of(v.Elem())
	case reflect.Slice:
		if v.IsNil() {
			return "nil"
		}
		return braced(v.Type().String(), elements(v))
	case reflect.Struct:
		return braced(v.Type().String(), fields(v))
	default:
		panic("literal: bug: a design holds a " + v.Type().String())
	}
}

// valueOf returns the expression of a scalar, or of a list.
func valueOf(v item.Value) string {
	switch v.Kind {
	case item.List:
		list := make([]string, len(v.Elements()))
		for i, e := range v.Elements() {
			list[i] = valueOf(e)
		}
		constructor := "item.ListValue("
		if v.IsSet() {
			constructor = "item.SetValue("
		}
		return constructor + braced("[]item.Value", list) + ")"
	case item.String:
		return fmt.Sprintf("item.StringValue(%q)", v.Text)
	case item.Bool:
		return "item.BoolValue(" + v.Text + ")"
	default:
		return fmt.Sprintf("item.Value{Kind: item.Number, Text: %q}", v.Text)
	}
}

func elements(v reflect.Value) []string {
	list := make([]string, v.Len())
	for i := range list {
		text := Of(v.Index(i))
		// The type is part of the slice's.
		text = strings.TrimPrefix(text, "&")
		list[i] = strings.TrimPrefix(text, strings.TrimPrefix(v.Type().Elem().String(), "*"))
	}
	return list
}

func fields(v reflect.Value) []string {
	var list []string
	for i := range v.NumField() {
		f := v.Type().Field(i)
		constant := f.Type.Kind() == reflect.Uint8
		if f.IsExported() && (constant || !v.Field(i).IsZero()) {
			list = append(list, f.Name+": "+Of(v.Field(i)))
		}
	}
	return list
}

func braced(typ string, parts []string) string {
	inline := typ + "{" + strings.Join(parts, ", ") + "}"
	if len(inline) <= maxInline && !strings.Contains(inline, "\n") {
		return inline
	}
	return typ + "{\n" + strings.Join(parts, ",\n") + ",\n}"
}
