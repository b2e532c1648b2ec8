package complete

import (
	"fmt"
	"slices"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/gen/directives/finding"
	"github.com/partita/partita/internal/gen/directives/reading"
	"github.com/partita/partita/internal/gen/directives/sdl"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// completeMutations adds the mutations of types with @mutable, and their inputs and payloads, as far as the schema does
// not declare them. The findings are for mutations whose input would have no fields. What else cannot be added is left
// out: Read finds the reason.
func completeMutations(all *ast.SchemaDocument) finding.Findings {
	c := &mutationCompleter{all: all, types: sdl.Merged(all), delimiter: sdl.DelimiterOf(all), nested: map[string]bool{}}
	for _, def := range all.Definitions {
		def = c.types[def.Name]
		item := def.Directives.ForName("item")
		if def.Kind != ast.Object || item == nil || def.Directives.ForName("mutable") == nil {
			continue
		}
		names := c.identity(item)
		if slices.ContainsFunc(names, func(name string) bool { return def.Fields.ForName(name) == nil }) {
			continue // An input would lack them.
		}
		for _, m := range reading.MutationsOf(def, names) {
			if !reading.FieldName.MatchString(m.Name) {
				continue
			}
			var fields []field
			if c.types[m.Input()] == nil {
				if fields = c.inputFields(m); len(fields) == 0 {
					c.findings = append(c.findings, emptyInput(m))
					continue
				}
			}
			c.add(m, fields)
		}
	}
	c.actions()
	if c.root != nil {
		if len(c.root.Fields) > 0 {
			all.Extensions = append(all.Extensions, c.root)
		}
		errs := sdl.UserErrors()
		for _, def := range errs.Definitions {
			place(def, c.root.Position)
		}
		c.define(errs)
		c.codes()
	}
	return c.findings
}

// emptyInput returns the finding for a mutation of the viewer's own object that needs no value, because GraphQL has no
// input without fields.
func emptyInput(m *reading.Mutation) finding.Finding {
	added := func(name string) string {
		if m.Def.Fields.ForName(name) != nil {
			name = sdl.Renamed(m.Def, name)
		}
		return name
	}
	name := added("name")
	fix := fmt.Sprintf("add %s: String to type %s, or another field that %s sets", name, m.Def.Name, m.Name)
	if m.Kind == design.DeleteMutation {
		name = added("version")
		fix = fmt.Sprintf("add %s: Int! to type %s\nadd @version to field %s.%s, so that the input has the version",
			name, m.Def.Name, m.Def.Name, name)
	}
	return finding.At(m.Directive.Position, m.Def.Name,
		fmt.Sprintf("@mutable declares %s, but its input %s would have no fields", m.Name, m.Input()), fix)
}

// mutationCompleter is one run of completeMutations.
type mutationCompleter struct {
	all *ast.SchemaDocument
	// types are the definitions of the document with their extensions, and those that have been added.
	types     map[string]*ast.Definition
	delimiter string
	// nested are the objects with an input that has been added.
	nested map[string]bool
	// root is the extension of Mutation with the added fields; nil if there is no mutation.
	root     *ast.Definition
	findings finding.Findings
}

// identity returns the identity of the items of an @item, nil if its templates cannot be read.
func (c *mutationCompleter) identity(item *ast.Directive) []string {
	pk, _ := sdl.Raw(item, "pk").(string)
	sk, _ := sdl.Raw(item, "sk").(string)
	var shape keys.Shape
	var err, err2 error
	shape.PK, err = keys.ParseDelimited(c.delimiter, pk)
	shape.SK, err2 = keys.ParseDelimited(c.delimiter, sk)
	if err != nil || err2 != nil {
		return nil
	}
	return reading.Identity(shape)
}

// mutationText is what the template of a mutation needs.
type mutationText struct {
	*reading.Mutation
	// Root is the name of the root type of mutations.
	Root   string
	Fields []field
}

// Version returns the field with the version of the object, or nil.
func (m mutationText) Version() *ast.FieldDefinition { return sdl.VersionOf(m.Def) }

// Unique lists the fields whose values can be taken.
func (m mutationText) Unique() string {
	var unique []string
	for _, f := range m.Inputs() {
		if f.Directives.ForName("unique") != nil {
			unique = append(unique, "`"+f.Name+"`")
		}
	}
	return sdl.OneOf(unique)
}

func (c *mutationCompleter) add(m *reading.Mutation, fields []field) {
	c.findRoot(m.Directive.Position)
	c.addText(m.Directive.Position, reading.Verbs[m.Kind], mutationText{m, c.root.Name, fields})
}

// addText adds the definitions of a template.
func (c *mutationCompleter) addText(at *ast.Position, template string, data any) {
	c.define(definitions(at, template, data))
}

// findRoot finds the name of the root type of mutations, and declares it if the schema does not.
func (c *mutationCompleter) findRoot(at *ast.Position) {
	if c.root != nil {
		return
	}
	name := c.rootName()
	if name == "" {
		name = "Mutation"
		for _, s := range c.all.Schema {
			s.OperationTypes = append(s.OperationTypes,
				&ast.OperationTypeDefinition{Operation: ast.Mutation, Type: name, Position: at})
		}
	}
	c.addText(at, "root", name)
	c.root = &ast.Definition{Kind: ast.Object, Name: name, Position: at}
}

// rootName returns the name of the root type of mutations that the schema declares, or "".
func (c *mutationCompleter) rootName() string {
	name := ""
	for _, s := range slices.Concat(c.all.Schema, c.all.SchemaExtension) {
		for _, root := range s.OperationTypes {
			if root.Operation == ast.Mutation {
				name = root.Type
			}
		}
	}
	return name
}

// define adds the definitions and the fields of Mutation that the schema does not have.
func (c *mutationCompleter) define(document *ast.SchemaDocument) {
	for _, def := range document.Definitions {
		if c.types[def.Name] == nil {
			c.all.Definitions = append(c.all.Definitions, def)
			whole := *def // The fields of Mutation come later, in extensions.
			c.types[def.Name] = &whole
		}
	}
	for _, def := range document.Extensions {
		whole := c.types[def.Name]
		for _, f := range def.Fields {
			if whole.Fields.ForName(f.Name) == nil {
				c.root.Fields, whole.Fields = append(c.root.Fields, f), append(whole.Fields, f)
			}
		}
	}
}

// inputFields returns the fields of a mutation's input.
func (c *mutationCompleter) inputFields(m *reading.Mutation) []field {
	at := m.Directive.Position
	var fields []field
	if m.HasID() {
		fields = append(fields, field{"The `id` of the " + m.Def.Name + ".", "id", ast.NonNullNamedType("ID", at), nil})
	}
	for _, name := range m.KeyNames() {
		if f := m.Def.Fields.ForName(name); f != nil {
			fields = append(fields, field{f.Description, name, c.inputType(f.Type, at), nil})
		}
	}
	if v := sdl.VersionOf(m.Def); v != nil && m.Kind != design.CreateMutation {
		fields = append(fields, field{"The version that this is based on.", v.Name, ast.NonNullNamedType("Int", at), nil})
	}
	fields = append(fields, c.valueFields(m.Inputs(), m.IsRequired, at)...)
	if m.GeneratesID() {
		const description = "Makes the creation happen once: repeated with the same key and input within a day, " +
			"it returns the same object."
		fields = append(fields, field{description, reading.IdempotencyKey, ast.NamedType("String", at), nil})
	}
	return fields
}

// valueFields returns the fields of an input for values of fields.
func (c *mutationCompleter) valueFields(
	of []*ast.FieldDefinition, isRequired func(*ast.FieldDefinition) bool, at *ast.Position,
) []field {
	var fields []field
	for _, f := range of {
		if typ := c.inputType(f.Type, at); typ != nil {
			typ.NonNull = isRequired(f)
			fields = append(fields, field{f.Description, f.Name, typ, deprecation(f, typ)})
		}
	}
	return fields
}

func isNonNull(f *ast.FieldDefinition) bool { return f.Type.NonNull }

// deprecation returns the @deprecated of a field for a field of an input, so that clients expect the removal of both. A
// required field of an input cannot be deprecated.
//
// https://spec.graphql.org/September2025/#sec--deprecated
func deprecation(f *ast.FieldDefinition, input *ast.Type) ast.DirectiveList {
	d := f.Directives.ForName("deprecated")
	if d == nil || input.NonNull {
		return nil
	}
	return ast.DirectiveList{d}
}

// inputType returns the type of an input for values of a type. It adds the inputs of objects, and is nil if there can
// be none.
func (c *mutationCompleter) inputType(t *ast.Type, at *ast.Position) *ast.Type {
	other := *t
	other.Position = at
	if t.Elem != nil {
		if other.Elem = c.inputType(t.Elem, at); other.Elem == nil {
			return nil
		}
		return &other
	}
	def := c.types[t.NamedType]
	switch {
	case def == nil || def.IsInputType():
		return &other
	case def.Kind != ast.Object || def.Directives.ForName("item") != nil:
		return nil
	}
	other.NamedType = reading.NestedInput(def.Name)
	if c.types[other.NamedType] == nil && !c.nested[def.Name] {
		c.nested[def.Name] = true // It may contain itself.
		attributes := slices.DeleteFunc(slices.Clone(def.Fields), func(f *ast.FieldDefinition) bool {
			return !sdl.IsAttribute(f)
		})
		c.addText(at, "nested", map[string]any{
			"Object": def.Name, "Name": other.NamedType, "Fields": c.valueFields(attributes, isNonNull, at),
		})
	}
	return &other
}
