package complete

import (
	"fmt"
	"slices"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/keys/gen/directives/finding"
	"github.com/partita/partita/keys/gen/directives/reading"
	"github.com/partita/partita/keys/gen/directives/sdl"
)

// completeMutations adds the mutations of types with @mutable, and their inputs and payloads, as far as the schema does
// not declare them. The findings are for mutations whose input would have no fields. What else cannot be added is left
// out: Read finds the reason.
func completeMutations(all *ast.SchemaDocument) finding.Findings {
	c := &mutationCompleter{all: all, types: sdl.Merged(all), delimiter: sdl.DelimiterOf(all)}
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
			switch {
			case !reading.FieldName.MatchString(m.Name):
			case c.types[m.Input()] == nil && len(c.inputFields(m)) == 0:
				c.findings = append(c.findings, emptyInput(m))
			default:
				c.add(m)
			}
		}
	}
	if c.root != nil {
		all.Extensions = append(all.Extensions, c.root)
		c.addUserErrors()
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

func (c *mutationCompleter) add(m *reading.Mutation) {
	c.findRoot(m.Directive.Position)
	if whole := c.types[c.root.Name]; whole.Fields.ForName(m.Name) == nil {
		field := c.field(m, m.Name, describe(m).field, ast.NamedType(m.Payload(), m.Directive.Position))
		field.Arguments = ast.ArgumentDefinitionList{{
			Name: "input", Description: describe(m).argument, Position: m.Directive.Position,
			Type: ast.NonNullNamedType(m.Input(), m.Directive.Position),
		}}
		c.root.Fields, whole.Fields = append(c.root.Fields, field), append(whole.Fields, field)
	}
	c.define(m.Directive.Position, ast.InputObject, m.Input(), describe(m).input, func() ast.FieldList {
		return c.inputFields(m)
	})
	c.define(m.Directive.Position, ast.Object, m.Payload(), describe(m).payload, func() ast.FieldList {
		return c.payloadFields(m)
	})
}

// findRoot finds the name of the root type of mutations, and declares it if the schema does not.
func (c *mutationCompleter) findRoot(at *ast.Position) {
	if c.root != nil {
		return
	}
	name := ""
	for _, s := range slices.Concat(c.all.Schema, c.all.SchemaExtension) {
		for _, root := range s.OperationTypes {
			if root.Operation == ast.Mutation {
				name = root.Type
			}
		}
	}
	if name == "" {
		name = "Mutation"
		for _, s := range c.all.Schema {
			s.OperationTypes = append(s.OperationTypes,
				&ast.OperationTypeDefinition{Operation: ast.Mutation, Type: name, Position: at})
		}
	}
	c.define(at, ast.Object, name, descriptionOfRoot, func() ast.FieldList { return nil })
	c.root = &ast.Definition{Kind: ast.Object, Name: name, Position: at}
}

// define adds a definition, unless the schema has one of that name.
func (c *mutationCompleter) define(
	at *ast.Position, kind ast.DefinitionKind, name, description string, fields func() ast.FieldList,
) {
	if c.types[name] != nil {
		return
	}
	def := &ast.Definition{Kind: kind, Name: name, Description: description, Position: at}
	c.types[name] = def
	c.all.Definitions = append(c.all.Definitions, def)
	def.Fields = fields()
	// The fields of Mutation come later, in extensions.
	c.types[name] = &ast.Definition{Kind: kind, Name: name, Fields: def.Fields, Position: at}
}

// inputFields returns the fields of a mutation's input.
func (c *mutationCompleter) inputFields(m *reading.Mutation) ast.FieldList {
	at := m.Directive.Position
	var fields ast.FieldList
	if m.HasID() {
		fields = append(fields, c.field(m, "id", "The `id` of the "+m.Def.Name+".", ast.NonNullNamedType("ID", at)))
	}
	for _, name := range m.KeyNames() {
		if f := m.Def.Fields.ForName(name); f != nil {
			fields = append(fields, c.field(m, name, f.Description, c.inputType(f.Type, at)))
		}
	}
	if m.Kind != design.CreateMutation && sdl.VersionOf(m.Def) != nil {
		fields = append(fields, c.field(m, sdl.VersionOf(m.Def).Name, "The version that this is based on.",
			ast.NonNullNamedType("Int", at)))
	}
	for _, f := range m.Inputs() {
		if typ := c.inputType(f.Type, at); typ != nil {
			if m.Kind == design.UpdateMutation {
				typ.NonNull = false
			}
			field := c.field(m, f.Name, f.Description, typ)
			field.Directives = deprecation(f, typ)
			fields = append(fields, field)
		}
	}
	if m.GeneratesID() {
		fields = append(fields, c.field(m, reading.IdempotencyKey, descriptionOfKey, ast.NamedType("String", at)))
	}
	return fields
}

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
	c.define(at, ast.InputObject, other.NamedType, "A value of type "+def.Name+".", func() ast.FieldList {
		var fields ast.FieldList
		for _, f := range def.Fields {
			if typ := c.inputType(f.Type, at); typ != nil && sdl.IsAttribute(f) {
				fields = append(fields, &ast.FieldDefinition{
					Name: f.Name, Description: f.Description, Type: typ, Directives: deprecation(f, typ), Position: at,
				})
			}
		}
		return fields
	})
	return &other
}

// payloadFields returns the fields of a mutation's payload.
func (c *mutationCompleter) payloadFields(m *reading.Mutation) ast.FieldList {
	at := m.Directive.Position
	var fields ast.FieldList
	if m.Kind == design.DeleteMutation {
		fields = append(fields, c.field(m, m.Deleted(),
			"The global id of the deleted "+m.Def.Name+", for clients to forget; null when there are errors.",
			ast.NamedType("ID", at)))
	}
	return append(fields,
		c.field(m, m.Object(), describe(m).object, ast.NamedType(m.Def.Name, at)),
		c.field(m, sdl.UserErrorsField, describe(m).errors, sdl.UserErrorsType(at)))
}

func (c *mutationCompleter) field(m *reading.Mutation, name, description string, typ *ast.Type) *ast.FieldDefinition {
	return &ast.FieldDefinition{Name: name, Description: description, Type: typ, Position: m.Directive.Position}
}

// addUserErrors adds UserError and UserErrorCode, unless the schema has them.
func (c *mutationCompleter) addUserErrors() {
	at := c.root.Position
	c.define(at, ast.Object, sdl.UserErrorType, "What a person can correct in an input.", func() ast.FieldList {
		var fields ast.FieldList
		for _, f := range sdl.UserErrorFields {
			fields = append(fields, &ast.FieldDefinition{
				Name: f.Name, Description: f.Description, Position: at,
				Type: &ast.Type{NamedType: f.Type, NonNull: f.NonNull, Position: at},
			})
		}
		return fields
	})
	if c.types[sdl.UserErrorCodeType] != nil {
		return
	}
	def := &ast.Definition{
		Kind: ast.Enum, Name: sdl.UserErrorCodeType, Description: "What is wrong with an input.", Position: at,
	}
	for _, code := range sdl.UserErrorCodes {
		def.EnumValues = append(def.EnumValues, &ast.EnumValueDefinition{
			Name: code.Name, Description: code.Description, Position: at,
		})
	}
	c.types[def.Name] = def
	c.all.Definitions = append(c.all.Definitions, def)
}
