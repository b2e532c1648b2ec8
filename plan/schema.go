package plan

import (
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// Schema is what operations are compiled against: a GraphQL schema and the design of its table. Its methods may be
// called concurrently.
type Schema struct {
	Design *design.Design
	// AST is the schema as clients see it.
	AST *ast.Schema
	// Cursors encrypts the cursors of connections. It is set before the first operation; without it, everybody can read
	// them.
	Cursors *keys.Cursors
	// SDL is what a Federation subgraph returns as its own schema. It is set before the first operation.
	SDL string
	// IsWorst is set if prices of mutations are those for any values of the attributes that an input has, not for the
	// values that are given.
	IsWorst bool
	types   map[string]*objectType
	// idNames are the KeyNames of types, getNames those of Gets for the type of their key.
	idNames  map[string]*KeyNames
	getNames map[*design.Field]*KeyNames
	// projected are the attributes of entries that do not have all of them.
	projected map[entry]projected
	// maxIntrospected is how many fields of introspection types the result of an operation may have.
	maxIntrospected int
}

// objectType is an object type of the schema with the source of its fields.
type objectType struct {
	*ast.Definition
	// satisfies are the type conditions of fragments that apply to the type.
	satisfies []string
	// stored is the type of the items that have the attributes: the type itself, or that of an edge's item.
	stored *design.Type
	// connection is a field that returns the type, if it is a connection; edge is one whose edges have the type.
	connection, edge *design.Field
	// event is a live field that returns the type, if it is that of the events of a connection.
	event *design.Field
	// payload is a mutation that returns the type, if it has no hand-written Go.
	payload *design.Mutation
	fields  map[string]*fieldType
	// attributes are the Formats of all stored fields.
	attributes []FieldFormat
}

// fieldType is a field of an object type.
type fieldType struct {
	definition *ast.FieldDefinition
	kind       Kind
	read       *design.Field
	mutation   *design.Mutation
	rule       *design.Rule
	format     *Format
	cost       *declaredCost
}

// NewSchema returns the Schema of a GraphQL schema and its design.
func NewSchema(d *design.Design, schema *ast.Schema) *Schema {
	schema = API(schema)
	s := &Schema{
		Design: d, AST: schema, types: make(map[string]*objectType, len(schema.Types)),
		maxIntrospected: maxIntrospected(schema),
	}
	s.newKeyNames()
	s.newProjected()
	for _, def := range schema.Types {
		if def.Kind == ast.Object {
			s.types[def.Name] = s.newType(def)
		}
	}
	for _, f := range d.Fields {
		if f.Result != design.Connection {
			continue
		}
		returned := schema.Types[f.Parent].Fields.ForName(f.Name).Type.Name()
		s.types[returned].connection = f
		edge := s.types[f.Edge]
		edge.edge, edge.stored = f, d.EdgeItem(f.Edge)
	}
	s.setEvents()
	for _, m := range d.Mutations {
		if !d.IsHandWritten(schema.Mutation.Name, m.Name) {
			s.types[schema.Mutation.Fields.ForName(m.Name).Type.Name()].payload = m
		}
	}
	for _, t := range s.types {
		for _, def := range t.Fields {
			f := s.newField(t, def)
			t.fields[def.Name] = f
			if f.format != nil {
				f.format.As = formatIn(t.stored, def.Name)
				t.attributes = append(t.attributes, FieldFormat{def.Name, f.format})
			}
		}
	}
	return s
}

// formatIn returns the format of an attribute in the items of a type, which may be nil.
func formatIn(t *design.Type, name string) keys.Format {
	if t == nil || t.Attribute(name) == nil {
		return keys.Plain
	}
	return t.Attribute(name).As
}

func (s *Schema) newType(def *ast.Definition) *objectType {
	t := &objectType{
		Definition: def,
		satisfies:  []string{def.Name},
		stored:     s.Design.Type(def.Name),
		fields:     make(map[string]*fieldType, len(def.Fields)),
	}
	for _, implemented := range s.AST.GetImplements(def) {
		t.satisfies = append(t.satisfies, implemented.Name)
	}
	return t
}

func (s *Schema) newField(t *objectType, def *ast.FieldDefinition) *fieldType {
	f := &fieldType{
		definition: def,
		read:       s.Design.Field(t.Name, def.Name),
		rule:       s.Design.Rule(t.Name, def.Name),
		cost:       declaredCostOf(def),
	}
	f.kind = s.kindOf(t, f)
	if f.kind == MutationField {
		f.mutation = s.Design.Mutation(def.Name)
	}
	if f.kind == AttributeField {
		f.format = s.formatOf(def.Type, refOf(t.stored, def.Name), nil)
		if f.format == nil {
			f.kind = GoField
		}
	}
	return f
}

func refOf(t *design.Type, name string) string {
	if t != nil {
		if a := t.Attribute(name); a != nil {
			return a.Ref
		}
	}
	return ""
}

// pageInfoType is the type of Relay's pageInfo.
const pageInfoType = "PageInfo"

// kindOf returns the source of a field's value. Attributes of nested objects are those of types that are neither
// stored nor part of a connection; they are reached only from attributes.
func (s *Schema) kindOf(t *objectType, f *fieldType) Kind {
	name := f.definition.Name
	switch {
	case strings.HasPrefix(t.Name, "__") || strings.HasPrefix(name, "__") || s.isService(t.Definition, name):
		return IntrospectionField
	case s.Design.IsHandWritten(t.Name, name):
		return GoField
	case f.read != nil:
		return ReadField
	case t.Definition == s.AST.Mutation && s.Design.Mutation(name) != nil:
		return MutationField
	case len(f.definition.Arguments) > 0 || s.isRoot(t.Definition):
		return GoField
	case t.event != nil:
		return eventFields[name]
	case t.connection != nil:
		return connectionFields[name]
	case t.edge != nil && edgeFields[name] != GoField:
		return edgeFields[name]
	case t.Name == pageInfoType:
		return pageInfoFields[name]
	case t.stored != nil && name == "id" && !slices.Equal(t.stored.Identity, []string{"id"}):
		return IdentityField
	case t.stored != nil && t.stored.Attribute(name) == nil:
		return GoField
	default:
		return AttributeField
	}
}

func (s *Schema) isRoot(def *ast.Definition) bool {
	return def == s.AST.Query || def == s.AST.Mutation || def == s.AST.Subscription
}

var (
	connectionFields = map[string]Kind{
		"edges": EdgesField, "nodes": NodesField, "pageInfo": PageInfoField, "totalCount": TotalCountField,
	}
	edgeFields     = map[string]Kind{"cursor": CursorField, "node": NodeField}
	pageInfoFields = map[string]Kind{
		"hasNextPage": HasNextPageField, "hasPreviousPage": HasPreviousPageField,
		"startCursor": StartCursorField, "endCursor": EndCursorField,
	}
)

// Format is the type of a stored value, from which its JSON is written.
type Format struct {
	// Kind is the scalar type, or keys.Other for a Float, a list or an object.
	Kind keys.Kind
	// Float is set for the scalar Float, Any for a scalar that is known by its name only.
	Float, Any bool
	NonNull    bool
	// Ref is the type of the objects that an ID names, or "".
	Ref string
	// As is the format of the attribute in the table, where the value is in the format of the Kind.
	As keys.Format
	// Names are the names of an enum's values.
	Names []string
	// Element is the type of a list's elements.
	Element *Format
	// Fields are the attributes of an object.
	Fields []FieldFormat
	// Object is the name of the object's type.
	Object string
}

// FieldFormat is the Format of an attribute.
type FieldFormat struct {
	Name string
	*Format
}

var scalarKinds = map[string]keys.Kind{
	"String": keys.String, "ID": keys.IDKind, "Int": keys.Int, "Boolean": keys.Boolean, "Float": keys.Other,
	"Time": keys.Time, "Date": keys.Date, "Int64": keys.Int64,
}

// formatOf returns the Format of a type, or nil for one whose values only Go code can write. within are the objects
// that contain it: a type that contains itself has no Format.
func (s *Schema) formatOf(typ *ast.Type, ref string, within []string) *Format {
	f := &Format{NonNull: typ.NonNull, Ref: ref}
	if typ.Elem != nil {
		f.Element = s.formatOf(typ.Elem, "", within)
		if f.Element == nil {
			return nil
		}
		return f
	}
	def := s.AST.Types[typ.NamedType]
	switch def.Kind {
	case ast.Scalar:
		kind, known := scalarKinds[def.Name]
		f.Kind, f.Float, f.Any = kind, def.Name == "Float", !known
		if !known && !s.Design.IsWithoutGo() {
			return nil // Its Go type decides how it is written.
		}
	case ast.Enum:
		f.Kind = keys.Enum
		for _, v := range def.EnumValues {
			f.Names = append(f.Names, v.Name)
		}
	case ast.Object:
		return s.objectFormat(f, def, within)
	default:
		return nil
	}
	return f
}

func (s *Schema) objectFormat(f *Format, def *ast.Definition, within []string) *Format {
	if slices.Contains(within, def.Name) || s.Design.Type(def.Name) != nil {
		return nil
	}
	f.Object = def.Name
	within = append(within, def.Name)
	for _, field := range def.Fields {
		format := s.formatOf(field.Type, "", within)
		if format == nil || len(field.Arguments) > 0 || s.Design.IsHandWritten(def.Name, field.Name) {
			return nil
		}
		f.Fields = append(f.Fields, FieldFormat{field.Name, format})
	}
	return f
}
