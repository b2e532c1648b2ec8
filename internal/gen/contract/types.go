package contract

import (
	"fmt"
	"slices"

	"github.com/vektah/gqlparser/v2/ast"
)

func (c *comparison) types() {
	for _, name := range namesOf(c.base.Types, c.head.Types) {
		base, head := c.base.Types[name], c.head.Types[name]
		switch at := positionsOf(base, head); {
		case isOfGraphQL(name) || isBuiltIn(base) || isBuiltIn(head):
		case base == nil:
			c.safe(name, at, "%s is new", kindNames[head.Kind])
		case head == nil:
			c.within(c.used.isAnnounced(name), func() {
				fix := fmt.Sprintf("keep %s, deprecate all fields and arguments that have it, and remove it with them", name)
				c.breaking(name, at, fix,
					"%s has been removed: operations that name it are not valid any more", kindNames[base.Kind])
			})
		default:
			c.within(c.used.isDeprecated(name), func() { c.definitions(base, head) })
		}
	}
}

func isBuiltIn(def *ast.Definition) bool { return def != nil && def.BuiltIn }

var kindNames = map[ast.DefinitionKind]string{
	ast.Scalar: "the scalar", ast.Object: "the object type", ast.Interface: "the interface", ast.Union: "the union",
	ast.Enum: "the enum", ast.InputObject: "the input type",
}

// definitions compares two definitions of a type.
func (c *comparison) definitions(base, head *ast.Definition) {
	path, at := base.Name, positionsOf(base, head)
	c.described(path, at, base.Description, head.Description)
	if base.Kind != head.Kind {
		c.breaking(path, at, "give the new type another name",
			"it was %s and is %s: operations that use it are not valid any more", kindNames[base.Kind], kindNames[head.Kind])
		return
	}
	switch base.Kind {
	case ast.Object, ast.Interface:
		c.fields(base, head)
		c.interfaces(base, head)
	case ast.Union:
		c.members(base, head)
	case ast.Enum:
		c.enumValues(base, head)
	case ast.InputObject:
		c.inputFields(base, head)
	case ast.Scalar:
		c.scalars(base, head)
	}
}

func (c *comparison) interfaces(base, head *ast.Definition) {
	at := positionsOf(base, head)
	for _, name := range base.Interfaces {
		if !slices.Contains(head.Interfaces, name) {
			c.breaking(base.Name, at, fmt.Sprintf("let %s keep the interface %s", base.Name, name),
				"it does not implement %s any more: fragments on the one are not valid on the other, and fields of type %s "+
					"do not return it", name, name)
		}
	}
	for _, name := range head.Interfaces {
		if !slices.Contains(base.Interfaces, name) {
			c.dangerous(base.Name, at,
				"it implements %s now: clients of fields of type %s get objects of a type that they do not know", name, name)
		}
	}
}

func (c *comparison) members(base, head *ast.Definition) {
	at := positionsOf(base, head)
	for _, name := range base.Types {
		if slices.Contains(head.Types, name) {
			continue
		}
		c.breaking(base.Name, at,
			fmt.Sprintf("keep %s, add a field with a union without it, and deprecate the fields of type %s", name, base.Name),
			"%s is not part of the union any more: fragments on %s are not valid there", name, name)
	}
	for _, name := range head.Types {
		if !slices.Contains(base.Types, name) {
			c.dangerous(base.Name, at, "%s is part of the union now: clients get objects of a type that they do not know", name)
		}
	}
}

func (c *comparison) enumValues(base, head *ast.Definition) {
	for _, was := range base.EnumValues {
		path, is := base.Name+"."+was.Name, head.EnumValues.ForName(was.Name)
		if is == nil {
			c.within(isDeprecated(was.Directives), func() {
				c.breaking(path, positionsOf(base, head), restore,
					"the value has been removed: operations that contain it are not valid any more, and a variable with it is an "+
						"error")
			})
			continue
		}
		at := positions{was.Position, is.Position}
		c.described(path, at, was.Description, is.Description)
		c.deprecations(path, at, was.Directives, is.Directives)
	}
	for _, is := range head.EnumValues {
		if base.EnumValues.ForName(is.Name) == nil {
			c.dangerous(base.Name+"."+is.Name, positions{head: is.Position},
				"the value is new: clients that read a %s get a value that they do not know", base.Name)
		}
	}
}

// scalars compares the specifications of a scalar. GraphQL.js has no rule for them.
func (c *comparison) scalars(base, head *ast.Definition) {
	was, is := specifiedBy(base), specifiedBy(head)
	if was != is {
		c.dangerous(base.Name, positionsOf(base, head),
			"its specification was %q and is %q: clients may read and write its values in another format", was, is)
	}
}

func specifiedBy(def *ast.Definition) string {
	if d := def.Directives.ForName("specifiedBy"); d != nil && d.Arguments.ForName("url") != nil {
		return d.Arguments.ForName("url").Value.Raw
	}
	return ""
}

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
