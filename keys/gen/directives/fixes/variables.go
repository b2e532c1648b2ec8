package directives

import (
	"fmt"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/keys"
)

// A fix is one line for each edit of the schema, in one of the forms that fix_test.go applies. It names what to write
// literally, also where a person may decide otherwise; why, and what else one could do, follows behind a comma.

// quotedList returns texts as a GraphQL list.
func quotedList(texts []string) string {
	quoted := make([]string, len(texts))
	for i, text := range texts {
		quoted[i] = fmt.Sprintf("%q", text)
	}
	return "[" + strings.Join(quoted, ", ") + "]"
}

// retype returns the fix that gives a field of a type another GraphQL type.
func retype(typ string, f *ast.FieldDefinition, to string) string {
	return fmt.Sprintf("on type %s replace %s: %s with %s: %s", typ, f.Name, f.Type, f.Name, to)
}

// withNullability returns a type's name with the '!' that another type has.
func withNullability(name string, of *ast.Type) string {
	if of.NonNull {
		return name + "!"
	}
	return name
}

// renamed returns a name that an attribute of the type does not have, in place of one that it cannot have.
func renamed(def *ast.Definition, name string) string {
	name = lowerFirst(def.Name) + strings.ToUpper(name[:1]) + name[1:]
	for def.Fields.ForName(name) != nil {
		name += "Value"
	}
	return name
}

// replaced returns a template's text with another name for a variable. The format stays if the other one can have it,
// and a time bucket if one name is a misspelling of the other.
func replaced(t keys.Template, variable, by string, width func(string) int) string {
	return rewrite(t, func(s keys.Segment) keys.Segment {
		if s.Variable != variable {
			return s
		}
		switch digits := width(by); {
		case digits == 0:
			s.Width = 0
		case s.Width == 0:
			s.Width = digits
		}
		if Likely(variable, []string{by}) == "" {
			s.Bucket = 0
		}
		s.Variable = by
		return s
	})
}

// writeVariable returns the fix that names another variable in a key.
func writeVariable(pk, sk keys.Template, variable, by string, width func(string) int) string {
	var parts []string
	if slices.Contains(pk.Variables(), variable) {
		parts = append(parts, fmt.Sprintf("pk: %q", replaced(pk, variable, by, width)))
	}
	if slices.Contains(sk.Variables(), variable) {
		parts = append(parts, fmt.Sprintf("sk: %q", replaced(sk, variable, by, width)))
	}
	return "write " + strings.Join(parts, ", ")
}

// identityFor returns the identifying attribute of a type that a stored key does not name yet, or else the first.
func (t *storedType) identityFor(f *storedKey) string {
	for _, name := range t.Identity {
		if a := t.Attribute(name); a != nil && !slices.Contains(append(f.PK.Variables(), f.SK.Variables()...), name) {
			return name
		}
	}
	for _, name := range append(t.Identity, attributeNames(t.Type)...) {
		if t.Attribute(name) != nil {
			return name
		}
	}
	return ""
}

// fieldText returns the definition of a field with its type and directives.
func fieldText(f *ast.FieldDefinition) string {
	text := f.Name + ": " + f.Type.String()
	for _, d := range f.Directives {
		text += " " + directiveText(d)
	}
	return text
}

// directiveText returns the directive as it is written in the schema, in canonical format.
func directiveText(d *ast.Directive) string {
	if len(d.Arguments) == 0 {
		return "@" + d.Name
	}
	arguments := make([]string, len(d.Arguments))
	for i, a := range d.Arguments {
		arguments[i] = a.Name + ": " + a.Value.String()
	}
	return "@" + d.Name + "(" + strings.Join(arguments, ", ") + ")"
}

// unionOf returns the fix that lets a field return objects of several types: a union that the schema has, or a
// new one.
func (r *checker) unionOf(rd *read, names []string) string {
	names = slices.Clone(names)
	slices.Sort(names)
	for _, def := range r.schema.Types {
		if def.Kind == ast.Union && slices.Equal(r.possible(def.Name), names) {
			return "return " + rd.resultOf(def.Name)
		}
	}
	name := strings.Join(names, "Or")
	return "add union " + name + " = " + strings.Join(names, " | ") + "\nreturn " + rd.resultOf(name)
}

// withConstant returns the text of an @item with a constant that only one type has.
func withConstant(item *ast.Directive, value string) string {
	constant := &ast.Value{Kind: ast.ObjectValue, Children: ast.ChildValueList{
		{Name: "name", Value: &ast.Value{Kind: ast.StringValue, Raw: "type"}},
		{Name: "value", Value: &ast.Value{Kind: ast.StringValue, Raw: value}},
	}}
	list := &ast.Value{Kind: ast.ListValue, Children: ast.ChildValueList{{Value: constant}}}
	if argument := item.Arguments.ForName("constants"); argument != nil {
		list.Children = append(slices.Clone(argument.Value.Children), list.Children...)
	}
	return directiveText(withArgument(item, "constants", list))
}
