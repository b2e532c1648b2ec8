package sdl

import (
	"fmt"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
)

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
