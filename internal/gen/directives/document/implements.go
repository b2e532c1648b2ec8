package document

import (
	"fmt"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/gen/directives/finding"
	"github.com/partita/partita/internal/gen/directives/sdl"
)

// checkInterfaces finds fields of objects that do not fit to those of their interfaces.
func (c *Checker) checkInterfaces(own []*ast.Definition) {
	for _, def := range own {
		for _, name := range def.Interfaces {
			if of := c.whole[name]; of != nil && of.Kind == ast.Interface && def.Kind != ast.InputObject {
				c.checkFieldsOf(c.whole[def.Name], of)
			}
		}
	}
}

// checkImplements finds fields of an interface that an object lacks.
func (c *Checker) checkImplements(def, of *ast.Definition) {
	var missing []string
	for _, f := range of.Fields {
		if c.types[def.Name].Fields.ForName(f.Name) != nil || def.Fields.ForName(f.Name) != nil ||
			len(f.Arguments) > 0 {
			continue
		}
		if other := misspeltField(f, def, of); other != nil {
			c.find(other.Position, def.Name+"."+other.Name,
				finding.IsLikely(f.Name, fmt.Sprintf("%s implements %s, but has no field %s", def.Name, of.Name, f.Name)),
				fmt.Sprintf("rename %s to %s in type %s", other.Name, f.Name, def.Name))
			continue
		}
		missing = append(missing, fmt.Sprintf("add %s: %s to type %s", f.Name, f.Type, def.Name))
	}
	if len(missing) > 0 {
		c.find(def.Position, def.Name, fmt.Sprintf("the type implements %s, but lacks fields of it", of.Name),
			strings.Join(missing, "\n"))
	}
}

// misspeltField returns the field of an object that is probably one of its interface, or nil.
func misspeltField(f *ast.FieldDefinition, def, of *ast.Definition) *ast.FieldDefinition {
	var names []string
	for _, other := range def.Fields {
		if of.Fields.ForName(other.Name) == nil && other.Type.String() == f.Type.String() &&
			len(other.Directives) == 0 {
			names = append(names, other.Name)
		}
	}
	return def.Fields.ForName(finding.Likely(f.Name, names))
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
