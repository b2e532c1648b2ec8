package contract

import (
	"fmt"

	"github.com/vektah/gqlparser/v2/ast"
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
				c.breaking(path, at, restore,
					"the %s has been removed: operations that give it are not valid any more", kind)
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
			c.breaking(path, at, fmt.Sprintf("let it be null (%s), or give it a default value", nullable(is.typ)),
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
