package directives

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/parser"
)

// documentChecker checks the names in the text of a schema. It finds all of them, while gqlparser returns the first.
type documentChecker struct {
	types      map[string]*ast.Definition
	directives map[string]*ast.DirectiveDefinition
	findings   Findings
}

// checkDocument finds types, directives and arguments of directives that are declared nowhere or twice, and values of
// such arguments that are not of their type.
func checkDocument(document *ast.SchemaDocument) Findings {
	c := &documentChecker{types: map[string]*ast.Definition{}, directives: map[string]*ast.DirectiveDefinition{}}
	c.collect(document)
	for _, d := range document.Directives {
		c.checkArguments("@"+d.Name, d.Arguments)
	}
	for _, def := range slices.Concat(document.Definitions, document.Extensions) {
		if !def.BuiltIn {
			c.checkDefinition(def)
		}
	}
	for _, s := range slices.Concat(document.Schema, document.SchemaExtension) {
		for _, root := range s.OperationTypes {
			c.checkType(root.Position, "schema", root.Type, isKind(ast.Object))
		}
		c.checkDirectives("schema", s.Directives, ast.LocationSchema)
	}
	return c.findings
}

func (c *documentChecker) find(at *ast.Position, coordinate, what, fix string) {
	c.findings = append(c.findings, finding(at, coordinate, what, fix))
}

func (c *documentChecker) collect(document *ast.SchemaDocument) {
	for _, def := range document.Definitions {
		if first := c.types[def.Name]; first != nil {
			what := fmt.Sprintf("type %s is declared already", def.Name)
			fix := "remove type " + def.Name + " here"
			if !first.BuiltIn {
				what += fmt.Sprintf(" (%s:%d:%d)", first.Position.Src.Name, first.Position.Line, first.Position.Column)
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
		if c.types[def.Name] == nil {
			c.types[def.Name] = def
		}
	}
	for _, d := range document.Directives {
		c.directives[d.Name] = d
	}
}

func (c *documentChecker) checkDefinition(def *ast.Definition) {
	c.checkDirectives(def.Name, def.Directives, ast.DirectiveLocation(def.Kind))
	isInput := def.Kind == ast.InputObject
	for _, f := range def.Fields {
		coordinate := def.Name + "." + f.Name
		location, allowed := ast.LocationFieldDefinition, isOutput
		if isInput {
			location, allowed = ast.LocationInputFieldDefinition, isInputType
		}
		c.checkType(f.Position, coordinate, f.Type.Name(), allowed)
		c.checkArguments(coordinate, f.Arguments)
		c.checkDirectives(coordinate, f.Directives, location)
	}
	for _, v := range def.EnumValues {
		c.checkDirectives(def.Name+"."+v.Name, v.Directives, ast.LocationEnumValue)
	}
	for i, name := range def.Types {
		at := def.Position
		if i < len(def.TypePositions) && def.TypePositions[i] != nil {
			at = def.TypePositions[i]
		}
		c.checkType(at, def.Name, name, isKind(ast.Object))
	}
	for _, name := range def.Interfaces {
		c.checkType(def.Position, def.Name, name, isKind(ast.Interface))
		if it := c.types[name]; it != nil && it.Kind == ast.Interface {
			c.checkImplements(def, it)
		}
	}
}

// checkImplements finds fields of an interface that an object lacks.
func (c *documentChecker) checkImplements(def, of *ast.Definition) {
	var missing []string
	for _, f := range of.Fields {
		if c.types[def.Name].Fields.ForName(f.Name) == nil && def.Fields.ForName(f.Name) == nil && len(f.Arguments) == 0 {
			missing = append(missing, fmt.Sprintf("add %s: %s to type %s", f.Name, f.Type, def.Name))
		}
	}
	if len(missing) > 0 {
		c.find(def.Position, def.Name, fmt.Sprintf("the type implements %s, but lacks fields of it", of.Name),
			strings.Join(missing, "\n"))
	}
}

func (c *documentChecker) checkArguments(coordinate string, arguments ast.ArgumentDefinitionList) {
	for _, a := range arguments {
		c.checkType(a.Position, coordinate, a.Type.Name(), isInputType)
		c.checkDirectives(coordinate, a.Directives, ast.LocationArgumentDefinition)
	}
}

func isKind(kind ast.DefinitionKind) func(*ast.Definition) bool {
	return func(def *ast.Definition) bool { return def.Kind == kind }
}

func isOutput(def *ast.Definition) bool { return def.Kind != ast.InputObject }

func isInputType(def *ast.Definition) bool { return def.IsInputType() }

// checkType finds the name of a type that is declared nowhere. Only types that are allowed in its place are likely.
func (c *documentChecker) checkType(at *ast.Position, coordinate, name string, allowed func(*ast.Definition) bool) {
	if c.types[name] != nil {
		return
	}
	var candidates []string
	for _, other := range slices.Sorted(maps.Keys(c.types)) {
		if !strings.HasPrefix(other, "__") && allowed(c.types[other]) {
			candidates = append(candidates, other)
		}
	}
	what, likely := fmt.Sprintf("there is no type %s", name), Likely(name, candidates)
	switch {
	case likely != "":
		c.find(at, coordinate, isLikely(likely, what), fmt.Sprintf("replace %s with %s", name, likely))
	case slices.Contains([]string{"Time", "Date", "Int64"}, name):
		c.find(at, coordinate, what, "add scalar "+name)
	default:
		c.find(at, coordinate, what, "replace "+name+" with "+substitute(candidates)+", or declare "+name)
	}
}

// substitute returns the type that most fields have, or else the first one.
func substitute(candidates []string) string {
	if slices.Contains(candidates, "String") || len(candidates) == 0 {
		return "String"
	}
	return candidates[0]
}

// checkDirectives finds directives at one place, and arguments of them, that do not exist.
func (c *documentChecker) checkDirectives(coordinate string, list ast.DirectiveList, at ast.DirectiveLocation) {
	for _, d := range list {
		def := c.directives[d.Name]
		if def == nil {
			c.unknownDirective(d, coordinate, at)
			continue
		}
		if !slices.Contains(def.Locations, at) {
			c.find(d.Position, coordinate, fmt.Sprintf("@%s cannot be on %s", d.Name, inWords(at)),
				fmt.Sprintf("remove @%s, which belongs on %s", d.Name, placesOf(def)))
			continue
		}
		c.checkDirective(d, def, coordinate)
	}
}

func (c *documentChecker) unknownDirective(d *ast.Directive, coordinate string, at ast.DirectiveLocation) {
	what := "there is no directive @" + d.Name
	if declared()[d.Name] != nil {
		c.find(d.Position, coordinate, what+" in the schema", outdated)
		return
	}
	var candidates []string
	for _, name := range slices.Sorted(maps.Keys(c.directives)) {
		if slices.Contains(c.directives[name].Locations, at) {
			candidates = append(candidates, name)
		}
	}
	if likely := Likely(d.Name, candidates); likely != "" {
		c.find(d.Position, coordinate, isLikely("@"+likely, what), fmt.Sprintf("replace @%s with @%s", d.Name, likely))
		return
	}
	c.find(d.Position, coordinate, what, "remove @"+d.Name+", or declare it")
}

// outdated is the fix for what this version declares, but not the schema's own copy.
const outdated = "remove directives.graphqls, and run partitagen -init: the file is of an older version"

func (c *documentChecker) checkDirective(d *ast.Directive, def *ast.DirectiveDefinition, coordinate string) {
	var names []string
	for _, a := range def.Arguments {
		if d.Arguments.ForName(a.Name) == nil {
			names = append(names, a.Name)
		}
	}
	renamed := map[string]bool{}
	for _, a := range d.Arguments {
		if declared := def.Arguments.ForName(a.Name); declared != nil {
			c.checkValue(a, declared, d, coordinate)
			continue
		}
		what, likely := fmt.Sprintf("@%s has no argument %s", d.Name, a.Name), Likely(a.Name, names)
		ours := declared()[d.Name]
		switch {
		case ours != nil && ours.Arguments.ForName(a.Name) != nil:
			c.find(a.Position, coordinate, what+" in the schema", outdated)
		case likely != "":
			renamed[likely] = true
			c.find(a.Position, coordinate, isLikely(likely, what), fmt.Sprintf("replace %s: with %s:", a.Name, likely))
		default:
			c.find(a.Position, coordinate, what, fmt.Sprintf("remove %s from @%s", a.Name, d.Name))
		}
	}
	for _, a := range def.Arguments {
		given := d.Arguments.ForName(a.Name)
		if a.Type.NonNull && a.DefaultValue == nil && given == nil && !renamed[a.Name] {
			c.find(d.Position, coordinate, fmt.Sprintf("@%s needs the argument %s", d.Name, a.Name),
				fmt.Sprintf("write %s: %s", a.Name, c.missingValue(a, d, coordinate)))
		}
	}
}

// missingValue returns a value for an argument that a directive lacks: of two keys, that of the other.
func (c *documentChecker) missingValue(a *ast.ArgumentDefinition, d *ast.Directive, coordinate string) string {
	for _, other := range d.Arguments {
		if (a.Name == "pk" || a.Name == "sk") && (other.Name == "pk" || other.Name == "sk") && c.isOf(other.Value, a.Type) {
			return other.Value.String()
		}
	}
	return c.example(a.Type, coordinate)
}

// checkValue finds a value that is not of its argument's type: gqlparser checks none in a schema.
func (c *documentChecker) checkValue(
	a *ast.Argument, def *ast.ArgumentDefinition, d *ast.Directive, coordinate string,
) {
	if c.isOf(a.Value, def.Type) {
		return
	}
	what := fmt.Sprintf("%s of @%s has type %s, but the value is %s", a.Name, d.Name, def.Type, a.Value)
	fix := fmt.Sprintf("write %s: %s", a.Name, c.example(def.Type, coordinate))
	if enum := c.types[def.Type.Name()]; enum != nil && enum.Kind == ast.Enum {
		var names []string
		for _, v := range enum.EnumValues {
			names = append(names, v.Name)
		}
		what = fmt.Sprintf("%s is not a value of %s", a.Value, enum.Name)
		fix = fmt.Sprintf("write %s: %s, or another of %s", a.Name, names[0], oneOf(names))
		if likely := Likely(a.Value.Raw, names); likely != "" {
			what, fix = isLikely(likely, what), fmt.Sprintf("write %s: %s", a.Name, likely)
		}
	}
	if text := `"` + a.Value.Raw + `"`; def.Type.Name() == "String" && def.Type.Elem == nil && a.Value.Raw != "" {
		fix = fmt.Sprintf("write %s: %s", a.Name, text)
	}
	if _, err := strconv.Atoi(a.Value.Raw); err == nil && def.Type.Name() == "Int" && def.Type.Elem == nil {
		fix = fmt.Sprintf("write %s: %s", a.Name, a.Value.Raw)
	}
	c.find(d.Position, coordinate, what, fix)
}

// isOf reports whether a value is of a type.
func (c *documentChecker) isOf(v *ast.Value, t *ast.Type) bool {
	if v.Kind == ast.NullValue {
		return !t.NonNull
	}
	if t.Elem != nil {
		if v.Kind != ast.ListValue {
			return c.isOf(v, t.Elem)
		}
		return !slices.ContainsFunc(v.Children, func(child *ast.ChildValue) bool { return !c.isOf(child.Value, t.Elem) })
	}
	switch t.Name() {
	case "String":
		return v.Kind == ast.StringValue || v.Kind == ast.BlockValue
	case "Int":
		return v.Kind == ast.IntValue
	case "Float":
		return v.Kind == ast.IntValue || v.Kind == ast.FloatValue
	case "Boolean":
		return v.Kind == ast.BooleanValue
	}
	def := c.types[t.Name()]
	if def != nil && def.Kind == ast.Enum {
		return v.Kind == ast.EnumValue && def.EnumValues.ForName(v.Raw) != nil
	}
	return true
}

// example returns a value of a type.
func (c *documentChecker) example(t *ast.Type, coordinate string) string {
	switch def := c.types[t.Name()]; {
	case t.Elem != nil:
		return "[" + c.example(t.Elem, coordinate) + "]"
	case def != nil && def.Kind == ast.Enum:
		return def.EnumValues[0].Name
	case t.Name() == "Int", t.Name() == "Float":
		return "1"
	case t.Name() == "Boolean":
		return "true"
	}
	name, _, _ := strings.Cut(coordinate, ".")
	return `"` + constantCase(name) + `#{id}"`
}

func inWords(at ast.DirectiveLocation) string {
	words := strings.ToLower(strings.ReplaceAll(string(at), "_", " "))
	if strings.ContainsAny(words[:1], "aeiou") {
		return "an " + words
	}
	return "a " + words
}

func placesOf(def *ast.DirectiveDefinition) string {
	places := make([]string, len(def.Locations))
	for i, at := range def.Locations {
		places[i] = inWords(at)
	}
	return oneOf(places)
}

// declared returns the directives of this version.
var declared = sync.OnceValue(func() map[string]*ast.DirectiveDefinition {
	list := map[string]*ast.DirectiveDefinition{}
	document, err := parser.ParseSchema(&ast.Source{Name: "directives.graphqls", Input: Definitions})
	if err != nil {
		panic(fmt.Sprintf("directives: bug: %v", err))
	}
	for _, d := range document.Directives {
		list[d.Name] = d
	}
	return list
})
