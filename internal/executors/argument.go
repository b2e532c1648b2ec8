package executors

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
)

// enumValue is the name of an enum's value, which a document has without quotes.
type enumValue string

// arguments returns the arguments of a field in parentheses, or "".
func (b *builder) arguments(f *selected) string {
	var given []string
	if f.definition.Arguments.ForName("first") != nil {
		given = b.paging(f)
	}
	for _, a := range f.definition.Arguments {
		switch {
		case isPaging(a.Name):
		case !a.Type.NonNull && b.chance(50):
		default:
			v := b.value(a.Type, place{f.parents[0].Name, f.definition, a.Name})
			given = append(given, a.Name+": "+b.argument(a.Type, v))
		}
	}
	if len(given) == 0 {
		return ""
	}
	return "(" + strings.Join(given, ", ") + ")"
}

func isPaging(argument string) bool {
	return slices.Contains([]string{"first", "last", "after", "before"}, argument)
}

var (
	integer = ast.NamedType("Int", nil)
	text    = ast.NamedType("String", nil)
)

// paging returns arguments that select a page.
func (b *builder) paging(f *selected) []string {
	if !b.Valid && b.chance(12) {
		return b.wrongPaging()
	}
	count, cursor, end := "first", "after", "endCursor"
	if b.chance(40) {
		count, cursor, end = "last", "before", "startCursor"
	}
	var given []string
	if !b.chance(8) {
		given = append(given, count+": "+b.argument(integer, pick(b, []int{2, 1, 3, 0, 5, 10, 25, 100})))
	}
	if b.chance(40) {
		variable, key := b.name("v"), b.name("c")
		b.declared = append(b.declared, "$"+variable+": String")
		b.pages = append(b.pages, page{variable, key})
		given = append(given, cursor+": $"+variable)
		f.paged = fmt.Sprintf("%s: pageInfo { %s: %s }", b.name("p"), key, end)
	}
	return given
}

// wrongPaging returns arguments of paging that are often wrong.
func (b *builder) wrongPaging() []string {
	var given []string
	for _, name := range []string{"first", "last"} {
		if b.chance(50) {
			given = append(given, name+": "+b.argument(integer, pick[any](b, []any{1, -1, 101, 100, 2147483647, nil})))
		}
	}
	for _, name := range []string{"after", "before"} {
		if b.chance(30) {
			given = append(given, name+": "+b.argument(text, pick[any](b, []any{"", "none", "AQAAAAAAAA", nil})))
		}
	}
	return given
}

// argument returns a literal, or a variable with the value.
func (b *builder) argument(typ *ast.Type, v any) string {
	if list, is := v.([]any); is && len(list) == 1 && !isList(list[0]) && b.chance(30) {
		v = list[0] // a list may be given as its only value
	}
	if !b.chance(40) {
		return b.literal(typ, v)
	}
	variable, declared := b.name("v"), *typ
	declaration := ""
	switch chance := b.IntN(100); {
	case chance < 60 || b.Valid:
		b.variables[variable] = v
	case chance < 75: // the default is used
		declaration = " = " + constant(v)
		declared.NonNull = b.chance(50) && v != nil
	case chance < 85: // the default is not used
		declaration = " = " + constant(v)
		declared.NonNull = b.chance(50) && v != nil
		b.variables[variable] = v
	case chance < 92 && !typ.NonNull:
		b.variables[variable] = nil
	case typ.NonNull:
		b.variables[variable] = v
	}
	b.declared = append(b.declared, "$"+variable+": "+declared.String()+declaration)
	return "$" + variable
}

func isList(v any) bool {
	_, is := v.([]any)
	return is
}

// literal returns a literal whose parts may be variables.
func (b *builder) literal(typ *ast.Type, v any) string {
	part := func(typ *ast.Type, v any) string {
		if typ != nil && b.chance(10) {
			return b.argument(typ, v)
		}
		return b.literal(typ, v)
	}
	switch v := v.(type) {
	case []any:
		var elements []string
		for _, element := range v {
			elements = append(elements, part(typ.Elem, element))
		}
		return "[" + strings.Join(elements, ", ") + "]"
	case map[string]any:
		if b.schema.Types[typ.Name()].Kind == ast.Scalar {
			return constant(v)
		}
		var fields []string
		for _, f := range b.schema.Types[typ.Name()].Fields {
			if value, given := v[f.Name]; given {
				fields = append(fields, f.Name+": "+part(f.Type, value))
			}
		}
		return "{" + strings.Join(fields, ", ") + "}"
	}
	return constant(v)
}

// constant returns a literal without variables.
func constant(v any) string {
	switch v := v.(type) {
	case enumValue:
		return string(v)
	case []any:
		var elements []string
		for _, element := range v {
			elements = append(elements, constant(element))
		}
		return "[" + strings.Join(elements, ", ") + "]"
	case map[string]any:
		var fields []string
		for name, value := range v {
			fields = append(fields, name+": "+constant(value))
		}
		slices.Sort(fields)
		return "{" + strings.Join(fields, ", ") + "}"
	}
	encoded, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(encoded)
}
