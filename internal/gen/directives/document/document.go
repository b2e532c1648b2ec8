// Package document checks the names and values in the text of a schema, before anything is read from it.
package document

import (
	"fmt"
	"maps"
	"slices"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/gen/directives/finding"
	"github.com/partita/partita/internal/gen/directives/sdl"
)

// Check finds types, directives and arguments of directives that are declared nowhere or twice, and values of
// such arguments that are not of their type. own are the definitions that have not been added to the document: a fault
// of an added one follows from another one, unless there is no other.
func Check(document *ast.SchemaDocument, own []*ast.Definition) finding.Findings {
	c := NewChecker(document)
	for _, d := range document.Directives {
		c.checkArguments("@"+d.Name, d.Arguments)
	}
	for _, s := range slices.Concat(document.Schema, document.SchemaExtension) {
		for _, root := range s.OperationTypes {
			c.checkType(root.Position, "schema", root.Type, isKind(ast.Object))
		}
		c.checkDirectives("schema", s.Directives, ast.LocationSchema)
	}
	for _, def := range own {
		c.checkDefinition(def)
	}
	c.checkUnknown(own, sdl.QueryName(document))
	c.checkExtensions(document, own)
	if len(c.findings) == 0 {
		c.checkInterfaces(own)
	}
	if len(c.findings) == 0 {
		for _, def := range sdl.Declarations(document) {
			if !slices.Contains(own, def) {
				c.checkDefinition(def)
			}
		}
		c.checkUnknown(own, sdl.QueryName(document))
	}
	return c.findings
}

// NewChecker returns a checker with the definitions of a document, and findings for those that are there twice.
func NewChecker(document *ast.SchemaDocument) *Checker {
	c := &Checker{
		types: map[string]*ast.Definition{}, directives: map[string]*ast.DirectiveDefinition{},
		fields: map[string]*ast.FieldDefinition{}, whole: sdl.Merged(document), noSortKey: sdl.HasNoSortKey(document),
	}
	c.collect(document)
	return c
}

func (c *Checker) collect(document *ast.SchemaDocument) {
	for _, def := range document.Definitions {
		if first := c.types[def.Name]; first != nil {
			what := fmt.Sprintf("type %s is declared already", def.Name)
			fix := "remove type " + def.Name + " here"
			if !first.BuiltIn {
				what += " (" + finding.PlaceOf(first.Position) + ")"
			}
			if def.Kind == ast.Object && first.Kind == ast.Object {
				fix = "write extend type " + def.Name + " here, or give one of them another name"
			}
			c.find(def.Position, def.Name, what, fix)
			continue
		}
		c.types[def.Name] = def
	}
	for _, def := range document.Extensions {
		switch first := c.types[def.Name]; {
		case first == nil:
			c.types[def.Name] = def
		case first.Kind != def.Kind:
			c.find(def.Position, def.Name, fmt.Sprintf("%s is %s", def.Name, sdl.KindInWords(first.Kind)),
				fmt.Sprintf("write extend %s %s here", sdl.Keyword(first.Kind), def.Name))
		}
	}
	for _, d := range document.Directives {
		c.directives[d.Name] = d
	}
}

func (c *Checker) checkDefinition(def *ast.Definition) {
	c.checkDirectives(def.Name, def.Directives, ast.DirectiveLocation(def.Kind))
	isInput := def.Kind == ast.InputObject
	for _, f := range def.Fields {
		coordinate := def.Name + "." + f.Name
		if first := c.fields[coordinate]; first != nil {
			c.find(f.Position, coordinate,
				fmt.Sprintf("the field %s is declared already (%s)", f.Name, finding.PlaceOf(first.Position)),
				fmt.Sprintf("remove %s from type %s, here or there", f.Name, def.Name))
			continue
		}
		c.fields[coordinate] = f
		location, allowed := ast.LocationFieldDefinition, isOutput
		if isInput {
			location, allowed = ast.LocationInputFieldDefinition, isInputType
		}
		c.checkType(placeOfType(f.Type, f.Position), coordinate, f.Type.Name(), allowed)
		c.checkArguments(coordinate, f.Arguments)
		c.checkDirectives(coordinate, f.Directives, location)
	}
	for _, v := range def.EnumValues {
		c.checkDirectives(def.Name+"."+v.Name, v.Directives, ast.LocationEnumValue)
	}
	for i, name := range def.Types {
		c.checkType(placeOfMember(def, i), def.Name, name, isKind(ast.Object))
	}
	for _, name := range def.Interfaces {
		c.checkType(def.Position, def.Name, name, isKind(ast.Interface))
		if it := c.types[name]; it != nil && it.Kind == ast.Interface {
			c.checkImplements(def, it)
		}
	}
}

func (c *Checker) checkArguments(coordinate string, arguments ast.ArgumentDefinitionList) {
	for _, a := range arguments {
		c.checkType(placeOfType(a.Type, a.Position), coordinate, a.Type.Name(), isInputType)
		if v := a.DefaultValue; v != nil && !c.isOf(v, a.Type) {
			c.find(v.Position, coordinate, fmt.Sprintf("%s has type %s, but its default is %s", a.Name, a.Type, v),
				fmt.Sprintf("replace %s with %s", v, c.example(a.Type, coordinate)))
		}
		c.checkDirectives(coordinate, a.Directives, ast.LocationArgumentDefinition)
	}
}

func isKind(kind ast.DefinitionKind) func(*ast.Definition) bool {
	return func(def *ast.Definition) bool { return def.Kind == kind }
}

func isOutput(def *ast.Definition) bool { return def.Kind != ast.InputObject }

func isInputType(def *ast.Definition) bool { return def.IsInputType() }

// checkDirectives finds directives at one place, and arguments of them, that do not exist.
func (c *Checker) checkDirectives(coordinate string, list ast.DirectiveList, at ast.DirectiveLocation) {
	for i, d := range list {
		def := c.directives[d.Name]
		if def == nil {
			c.unknownDirective(d, coordinate, at)
			continue
		}
		if !def.IsRepeatable && list[:i].ForName(d.Name) != nil {
			c.find(d.Position, coordinate, "a second @"+d.Name,
				fmt.Sprintf("remove @%s from %s, here or before", d.Name, ofFix(coordinate, at)))
			continue
		}
		if !slices.Contains(def.Locations, at) {
			c.find(d.Position, coordinate, fmt.Sprintf("@%s cannot be on %s", d.Name, sdl.InWords(at)),
				fmt.Sprintf("remove @%s, which belongs on %s", d.Name, placesOf(def)))
			continue
		}
		c.checkDirective(d, def, coordinate)
	}
}

func (c *Checker) unknownDirective(d *ast.Directive, coordinate string, at ast.DirectiveLocation) {
	what := "there is no directive @" + d.Name
	var candidates []string
	for _, name := range slices.Sorted(maps.Keys(c.directives)) {
		if slices.Contains(c.directives[name].Locations, at) {
			candidates = append(candidates, name)
		}
	}
	if likely := finding.Likely(d.Name, candidates); likely != "" {
		c.find(d.Position, coordinate, finding.IsLikely("@"+likely, what), fmt.Sprintf("replace @%s with @%s", d.Name,
			likely))
		return
	}
	c.find(d.Position, coordinate, what, "remove @"+d.Name+", or declare it")
}

// ofFix names what has a directive, as a fix does.
func ofFix(coordinate string, at ast.DirectiveLocation) string {
	if at == ast.LocationFieldDefinition {
		return "field " + coordinate
	}
	return "type " + coordinate
}

func placesOf(def *ast.DirectiveDefinition) string {
	places := make([]string, len(def.Locations))
	for i, at := range def.Locations {
		places[i] = sdl.InWords(at)
	}
	return sdl.OneOf(places)
}

// placeOfMember returns where a union names one of its types.
func placeOfMember(def *ast.Definition, i int) *ast.Position {
	if i < len(def.TypePositions) && def.TypePositions[i] != nil {
		return def.TypePositions[i]
	}
	return def.Position
}

// Valid returns the directives of a list that have no faults, as gqlparser's validation would leave them.
func (c *Checker) Valid(list ast.DirectiveList, at ast.DirectiveLocation) ast.DirectiveList {
	var valid ast.DirectiveList
	for _, d := range list {
		def := c.directives[d.Name]
		if def == nil || !slices.Contains(def.Locations, at) || !def.IsRepeatable && valid.ForName(d.Name) != nil {
			continue
		}
		before := len(c.findings)
		if c.checkDirective(d, def, ""); len(c.findings) == before {
			defined := *d
			defined.Definition = def
			valid = append(valid, &defined)
		}
	}
	return valid
}
