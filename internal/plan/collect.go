package plan

import (
	"slices"

	"github.com/vektah/gqlparser/v2/ast"
)

type compiler struct {
	*Schema
	doc       *ast.QueryDocument
	variables map[string]any
	plan      *Plan
	// sets numbers the selection sets of the document.
	sets map[*ast.Selection]uint32
	// objects are the nodes by their type and the selection sets that are merged: fragments may spread the same
	// selection at exponentially many places.
	objects map[string]*Object
}

// collected is a field of a merged selection.
type collected struct {
	*ast.Field
	sets []ast.SelectionSet
}

// collect appends the fields of an object type that are selected, merged by their response names in the order of their
// first occurrence: CollectFields() of the GraphQL specification, section 6.3.2.
func (c *compiler) collect(
	fields []collected, t *objectType, sets []ast.SelectionSet, spread map[string]bool,
) []collected {
	for _, set := range sets {
		for _, selection := range set {
			switch s := selection.(type) {
			case *ast.Field:
				if c.includes(s.Directives) {
					fields = merge(fields, s)
				}
			case *ast.InlineFragment:
				if c.includes(s.Directives) && (s.TypeCondition == "" || slices.Contains(t.satisfies, s.TypeCondition)) {
					fields = c.collect(fields, t, []ast.SelectionSet{s.SelectionSet}, spread)
				}
			case *ast.FragmentSpread:
				if spread[s.Name] || !c.includes(s.Directives) {
					continue
				}
				spread[s.Name] = true
				if slices.Contains(t.satisfies, s.Definition.TypeCondition) {
					fields = c.collect(fields, t, []ast.SelectionSet{s.Definition.SelectionSet}, spread)
				}
			}
		}
	}
	return fields
}

// merge adds a field. Those with the same response name are the same field, except in the merged children of a group:
// they are of several objects in the response.
func merge(fields []collected, f *ast.Field) []collected {
	for i := range fields {
		if fields[i].Alias == f.Alias && isSame(fields[i].Field, f) {
			fields[i].sets = append(fields[i].sets, f.SelectionSet)
			return fields
		}
	}
	return append(fields, collected{f, []ast.SelectionSet{f.SelectionSet}})
}

// isSame reports whether two fields of an object have the same name and arguments.
func isSame(a, b *ast.Field) bool {
	return a == b || a.Name == b.Name && argumentsKey(a.Arguments) == argumentsKey(b.Arguments)
}

// includes evaluates @skip and @include. Other directives are executed by Go code.
func (c *compiler) includes(directives ast.DirectiveList) bool {
	c.handWritten(hasOther(directives))
	for _, d := range directives {
		if !isCondition(d) {
			continue
		}
		value, _ := d.Arguments.ForName("if").Value.Value(c.variables)
		if value == (d.Name == "skip") {
			return false
		}
	}
	return true
}

// handWritten sets that the operation executes Go code of the application, if it is so and there is any.
func (c *compiler) handWritten(is bool) {
	is = is && !c.Design.IsWithoutGo()
	c.plan.HandWritten = c.plan.HandWritten || is
}

func isCondition(d *ast.Directive) bool { return d.Name == "skip" || d.Name == "include" }

func hasOther(directives ast.DirectiveList) bool {
	return slices.ContainsFunc(directives, func(d *ast.Directive) bool { return !isCondition(d) })
}
