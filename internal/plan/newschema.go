package plan

import (
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// NewSchema returns the Schema of a GraphQL schema and its design.
func NewSchema(d *design.Design, schema *ast.Schema) *Schema {
	schema = API(schema)
	s := &Schema{
		Design: d, AST: schema, types: make(map[string]*objectType, len(schema.Types)),
		maxIntrospected: maxIntrospected(schema), MaxInFlight: MaxInFlight,
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
			if f.kind == AttributeField {
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
	if f.kind == DifferenceField {
		f.difference = t.stored.Difference(def.Name)
	}
	if f.kind == AttributeField || f.kind == DifferenceField {
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
	case t.stored != nil && t.stored.Difference(name) != nil:
		return DifferenceField
	case t.stored != nil && t.stored.Attribute(name) == nil:
		return GoField
	default:
		return AttributeField
	}
}

func (s *Schema) isRoot(def *ast.Definition) bool {
	return def == s.AST.Query || def == s.AST.Mutation || def == s.AST.Subscription
}

// setEvents sets which types are those of the events of a connection.
func (s *Schema) setEvents() {
	if s.AST.Subscription == nil {
		return
	}
	for _, f := range s.Design.Live {
		if f.Result == design.Connection {
			s.types[s.AST.Subscription.Fields.ForName(f.Name).Type.Name()].event = f
		}
	}
}

// isService reports whether a field is that of a subgraph that describes it, or part of what that returns.
func (s *Schema) isService(t *ast.Definition, name string) bool {
	return t.Name == design.ServiceType || t == s.AST.Query && name == design.ServiceField
}

// newKeyNames sets the KeyNames of all types and Gets.
func (s *Schema) newKeyNames() {
	s.idNames = make(map[string]*KeyNames, len(s.Design.Types))
	s.getNames = make(map[*design.Field]*KeyNames)
	for i, t := range s.Design.Types {
		s.idNames[t.Name] = &KeyNames{design.KeyOnly(t), t, i}
	}
	for _, f := range slices.Concat(s.Design.Fields, s.Design.Live) {
		if f.Kind == design.Get {
			s.getNames[f] = s.keyNamesOfMatch(f.Matches()[0])
		}
	}
}

func (s *Schema) keyNamesOfMatch(m design.Match) *KeyNames {
	id := s.idNames[m.Type.Name]
	names := &KeyNames{item.Item{{Name: item.EntityType, Value: item.StringValue(m.Type.Name)}}, id.Of, id.number}
	for _, variables := range []map[string]string{m.Variables, m.Constants} {
		for name := range variables {
			names.Item = append(names.Item, item.Attribute{Name: name, Value: item.StringValue("")})
		}
	}
	isNew := func(a item.Attribute) bool {
		_, found := id.Get(a.Name)
		return !found
	}
	if len(names.Item) == len(id.Item) && !slices.ContainsFunc(names.Item, isNew) {
		return id
	}
	return names
}

// newProjected sets the attributes that entries have, for all projected indexes.
func (s *Schema) newProjected() {
	s.projected = make(map[entry]projected)
	for _, index := range s.Design.IndexNames() {
		for _, t := range s.Design.Types {
			if names, all := s.Design.Projected(index, t); !all {
				s.projected[entry{index, t.Name}] = names
			}
		}
	}
}
