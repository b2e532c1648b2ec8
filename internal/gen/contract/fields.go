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
