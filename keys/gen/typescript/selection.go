package typescript

import (
	"slices"

	"github.com/vektah/gqlparser/v2/ast"
)

// conditions are the variables, sorted, on which @skip and @include make a selection depend. It is in the response of
// every object if there are none.
type conditions []string

// part is a selection of an object, with the conditions on which that is in the response although the object is.
type part struct {
	selection  ast.SelectionSet
	conditions conditions
}

// field is what an object's response has for a key: all fields with this alias, merged.
type field struct {
	key string
	// name and definition are equal for all merged fields, as the rules of GraphQL demand.
	name       string
	definition *ast.FieldDefinition
	parts      []part
}

// isOptional reports whether the response of an object can be without the field.
func (f *field) isOptional() bool {
	return !slices.ContainsFunc(f.parts, func(p part) bool { return len(p.conditions) == 0 })
}

// below returns the parts of the field's objects. Where they exist, a condition is met that all parts have; of several
// different ones, any can be.
func (f *field) below() []part {
	isDifferent := func(p part) bool { return !slices.Equal(p.conditions, f.parts[0].conditions) }
	if slices.ContainsFunc(f.parts, isDifferent) {
		return f.parts
	}
	parts := make([]part, len(f.parts))
	for i, p := range f.parts {
		parts[i] = part{selection: p.selection}
	}
	return parts
}

// fields returns the merged fields of an object, in the order of its response.
func (g *generator) fields(object *ast.Definition, parts []part) []*field {
	c := &collector{generator: g, object: object}
	for _, p := range parts {
		c.collect(p.selection, p.conditions)
	}
	return c.fields
}

// collector collects the fields of an object.
type collector struct {
	*generator
	object *ast.Definition
	fields []*field
}

func (c *collector) collect(selection ast.SelectionSet, outer conditions) {
	for _, s := range selection {
		switch s := s.(type) {
		case *ast.Field:
			if all, ok := outer.with(s.Directives); ok {
				f := c.field(s)
				f.parts = append(f.parts, part{s.SelectionSet, all})
			}
		case *ast.InlineFragment:
			if all, ok := outer.with(s.Directives); ok && c.applies(s.TypeCondition) {
				c.collect(s.SelectionSet, all)
			}
		case *ast.FragmentSpread:
			if all, ok := outer.with(s.Directives); ok && c.applies(s.Definition.TypeCondition) {
				c.collect(s.Definition.SelectionSet, all)
			}
		}
	}
}

// field returns the field with the alias of a selected one.
func (c *collector) field(s *ast.Field) *field {
	for _, f := range c.fields {
		if f.key == s.Alias {
			return f
		}
	}
	f := &field{key: s.Alias, name: s.Name, definition: s.Definition}
	// A selection of an interface has the interface's field, whose type the object's can narrow.
	if own := c.object.Fields.ForName(s.Name); own != nil {
		f.definition = own
	}
	c.fields = append(c.fields, f)
	return f
}

// applies reports whether a fragment with a type condition is about the object.
func (c *collector) applies(condition string) bool {
	return condition == "" || slices.Contains(c.possible(c.schema.Types[condition]), c.object)
}

// with returns the conditions of a selection with directives within one with the receiver's; not ok for a selection
// that is in no response.
func (c conditions) with(directives ast.DirectiveList) (all conditions, ok bool) {
	all = slices.Clone(c)
	for _, name := range []string{"include", "skip"} {
		d := directives.ForName(name)
		if d == nil {
			continue
		}
		switch value := d.Arguments.ForName("if").Value; {
		case value.Kind == ast.Variable:
			all = append(all, name+" "+value.Raw)
		case value.Raw == "true" && name == "skip", value.Raw == "false" && name == "include":
			return nil, false
		}
	}
	slices.Sort(all)
	return slices.Compact(all), true
}

// possible returns the object types of a type, sorted by name.
func (g *generator) possible(def *ast.Definition) []*ast.Definition {
	var objects []*ast.Definition
	for _, t := range g.schema.GetPossibleTypes(def) {
		// The parser's lists also have the interfaces that implement an interface.
		if t.Kind == ast.Object {
			objects = append(objects, t)
		}
	}
	slices.SortFunc(objects, byName)
	return slices.Compact(objects)
}
