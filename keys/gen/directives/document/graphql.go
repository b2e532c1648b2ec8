package document

import (
	"fmt"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/keys/gen/directives/finding"
	"github.com/partita/partita/keys/gen/directives/sdl"
)

// checkGraphQL finds what a schema of GraphQL cannot have, in definitions whose names are known. gqlparser would return
// the first of these faults.
func (c *Checker) checkGraphQL(own []*ast.Definition) {
	for _, def := range own {
		c.checkNotReserved(def)
		c.checkMembers(def)
		if whole := c.whole[def.Name]; def.Kind == ast.InputObject {
			c.checkCycle(def, def.Fields, map[string]bool{})
		} else if slices.Contains([]ast.DefinitionKind{ast.Object, ast.Interface}, def.Kind) {
			for _, name := range def.Interfaces {
				if of := c.whole[name]; of != nil && of.Kind == ast.Interface {
					c.checkFieldsOf(whole, of)
				}
			}
		}
	}
}

// checkNotReserved finds names that are those of introspection.
func (c *Checker) checkNotReserved(def *ast.Definition) {
	find := func(at *ast.Position, coordinate, name, fix string) {
		if to := strings.TrimLeft(name, "_"); to != name && strings.HasPrefix(name, "__") {
			c.find(at, coordinate, "names that begin with __ are those of GraphQL itself", fmt.Sprintf(fix, name, to))
		}
	}
	find(def.Position, def.Name, def.Name, "rename %s to %s in all files")
	for _, f := range def.Fields {
		coordinate := def.Name + "." + f.Name
		find(f.Position, coordinate, f.Name, "rename %s to %s in type "+def.Name)
		for _, a := range f.Arguments {
			find(a.Position, coordinate, a.Name, "rename %s to %s in field "+coordinate)
		}
	}
}

// checkMembers finds a definition without fields or values, and values and types of a union that are there twice.
func (c *Checker) checkMembers(def *ast.Definition) {
	whole := c.whole[def.Name]
	empty := len(whole.Fields) == 0
	switch def.Kind {
	case ast.Object, ast.Interface, ast.InputObject:
		if empty {
			c.find(def.Position, def.Name, "the type has no fields", "add name: String to type "+def.Name)
		}
	case ast.Enum:
		if len(whole.EnumValues) == 0 {
			c.find(def.Position, def.Name, "the enum has no values", "add NONE to enum "+def.Name)
		}
		for _, v := range def.EnumValues {
			coordinate := def.Name + "." + v.Name
			if first := whole.EnumValues.ForName(v.Name); first != v {
				c.find(v.Position, coordinate,
					fmt.Sprintf("the value %s is declared already (%s)", v.Name, finding.PlaceOf(first.Position)),
					fmt.Sprintf("remove %s from enum %s, here or there", v.Name, def.Name))
			}
			if slices.Contains([]string{"true", "false", "null"}, v.Name) {
				c.find(v.Position, coordinate, v.Name+" is a word of GraphQL, which no enum can have",
					fmt.Sprintf("rename %s to %s in enum %s", v.Name, strings.ToUpper(v.Name), def.Name))
			}
		}
	case ast.Union:
		for i, name := range def.Types {
			if slices.Contains(def.Types[:i], name) {
				c.find(placeOfMember(def, i), def.Name, fmt.Sprintf("the union has %s already", name),
					fmt.Sprintf("remove %s from union %s, here or before", name, def.Name))
			}
		}
	}
}

// placeOfMember returns where a union names one of its types.
func placeOfMember(def *ast.Definition, i int) *ast.Position {
	if i < len(def.TypePositions) && def.TypePositions[i] != nil {
		return def.TypePositions[i]
	}
	return def.Position
}

// checkCycle finds fields that are never null through which an input contains itself: no value would be finite.
func (c *Checker) checkCycle(def *ast.Definition, fields ast.FieldList, seen map[string]bool) {
	for _, f := range fields {
		of := c.whole[f.Type.NamedType]
		if !f.Type.NonNull || f.Type.Elem != nil || of == nil || of.Kind != ast.InputObject || seen[of.Name] {
			continue
		}
		if of.Name != def.Name {
			seen[of.Name] = true
			c.checkCycle(def, of.Fields, seen)
			continue
		}
		c.findCycle(def, f)
	}
}

func (c *Checker) findCycle(def *ast.Definition, f *ast.FieldDefinition) {
	for _, other := range c.whole {
		if other.Fields.ForName(f.Name) == f {
			c.find(f.Position, other.Name+"."+f.Name, fmt.Sprintf("each %s would contain another one", def.Name),
				sdl.Retype(other.Name, f, sdl.Nullable(f.Type)))
		}
	}
}

// checkFieldsOf finds fields of an object that do not have the type or the arguments of its interface.
func (c *Checker) checkFieldsOf(def, of *ast.Definition) {
	for _, required := range of.Fields {
		f := def.Fields.ForName(required.Name)
		if f == nil {
			continue // checkImplements finds this.
		}
		coordinate := def.Name + "." + f.Name
		if !c.isCovariant(required.Type, f.Type) {
			c.find(f.Position, coordinate, fmt.Sprintf("%s.%s has type %s", of.Name, f.Name, required.Type),
				fmt.Sprintf("return %s in %s", required.Type, coordinate))
		}
		for _, a := range required.Arguments {
			switch own := f.Arguments.ForName(a.Name); {
			case own == nil:
				c.find(f.Position, coordinate, fmt.Sprintf("%s.%s has an argument %s", of.Name, f.Name, a.Name),
					fmt.Sprintf("add the argument %s: %s to field %s", a.Name, a.Type, coordinate))
			case own.Type.String() != a.Type.String():
				c.find(own.Position, coordinate, fmt.Sprintf("%s of %s.%s has type %s", a.Name, of.Name, f.Name, a.Type),
					fmt.Sprintf("on field %s replace %s: %s with %s: %s", coordinate, a.Name, own.Type, a.Name, a.Type))
			}
		}
		for _, a := range f.Arguments {
			if required.Arguments.ForName(a.Name) == nil && a.Type.NonNull && a.DefaultValue == nil {
				c.find(a.Position, coordinate,
					fmt.Sprintf("%s.%s has no argument %s, so it cannot be required", of.Name, f.Name, a.Name),
					fmt.Sprintf("on field %s replace %s: %s with %s: %s", coordinate, a.Name, a.Type, a.Name, sdl.Nullable(a.Type)))
			}
		}
	}
}

// isCovariant reports whether all values of a type are of another one.
func (c *Checker) isCovariant(required, actual *ast.Type) bool {
	if required.NonNull && !actual.NonNull || (required.Elem == nil) != (actual.Elem == nil) {
		return false
	}
	if required.Elem != nil {
		return c.isCovariant(required.Elem, actual.Elem)
	}
	if required.NamedType == actual.NamedType {
		return true
	}
	general, special := c.whole[required.NamedType], c.whole[actual.NamedType]
	return general != nil && slices.Contains(general.Types, actual.NamedType) ||
		special != nil && slices.Contains(special.Interfaces, required.NamedType)
}
