package sdl

import (
	"fmt"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
)

// DefinitionText returns the definition of an object type on one line, with the text of each field that is not "".
func DefinitionText(name string, def *ast.Definition, text func(*ast.FieldDefinition) string) string {
	var b strings.Builder
	b.WriteString("type " + name + " {")
	for _, f := range def.Fields {
		if part := text(f); part != "" {
			b.WriteString(" " + part)
		}
	}
	return b.String() + " }"
}

// Nullable returns a type without its last '!'.
func Nullable(t *ast.Type) string {
	bare := *t
	bare.NonNull = false
	return bare.String()
}

// WithSortKey returns the text of a directive with another sort key.
func WithSortKey(d *ast.Directive, sk string) string {
	if sk == "" && d.Arguments.ForName("sk") == nil {
		return DirectiveText(d)
	}
	return DirectiveText(WithTemplate(d, "sk", sk))
}

// WithTemplate returns a directive with another template for a key.
func WithTemplate(d *ast.Directive, key, template string) *ast.Directive {
	return WithArgument(d, key, &ast.Value{Kind: ast.StringValue, Raw: template})
}

// WithArgument returns a directive with another value for an argument, which it need not have.
func WithArgument(d *ast.Directive, name string, value *ast.Value) *ast.Directive {
	other := *d
	isIt := func(a *ast.Argument) bool { return a.Name == name }
	argument := &ast.Argument{Name: name, Value: value}
	other.Arguments = slices.Clone(d.Arguments)
	if i := slices.IndexFunc(d.Arguments, isIt); i >= 0 {
		other.Arguments[i] = argument
	} else {
		other.Arguments = append(other.Arguments, argument)
	}
	return &other
}

// WithNullability returns a type's name with the '!' that another type has.
func WithNullability(name string, of *ast.Type) string {
	if of.NonNull {
		return name + "!"
	}
	return name
}

// FieldText returns the definition of a field with its type and directives.
func FieldText(f *ast.FieldDefinition) string {
	text := f.Name + ": " + f.Type.String()
	for _, d := range f.Directives {
		text += " " + DirectiveText(d)
	}
	return text
}

// DirectiveText returns the directive as it is written in the schema, in canonical format.
func DirectiveText(d *ast.Directive) string {
	if len(d.Arguments) == 0 {
		return "@" + d.Name
	}
	arguments := make([]string, len(d.Arguments))
	for i, a := range d.Arguments {
		arguments[i] = a.Name + ": " + a.Value.String()
	}
	return "@" + d.Name + "(" + strings.Join(arguments, ", ") + ")"
}

// WithConstant returns the text of an @item with a constant that only one type has.
func WithConstant(item *ast.Directive, value string) string {
	constant := &ast.Value{Kind: ast.ObjectValue, Children: ast.ChildValueList{
		{Name: "name", Value: &ast.Value{Kind: ast.StringValue, Raw: "type"}},
		{Name: "value", Value: &ast.Value{Kind: ast.StringValue, Raw: value}},
	}}
	list := &ast.Value{Kind: ast.ListValue, Children: ast.ChildValueList{{Value: constant}}}
	if argument := item.Arguments.ForName("constants"); argument != nil {
		list.Children = append(slices.Clone(argument.Value.Children), list.Children...)
	}
	return DirectiveText(WithArgument(item, "constants", list))
}

// InWords returns a place of directives with the indefinite article.
func InWords(at ast.DirectiveLocation) string {
	words := strings.ToLower(strings.ReplaceAll(string(at), "_", " "))
	if strings.ContainsAny(words[:1], "aeiou") {
		return "an " + words
	}
	return "a " + words
}

// Keyword returns the word that a definition of the kind begins with.
func Keyword(kind ast.DefinitionKind) string {
	switch kind {
	case ast.Object:
		return "type"
	case ast.InputObject:
		return "input"
	case ast.Interface:
		return "interface"
	case ast.Union:
		return "union"
	case ast.Enum:
		return "enum"
	default:
		return "scalar"
	}
}

// KindInWords returns a kind of definitions with the indefinite article.
func KindInWords(kind ast.DefinitionKind) string { return InWords(ast.DirectiveLocation(kind)) }

// A fix is one line for each edit of the schema, in one of the forms that fix_test.go applies. It names what to write
// literally, also where a person may decide otherwise; why, and what else one could do, follows behind a comma.

// QuotedList returns texts as a GraphQL list.
func QuotedList(texts []string) string {
	quoted := make([]string, len(texts))
	for i, text := range texts {
		quoted[i] = fmt.Sprintf("%q", text)
	}
	return "[" + strings.Join(quoted, ", ") + "]"
}

// Retype returns the fix that gives a field of a type another GraphQL type.
func Retype(typ string, f *ast.FieldDefinition, to string) string {
	return fmt.Sprintf("on type %s replace %s: %s with %s: %s", typ, f.Name, f.Type, f.Name, to)
}

// Renamed returns a name that an attribute of the type does not have, in place of one that it cannot have.
func Renamed(def *ast.Definition, name string) string {
	name = LowerFirst(def.Name) + strings.ToUpper(name[:1]) + name[1:]
	for def.Fields.ForName(name) != nil {
		name += "Value"
	}
	return name
}

// Quote returns a text without characters to escape as a string of GraphQL.
func Quote(text string) string { return `"` + text + `"` }
