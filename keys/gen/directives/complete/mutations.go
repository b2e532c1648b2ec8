package directives

import (
	"fmt"
	"regexp"
	"slices"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/keys"
)

// completeMutations adds the mutations of types with @mutable, and their inputs and payloads, as far as the schema does
// not declare them. The findings are for mutations whose input would have no fields. What else cannot be added is left
// out: Read finds the reason.
func completeMutations(all *ast.SchemaDocument) Findings {
	c := &mutationCompleter{all: all, types: merged(all), delimiter: delimiterOf(all)}
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
		for _, m := range mutationsOf(def, names) {
			switch {
			case !fieldName.MatchString(m.name):
			case c.types[m.input()] == nil && len(c.inputFields(m)) == 0:
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
func emptyInput(m *mutation) Finding {
	added := func(name string) string {
		if m.def.Fields.ForName(name) != nil {
			name = renamed(m.def, name)
		}
		return name
	}
	name := added("name")
	fix := fmt.Sprintf("add %s: String to type %s, or another field that %s sets", name, m.def.Name, m.name)
	if m.kind == keys.DeleteMutation {
		name = added("version")
		fix = fmt.Sprintf("add %s: Int! to type %s\nadd @version to field %s.%s, so that the input has the version",
			name, m.def.Name, m.def.Name, name)
	}
	return finding(m.directive.Position, m.def.Name,
		fmt.Sprintf("@mutable declares %s, but its input %s would have no fields", m.name, m.input()), fix)
}

var fieldName = regexp.MustCompile(`^[a-zA-Z][_0-9A-Za-z]*$`)

// mutationCompleter is one run of completeMutations.
type mutationCompleter struct {
	all *ast.SchemaDocument
	// types are the definitions of the document with their extensions, and those that have been added.
	types     map[string]*ast.Definition
	delimiter string
	// root is the extension of Mutation with the added fields; nil if there is no mutation.
	root     *ast.Definition
	findings Findings
}

// merged returns copies of the definitions of a document with their extensions, by name.
func merged(all *ast.SchemaDocument) map[string]*ast.Definition {
	types := map[string]*ast.Definition{}
	for _, def := range slices.Concat(all.Definitions, all.Extensions) {
		if types[def.Name] == nil {
			whole := *def
			types[def.Name] = &whole
			continue
		}
		whole := types[def.Name]
		whole.Fields = slices.Concat(whole.Fields, def.Fields)
		whole.Directives = slices.Concat(whole.Directives, def.Directives)
		whole.EnumValues = slices.Concat(whole.EnumValues, def.EnumValues)
		whole.Interfaces = slices.Concat(whole.Interfaces, def.Interfaces)
		whole.Types = slices.Concat(whole.Types, def.Types)
	}
	return types
}

// delimiterOf returns the delimiter of a document's @table.
func delimiterOf(all *ast.SchemaDocument) string {
	if table := tableOf(all); table != nil {
		if delimiter, ok := rawArgument(table, "delimiter").(string); ok && delimiter != "" {
			return delimiter
		}
	}
	return keys.Delimiter
}

// hasNoSortKey reports whether the @table of a document says that the table has no sort key.
func hasNoSortKey(all *ast.SchemaDocument) bool {
	table := tableOf(all)
	return table != nil && isNull(table, "sk")
}

// tableOf returns the @table of a document, nil if it has none.
func tableOf(all *ast.SchemaDocument) *ast.Directive {
	for _, s := range slices.Concat(all.Schema, all.SchemaExtension) {
		if table := s.Directives.ForName("table"); table != nil {
			return table
		}
	}
	return nil
}

// identity returns the identity of the items of an @item, nil if its templates cannot be read.
func (c *mutationCompleter) identity(item *ast.Directive) []string {
	pk, _ := rawArgument(item, "pk").(string)
	sk, _ := rawArgument(item, "sk").(string)
	var shape keys.Shape
	var err, err2 error
	shape.PK, err = keys.ParseDelimited(c.delimiter, pk)
	shape.SK, err2 = keys.ParseDelimited(c.delimiter, sk)
	if err != nil || err2 != nil {
		return nil
	}
	return identity(shape)
}

func (c *mutationCompleter) add(m *mutation) {
	c.findRoot(m.directive.Position)
	if whole := c.types[c.root.Name]; whole.Fields.ForName(m.name) == nil {
		field := c.field(m, m.name, describe(m).field, ast.NamedType(m.payload(), m.directive.Position))
		field.Arguments = ast.ArgumentDefinitionList{{
			Name: "input", Description: describe(m).argument, Position: m.directive.Position,
			Type: ast.NonNullNamedType(m.input(), m.directive.Position),
		}}
		c.root.Fields, whole.Fields = append(c.root.Fields, field), append(whole.Fields, field)
	}
	c.define(m.directive.Position, ast.InputObject, m.input(), describe(m).input, func() ast.FieldList {
		return c.inputFields(m)
	})
	c.define(m.directive.Position, ast.Object, m.payload(), describe(m).payload, func() ast.FieldList {
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
func (c *mutationCompleter) inputFields(m *mutation) ast.FieldList {
	at := m.directive.Position
	var fields ast.FieldList
	if m.hasID() {
		fields = append(fields, c.field(m, "id", "The `id` of the "+m.def.Name+".", ast.NonNullNamedType("ID", at)))
	}
	for _, name := range m.keyNames() {
		if f := m.def.Fields.ForName(name); f != nil {
			fields = append(fields, c.field(m, name, f.Description, c.inputType(f.Type, at)))
		}
	}
	if m.kind != keys.CreateMutation && versionOf(m.def) != nil {
		fields = append(fields, c.field(m, versionOf(m.def).Name, "The version that this is based on.",
			ast.NonNullNamedType("Int", at)))
	}
	for _, f := range m.inputs() {
		if typ := c.inputType(f.Type, at); typ != nil {
			if m.kind == keys.UpdateMutation {
				typ.NonNull = false
			}
			field := c.field(m, f.Name, f.Description, typ)
			field.Directives = deprecation(f, typ)
			fields = append(fields, field)
		}
	}
	if m.generatesID() {
		fields = append(fields, c.field(m, idempotencyKey, descriptionOfKey, ast.NamedType("String", at)))
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

// idempotencyKey is the field of the input of a creation by which a repetition is recognised.
const idempotencyKey = "idempotencyKey"

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
	other.NamedType = nestedInput(def.Name)
	c.define(at, ast.InputObject, other.NamedType, "A value of type "+def.Name+".", func() ast.FieldList {
		var fields ast.FieldList
		for _, f := range def.Fields {
			if typ := c.inputType(f.Type, at); typ != nil && isAttribute(f) {
				fields = append(fields, &ast.FieldDefinition{
					Name: f.Name, Description: f.Description, Type: typ, Directives: deprecation(f, typ), Position: at,
				})
			}
		}
		return fields
	})
	return &other
}

// nestedInput returns the name of the input for objects of a type that is stored within others.
func nestedInput(object string) string { return object + "Input" }

// payloadFields returns the fields of a mutation's payload.
func (c *mutationCompleter) payloadFields(m *mutation) ast.FieldList {
	at := m.directive.Position
	var fields ast.FieldList
	if m.kind == keys.DeleteMutation {
		fields = append(fields, c.field(m, m.deleted(),
			"The global id of the deleted "+m.def.Name+", for clients to forget; null when there are errors.",
			ast.NamedType("ID", at)))
	}
	return append(fields,
		c.field(m, m.object(), describe(m).object, ast.NamedType(m.def.Name, at)),
		c.field(m, userErrorsField, describe(m).errors, userErrorsType(at)))
}

func (c *mutationCompleter) field(m *mutation, name, description string, typ *ast.Type) *ast.FieldDefinition {
	return &ast.FieldDefinition{Name: name, Description: description, Type: typ, Position: m.directive.Position}
}

// addUserErrors adds UserError and UserErrorCode, unless the schema has them.
func (c *mutationCompleter) addUserErrors() {
	at := c.root.Position
	c.define(at, ast.Object, userErrorType, "What a person can correct in an input.", func() ast.FieldList {
		var fields ast.FieldList
		for _, f := range userErrorFields {
			fields = append(fields, &ast.FieldDefinition{
				Name: f.name, Description: f.description, Position: at,
				Type: &ast.Type{NamedType: f.typ, NonNull: f.nonNull, Position: at},
			})
		}
		return fields
	})
	if c.types[userErrorCodeType] != nil {
		return
	}
	def := &ast.Definition{
		Kind: ast.Enum, Name: userErrorCodeType, Description: "What is wrong with an input.", Position: at,
	}
	for _, code := range userErrorCodes {
		def.EnumValues = append(def.EnumValues, &ast.EnumValueDefinition{
			Name: code.name, Description: code.description, Position: at,
		})
	}
	c.types[def.Name] = def
	c.all.Definitions = append(c.all.Definitions, def)
}
