package sdl

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/keys"
)

// IsNull reports whether an argument of a directive is null, not absent.
func IsNull(d *ast.Directive, name string) bool {
	argument := d.Arguments.ForName(name)
	return argument != nil && argument.Value.Kind == ast.NullValue
}

// RawText returns the text that a directive's argument is given, "" if it is no text.
func RawText(d *ast.Directive, name string) string {
	text, _ := Raw(d, name).(string)
	return text
}

// Raw returns the value that a directive's argument is given, nil if it is absent or null.
func Raw(d *ast.Directive, name string) any {
	a := d.Arguments.ForName(name)
	if a == nil || a.Value == nil {
		return nil
	}
	value, err := a.Value.Value(nil)
	if err != nil {
		return nil
	}
	return value
}

// ReadDirective returns the field's @get or @query, or nil.
func ReadDirective(f *ast.FieldDefinition) *ast.Directive {
	if d := f.Directives.ForName("get"); d != nil {
		return d
	}
	return f.Directives.ForName("query")
}

// Text returns the value of a directive's argument, "" when absent.
func Text(d *ast.Directive, name string) string {
	text, _ := d.ArgumentMap(nil)[name].(string)
	return text
}

// Int returns the value of a directive's argument, 0 when absent.
func Int(d *ast.Directive, name string) int {
	n, _ := d.ArgumentMap(nil)[name].(int64)
	return int(n)
}

// List returns the values of a directive's argument, nil when absent.
func List(d *ast.Directive, name string) []any { return ListOf(d.ArgumentMap(nil)[name]) }

// ListOf returns the values of a list. A single value is a list of one.
//
// https://spec.graphql.org/October2021/#sec-List.Input-Coercion
func ListOf(value any) []any {
	list, isList := value.([]any)
	if !isList && value != nil {
		return []any{value}
	}
	return list
}

// ItemLine returns the @item with a key.
func ItemLine(s keys.Shape) string { return KeyLine("item", s) }

// KeyLine returns a directive with a key.
func KeyLine(directive string, s keys.Shape) string {
	return "@" + directive + "(" + KeyArguments(s.PK.String(), s.SK.String()) + ")"
}

// KeyArguments returns the arguments of a directive with these templates. Without a sort key there is no sk.
func KeyArguments(pk, sk string) string {
	if sk == "" {
		return fmt.Sprintf("pk: %q", pk)
	}
	return fmt.Sprintf("pk: %q, sk: %q", pk, sk)
}

var (
	// ForeignDelimiter matches what no delimiter of a new table has.
	ForeignDelimiter = regexp.MustCompile(`[^\pL\pN_.#-]+`)
	// Brace matches a variable of a template, also one that is not closed.
	Brace = regexp.MustCompile(`\{[^{}#]*\}?`)
	// Braced matches a variable of a template.
	Braced = regexp.MustCompile(`\{(\w+)(?::[^{}]*)?\}`)
)

// Joined returns a template that continues with a part.
func Joined(template, part, delimiter string) string {
	if template == "" || strings.HasSuffix(template, delimiter) {
		return template + part
	}
	return template + delimiter + part
}
