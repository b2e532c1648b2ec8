package plan

import (
	"math"

	"slices"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/write"
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
	// Workload returns what a mutation reads and writes at worst with what keeps another form of its objects, from what it
	// does without that. It is set before the first operation; nil if nothing else is written.
	Workload func(m *design.Mutation, in *write.Input, own write.Workload) write.Workload
	// MaxInFlight is how many requests of a wave are in flight at the same time, [MaxInFlight] by default.
	MaxInFlight int
	types       map[string]*objectType
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
	difference *design.Difference
	cost       *declaredCost
}

// KeyNames are the key-only attributes of an object without their values. They are compared by their address: the Gets
// of a type whose keys have the variables of its global id share those of the type.
type KeyNames struct {
	item.Item
	Of *design.Type
	// number is the index of the type in the design.
	number int
}

// KeyNames returns the KeyNames of an object that a Get reads: for the type of its key the variables of that key,
// for others those of the global id.
func (s *Schema) KeyNames(get *design.Field, typeName string) *KeyNames {
	if names := s.getNames[get]; names != nil && names.Of.Name == typeName {
		return names
	}
	return s.idNames[typeName]
}

// KeyNamesOfID returns the KeyNames of an object that a global id names.
func (s *Schema) KeyNamesOfID(typeName string) *KeyNames { return s.idNames[typeName] }

// projected are the attributes of a type that its entries in an index have: none if an entry does not show its type.
type projected []string

func (p projected) lacks(name string) bool { return !slices.Contains(p, name) }

// entry identifies the entries of a type in an index.
type entry struct{ index, typeName string }

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

// MaxInFlight is half of the connections to DynamoDB that there are by default, so that two operations of a caller do
// not wait for each other.
const MaxInFlight = 128

// RoundTrips returns how many round trips a wave of so many requests takes.
func (s *Schema) RoundTrips(requests float64) float64 {
	return math.Ceil(requests / float64(s.MaxInFlight))
}
