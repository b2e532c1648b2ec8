package contract

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/gen/directives/sdl"
)

// input is an argument, or a field of an input type.
type input struct {
	name, description string
	typ               *ast.Type
	defaultValue      *ast.Value
	directives        ast.DirectiveList
	position          *ast.Position
}

func argumentsOf(list ast.ArgumentDefinitionList) []input {
	inputs := make([]input, len(list))
	for i, a := range list {
		inputs[i] = input{a.Name, a.Description, a.Type, a.DefaultValue, a.Directives, a.Position}
	}
	return inputs
}

func inputFieldsOf(list ast.FieldList) []input {
	inputs := make([]input, len(list))
	for i, f := range list {
		inputs[i] = input{f.Name, f.Description, f.Type, f.DefaultValue, f.Directives, f.Position}
	}
	return inputs
}

func named(list []input, name string) (input, bool) {
	for _, i := range list {
		if i.name == name {
			return i, true
		}
	}
	return input{}, false
}

// isRequired reports whether a value must be given.
//
// https://spec.graphql.org/September2025/#sec-Required-Arguments
func (i input) isRequired() bool { return i.typ.NonNull && i.defaultValue == nil }

// inputFields compares the fields of an input type.
func (c *comparison) inputFields(base, head *ast.Definition) {
	at := positionsOf(base, head)
	c.inputs(base.Name+".%s", at, inputFieldsOf(base.Fields), inputFieldsOf(head.Fields), "input field")
	const oneOf = "oneOf"
	switch was, is := base.Directives.ForName(oneOf) != nil, head.Directives.ForName(oneOf) != nil; {
	case is && !was: // GraphQL.js 16 has no rule for it
		c.breaking(base.Name, at, "add a new input type with @oneOf, and deprecate the arguments of this one",
			"exactly one field must be given now: other values are errors")
	case was && !is:
		c.safe(base.Name, at, "more than one field may be given now")
	}
}

// inputs compares arguments, or the fields of an input type. path is the format of their coordinates, at the place of
// what has them, and kind what a message calls them.
func (c *comparison) inputs(path string, at positions, base, head []input, kind string) {
	for _, was := range base {
		path := fmt.Sprintf(path, was.name)
		is, found := named(head, was.name)
		if !found {
			c.within(isDeprecated(was.directives), func() {
				c.breaking(path, at, restore, "the %s has been removed: operations that give it are not valid any more", kind)
			})
			continue
		}
		c.within(isDeprecated(was.directives), func() { c.input(path, was, is, kind) })
	}
	for _, is := range head {
		if _, found := named(base, is.name); found {
			continue
		}
		path, at := fmt.Sprintf(path, is.name), positions{head: is.position}
		if is.isRequired() {
			c.breaking(path, at, fmt.Sprintf("let it be null (%s), or give it a default value", sdl.Nullable(is.typ)),
				"the %s is new and required: operations without it are not valid any more", kind)
			continue
		}
		c.dangerous(path, at, "the %s is new: without it, the result may be another one than before", kind)
	}
}

func (c *comparison) input(path string, was, is input, kind string) {
	at := positions{was.position, is.position}
	c.described(path, at, was.description, is.description)
	c.deprecations(path, at, was.directives, is.directives)
	change := fmt.Sprintf("the type was %s and is %s", was.typ, is.typ)
	switch isSafe := isSafeInput(was.typ, is.typ); {
	case !isSafe && sameShape(was.typ, is.typ):
		c.breaking(path, at, "keep "+was.typ.String(),
			"%s: operations that give null or nothing are not valid any more", change)
		return
	case !isSafe:
		c.breaking(path, at,
			fmt.Sprintf("keep %s, add an %s of type %s with another name, and deprecate this one", was.typ, kind, is.typ),
			"%s: operations that give it are not valid any more", change)
		return
	case is.isRequired() && !was.isRequired():
		// GraphQL.js reports that the default value has been removed, as a dangerous change.
		c.breaking(path, at, "keep the default value",
			"the default value has been removed: operations without the %s are not valid any more", kind)
		return
	case was.typ.String() != is.typ.String():
		c.safe(path, at, "%s: null is accepted now", change)
	}
	// GraphQL.js has no rule for the default values of input fields, nor for new ones.
	before, after := defaultOf(c.base, was), defaultOf(c.head, is)
	switch {
	case before == after:
	case before == "":
		c.dangerous(path, at, "the default value is %s now: without the %s, the result may be another one than before",
			after, kind)
	case after == "":
		c.dangerous(path, at, "the default value %s has been removed: without the %s, the result may be another one than "+
			"before", before, kind)
	default:
		c.dangerous(path, at, "the default value was %s and is %s: without the %s, the result may be another one than "+
			"before", before, after, kind)
	}
}

// isSafeResult reports whether a client that expects a value of one type can read one of the other: a type may become
// non-null, but not nullable.
//
// https://github.com/graphql/graphql-js/blob/16.x.x/src/utilities/findBreakingChanges.ts
func isSafeResult(was, is *ast.Type) bool {
	switch {
	case was.NonNull && !is.NonNull:
		return false
	case was.Elem != nil:
		return is.Elem != nil && isSafeResult(was.Elem, is.Elem)
	}
	return is.Elem == nil && was.NamedType == is.NamedType
}

// isSafeInput reports whether a value for one type is one for the other: a type may become nullable, but not non-null.
// A variable of type T is not valid where [T] is expected, although a literal is.
//
// https://spec.graphql.org/September2025/#sec-All-Variable-Usages-Are-Allowed
func isSafeInput(was, is *ast.Type) bool {
	switch {
	case is.NonNull && !was.NonNull:
		return false
	case was.Elem != nil:
		return is.Elem != nil && isSafeInput(was.Elem, is.Elem)
	}
	return is.Elem == nil && was.NamedType == is.NamedType
}

// sameShape reports whether two types differ in null alone.
func sameShape(a, b *ast.Type) bool {
	if a.Elem != nil && b.Elem != nil {
		return sameShape(a.Elem, b.Elem)
	}
	return a.Elem == nil && b.Elem == nil && a.NamedType == b.NamedType
}

// defaultOf returns the default value as GraphQL text, "" if there is none. Values that are coerced to the same one
// have the same text.
func defaultOf(schema *ast.Schema, i input) string {
	if i.defaultValue == nil {
		return ""
	}
	return coerced(schema, i.typ, i.defaultValue, true)
}

// coerced returns the text of a constant value of a type. With isComplete, objects have the default values of the
// fields that they lack, but these have no further ones: the default values of two input types may contain each other.
//
// https://spec.graphql.org/September2025/#sec-Input-Values
func coerced(schema *ast.Schema, typ *ast.Type, v *ast.Value, isComplete bool) string {
	if v.Kind == ast.NullValue {
		return "null"
	}
	if typ.Elem != nil {
		return coercedList(schema, typ, v, isComplete)
	}
	switch def := schema.Types[typ.NamedType]; {
	case v.Kind == ast.StringValue || v.Kind == ast.BlockValue:
		return strconv.Quote(v.Raw)
	case def != nil && def.Kind == ast.InputObject && v.Kind == ast.ObjectValue:
		return coercedObject(schema, def, v, isComplete)
	case v.Kind == ast.IntValue && typ.NamedType == "ID":
		return strconv.Quote(v.Raw)
	case (v.Kind == ast.IntValue || v.Kind == ast.FloatValue) && typ.NamedType == "Float":
		if f, err := strconv.ParseFloat(v.Raw, 64); err == nil {
			return strconv.FormatFloat(f, 'g', -1, 64)
		}
	case v.Kind == ast.ListValue || v.Kind == ast.ObjectValue: // of a scalar of the schema's own
		return sortedText(v)
	}
	return v.Raw
}

func coercedList(schema *ast.Schema, typ *ast.Type, v *ast.Value, isComplete bool) string {
	if v.Kind != ast.ListValue {
		return "[" + coerced(schema, typ.Elem, v, isComplete) + "]"
	}
	elements := make([]string, len(v.Children))
	for i, child := range v.Children {
		elements[i] = coerced(schema, typ.Elem, child.Value, isComplete)
	}
	return "[" + strings.Join(elements, ", ") + "]"
}

func coercedObject(schema *ast.Schema, def *ast.Definition, v *ast.Value, isComplete bool) string {
	var fields []string
	for _, f := range def.Fields {
		if value := v.Children.ForName(f.Name); value != nil {
			fields = append(fields, f.Name+": "+coerced(schema, f.Type, value, isComplete))
		} else if isComplete && f.DefaultValue != nil {
			fields = append(fields, f.Name+": "+coerced(schema, f.Type, f.DefaultValue, false))
		}
	}
	slices.Sort(fields)
	return "{" + strings.Join(fields, ", ") + "}"
}

// sortedText returns the text of a value with sorted fields.
func sortedText(v *ast.Value) string {
	parts := make([]string, len(v.Children))
	for i, child := range v.Children {
		parts[i] = sortedText(child.Value)
		if child.Name != "" {
			parts[i] = child.Name + ": " + parts[i]
		}
	}
	switch v.Kind {
	case ast.ListValue:
		return "[" + strings.Join(parts, ", ") + "]"
	case ast.ObjectValue:
		slices.Sort(parts)
		return "{" + strings.Join(parts, ", ") + "}"
	}
	return v.String()
}
