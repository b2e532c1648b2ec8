package agents

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
)

// further is a page after which there is more.
type further struct {
	// Path is that of the connection in the data.
	Path string `json:"path"`
	// Cursor is where the next page begins, and Argument that of the tool for it; "" if it has none.
	Cursor   string `json:"cursor"`
	Argument string `json:"argument,omitempty"`
	// shared is set if other connections of the answer have the same argument.
	shared bool
}

// maxFurther is how many pages are named.
const maxFurther = 10

// pages finds the connections of an answer that have more.
type pages struct{ found []further }

// more returns the first pages of an answer after which there is more.
func more(o *ast.OperationDefinition, data map[string]any) []further {
	var p pages
	p.selection(o.SelectionSet, data, nil, false)
	return p.found
}

func (p *pages) selection(set ast.SelectionSet, object map[string]any, path []string, inList bool) {
	for _, s := range set {
		switch s := s.(type) {
		case *ast.Field:
			p.value(s, object[s.Alias], append(path[:len(path):len(path)], s.Alias), inList)
		case *ast.InlineFragment:
			p.selection(s.SelectionSet, object, path, inList)
		case *ast.FragmentSpread:
			p.selection(s.Definition.SelectionSet, object, path, inList)
		}
	}
}

func (p *pages) value(f *ast.Field, value any, path []string, inList bool) {
	switch value := value.(type) {
	case []any:
		for i, element := range value {
			p.value(f, element, append(path[:len(path):len(path)], strconv.Itoa(i)), true)
		}
	case map[string]any:
		if len(p.found) < maxFurther {
			p.connection(f, value, path, inList)
			p.selection(f.SelectionSet, value, path, inList)
		}
	}
}

// connection adds a connection that has more in the direction of its page.
func (p *pages) connection(f *ast.Field, value map[string]any, path []string, inList bool) {
	info, _ := value["pageInfo"].(map[string]any)
	for _, end := range []struct{ has, cursor, argument string }{
		{"hasNextPage", "endCursor", "after"}, {"hasPreviousPage", "startCursor", "before"},
	} {
		cursor, _ := info[end.cursor].(string)
		if info[end.has] != true || cursor == "" || end.argument == "before" && f.Arguments.ForName("last") == nil {
			continue
		}
		variable := ""
		if a := f.Arguments.ForName(end.argument); a != nil && a.Value.Kind == ast.Variable {
			variable = a.Value.Raw
		}
		p.found = append(p.found, further{strings.Join(path, "."), cursor, variable, inList})
	}
}

// advice returns a sentence on how to go on.
func (f further) advice(tool string) string {
	switch {
	case f.Argument == "":
		return fmt.Sprintf("%s has more, but %s has no argument for the cursor of a further page.", f.Path, tool)
	case f.shared:
		return fmt.Sprintf("%s has more. Its cursor %q is for this object alone: ask for the object by itself, "+
			"with %q as the argument %s.", f.Path, f.Cursor, f.Cursor, f.Argument)
	default:
		return fmt.Sprintf("%s has more: for the next page call %s again with the same arguments and %s: %q.",
			f.Path, tool, f.Argument, f.Cursor)
	}
}
