package contract

import (
	"fmt"

	"github.com/vektah/gqlparser/v2/ast"
)

// fields compares the fields of an object type or an interface.
func (c *comparison) fields(base, head *ast.Definition) {
	for _, was := range base.Fields {
		path, is := base.Name+"."+was.Name, head.Fields.ForName(was.Name)
		switch {
		case isOfGraphQL(was.Name):
		case is == nil:
			c.within(isDeprecated(was.Directives), func() {
				c.breaking(path, positionsOf(base, head), restore,
					"the field has been removed: operations that select it are not valid any more")
			})
		default:
			c.within(isDeprecated(was.Directives), func() { c.field(path, was, is) })
		}
	}
	for _, is := range head.Fields {
		path := base.Name + "." + is.Name
		if !isOfGraphQL(is.Name) && base.Fields.ForName(is.Name) == nil && !c.damaging[path] {
			c.safe(path, positions{head: is.Position}, "the field is new")
		}
	}
}

func (c *comparison) field(path string, was, is *ast.FieldDefinition) {
	at := positions{was.Position, is.Position}
	c.described(path, at, was.Description, is.Description)
	c.deprecations(path, at, was.Directives, is.Directives)
	if change := fmt.Sprintf("the type was %s and is %s", was.Type, is.Type); !isSafeResult(was.Type, is.Type) {
		fix := fmt.Sprintf("keep %s, add a field of type %s with another name, and deprecate this one", was.Type, is.Type)
		if sameShape(was.Type, is.Type) {
			c.breaking(path, at, fix, "%s: clients get null where they do not expect it", change)
		} else {
			c.breaking(path, at, fix,
				"%s: operations that select it are not valid any more, or their clients cannot read the value", change)
		}
	} else if was.Type.String() != is.Type.String() && !c.damaging[path] {
		c.safe(path, at, "%s: it is not null any more", change)
	}
	c.inputs(path+"(%s:)", at, argumentsOf(was.Arguments), argumentsOf(is.Arguments), "argument")
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
