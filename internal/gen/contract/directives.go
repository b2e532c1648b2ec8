package contract

import (
	"fmt"
	"slices"

	"github.com/vektah/gqlparser/v2/ast"
)

// directives compares the definitions of directives.
func (c *comparison) directives() {
	for _, name := range namesOf(c.base.Directives, c.head.Directives) {
		path, base, head := "@"+name, c.base.Directives[name], c.head.Directives[name]
		switch {
		case isPrelude(base) && isPrelude(head):
		case base == nil:
			c.safe(path, positions{head: head.Position}, "the directive is new")
		case head == nil:
			c.directiveRemoved(path, base)
		default:
			c.directive(path, base, head)
		}
	}
}

// isPrelude reports whether a directive is missing or one of GraphQL itself, which no version of an API changes.
func isPrelude(d *ast.DirectiveDefinition) bool {
	return d == nil || d.Position != nil && d.Position.Src != nil && d.Position.Src.BuiltIn
}

// directiveRemoved adds the removal of a directive. For GraphQL.js it is always breaking; but one that cannot be in an
// operation breaks none.
func (c *comparison) directiveRemoved(path string, base *ast.DirectiveDefinition) {
	at := positions{base: base.Position}
	if !slices.ContainsFunc(base.Locations, isExecutable) {
		c.dangerous(path, at, "the directive has been removed: tools that read it by introspection do not find it; "+
			"operations cannot contain it")
		return
	}
	c.breaking(path, at, "restore it", "the directive has been removed: operations that contain it are not valid any more")
}

// isExecutable reports whether a location is one in an operation.
//
// https://spec.graphql.org/September2025/#ExecutableDirectiveLocation
func isExecutable(l ast.DirectiveLocation) bool {
	return slices.Contains([]ast.DirectiveLocation{
		ast.LocationQuery, ast.LocationMutation, ast.LocationSubscription, ast.LocationField,
		ast.LocationFragmentDefinition, ast.LocationFragmentSpread, ast.LocationInlineFragment,
		ast.LocationVariableDefinition,
	}, l)
}

func (c *comparison) directive(path string, base, head *ast.DirectiveDefinition) {
	at := positions{base.Position, head.Position}
	c.described(path, at, base.Description, head.Description)
	c.inputs(path+"(%s:)", at, argumentsOf(base.Arguments), argumentsOf(head.Arguments), "argument")
	if base.IsRepeatable && !head.IsRepeatable {
		c.breaking(path, at, "keep it repeatable",
			"it is not repeatable any more: operations that contain it twice at one place are not valid any more")
	} else if head.IsRepeatable && !base.IsRepeatable {
		c.safe(path, at, "it is repeatable now")
	}
	for _, l := range base.Locations {
		if !slices.Contains(head.Locations, l) {
			c.breaking(path, at, fmt.Sprintf("keep the location %s", l),
				"%s is not one of its locations any more: operations that have it there are not valid any more", l)
		}
	}
	for _, l := range head.Locations {
		if !slices.Contains(base.Locations, l) {
			c.safe(path, at, "%s is one of its locations now", l)
		}
	}
}
