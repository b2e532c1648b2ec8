package plan

import (
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/keys/design"
)

// Kind is where a field's value comes from.
type Kind uint8

// The kinds of fields.
const (
	// GoField is a hand-written resolver. In a design without Go, it is a field that needs one.
	GoField Kind = iota
	// TypenameField is __typename.
	TypenameField
	// AttributeField is an attribute of the object's item.
	AttributeField
	// IdentityField is the global id of an object whose item has no such attribute.
	IdentityField
	// ReadField is read by the field's key condition.
	ReadField
	// MutationField is a mutation without hand-written Go. Its payload has the attributes of the object, the user errors
	// and the id of a deleted object as attributes, and reads the rest.
	MutationField
	// EdgesField, NodesField, TotalCountField and PageInfoField are those of a connection.
	EdgesField
	NodesField
	TotalCountField
	PageInfoField
	// CursorField and NodeField are those of an edge. A NodeField is the edge's own item; otherwise the field is a
	// ReadField.
	CursorField
	NodeField
	// HasNextPageField, HasPreviousPageField, StartCursorField and EndCursorField are those of a PageInfoField.
	HasNextPageField
	HasPreviousPageField
	StartCursorField
	EndCursorField
	// IntrospectionField is __schema, __type, or _service of a Federation subgraph, or a field of what they return.
	IntrospectionField
	// LiveField is a field of Subscription that returns the events of a connection. Those of one object are ReadFields.
	LiveField
	// ChangeField, EdgeField, ItemField and NodeIDField are the fields change, edge, node and nodeId of an event. Its
	// connection is a ReadField, and its cursor a CursorField.
	ChangeField
	EdgeField
	ItemField
	NodeIDField
)

// Plan is a compiled operation. It does not change, and is shared by all requests with the same document.
type Plan struct {
	Schema    *Schema
	Operation *ast.OperationDefinition
	// Root is the node of the root type.
	Root *Object
	// HandWritten is set if any field is of kind GoField, so that gqlgen executes the operation. It is never set in a
	// design without Go.
	HandWritten bool
	// Live is the field of a subscription; nil for other operations, and if the field is skipped.
	Live *Field
	// goField is the first field of kind GoField.
	goField *Field
	// fields are all nodes of fields, by their index.
	fields []*Field
	// objects is the number of nodes of objects.
	objects int
	// introspects are __schema and __type, wherever they are selected at the root.
	introspects []*Field
	// sized are the fields whose sizes, which prices depend on, may differ from request to request.
	sized       []*Field
	prices      priceCache
	cachePolicy func() CachePolicy
}

// Object is the node of an object type and a merged selection.
type Object struct {
	// Name is the name of the GraphQL type.
	Name string
	// Type is the stored type of the items that have the attributes; nil if there is none.
	Type *design.Type
	// Fields are in the order of the response.
	Fields []*Field
	// Slots is how many of the Fields have a Slot.
	Slots int
	// Weight is how much an object counts in the answer: 1 for each FieldsPerObject fields begun. What is stored in its
	// attributes, plain objects of Go code, an edge's own item and the PageInfo of a connection are included.
	Weight int
	// Edited are the fields with a directive that have a hand-written resolver.
	Edited []*Field

	// Index is that of the node among all objects of the plan, from 0.
	Index int
	// Groups are the fields that are read or written, or have what is.
	Groups []*Group
	// EventItem are the nodes of what is selected of the item of an event; nil for other objects.
	EventItem *Group
}

// Field is the node of a field of an object.
type Field struct {
	Kind Kind
	// Name is the name in the schema, Alias that in the response.
	Name, Alias string
	// Key is the beginning of the field in the response: the alias in quotes and a colon.
	Key []byte
	// Parent is the name of the object type.
	Parent     string
	Definition *ast.FieldDefinition
	Position   *ast.Position
	// Read is the field of the design, also of one whose resolver was edited; nil if there is none.
	Read *design.Field
	// Mutation is that of a MutationField.
	Mutation *design.Mutation
	// Live is the live field of the design that a field of Subscription has; nil for other fields. It is also the Read of
	// a field that returns one object.
	Live *design.Field
	// Rule is the field's own rule; nil for everybody.
	Rule *design.Rule
	// Format is the type of an AttributeField.
	Format *Format
	// Children are the nodes of the object types that the field may return.
	Children []*Object
	// Slot is the index of the field's value among those of its object that are read or written: of kind ReadField,
	// MutationField, EdgesField, NodesField, NodeField, LiveField, EdgeField or ItemField. It is -1 for other fields.
	Slot int

	// IsWritten is set for the object in the payload of a MutationField, which is not read.
	IsWritten bool

	// sources are the attributes of the parent in the key condition of the field, and count is the counter of a
	// connection whose count is selected.
	sources, count []FieldFormat
	// needsItems is set if the entries of an index that are read for the field are not enough.
	needsItems bool

	ast  *ast.Field
	cost *declaredCost
	// of is the LiveField whose arguments the connection of an event has; nil for other fields.
	of    *Field
	index int
	// static are the arguments of a field that has no variables in them; nil for other fields.
	static *Arguments
}

// Child returns the node of an object type that the field may return, or nil.
func (f *Field) Child(name string) *Object {
	for _, o := range f.Children {
		if o.Name == name {
			return o
		}
	}
	return nil
}

// FieldOf returns the field with an alias, or nil.
func (o *Object) FieldOf(alias string) *Field {
	for _, f := range o.Fields {
		if f.Alias == alias {
			return f
		}
	}
	return nil
}

// FieldOfKind returns the first field of a kind, or nil.
func (o *Object) FieldOfKind(k Kind) *Field {
	for _, f := range o.Fields {
		if f.Kind == k {
			return f
		}
	}
	return nil
}

// GroupKey returns a text that is equal for the fields of an object that have the same name and arguments.
func (f *Field) GroupKey() string { return f.Name + argumentsKey(f.ast.Arguments) }

// Objects returns the number of nodes of objects.
func (p *Plan) Objects() int { return p.objects }

// Selects reports whether the object has a field of one of the kinds.
func (o *Object) Selects(kinds ...Kind) bool {
	for _, f := range o.Fields {
		for _, k := range kinds {
			if f.Kind == k {
				return true
			}
		}
	}
	return false
}

// Group are the fields of an object that have the same name and arguments, whatever their aliases: they read the same.
// The fields of a mutation are one each.
type Group struct {
	// Fields are not empty, but for the item of an event.
	Fields []*Field
	// Children are the nodes of everything that is selected below the fields.
	Children []*Object
	// Edge and Nodes are those of everything that is selected below the edges and the nodes of a connection, whether as
	// nodes or as edges { node }. Edge is nil, and Nodes are empty, if nothing is.
	Edge  *Object
	Nodes []*Object
}

// NodeName is the name of the field of an edge that is its object.
const NodeName = "node"

// SelectsPage reports whether the selection of a connection contains any of its items, not only their count.
func (f *Field) SelectsPage() bool {
	return len(f.Children) > 0 && f.Children[0].Selects(EdgesField, NodesField, PageInfoField)
}
