package plan

import (
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys/design"
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
	// Slots is how many of the Fields have a Slot, and Reads how many of these are ReadFields.
	Slots, Reads int
	// Weight is how much an object counts in the answer: 1 for each fieldsPerObject fields begun. What is stored in its
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
	// Format is the type of an AttributeField or a DifferenceField.
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

	// difference is that of a DifferenceField.
	difference *design.Difference

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

// SelectsItems reports whether the selection of a connection needs any of its items: filtered ones are counted.
func (f *Field) SelectsItems(isFiltered bool) bool {
	return f.SelectsPage() || isFiltered && f.selectsCount()
}

// SelectsPage reports whether the selection of a connection contains any of its items, not only their count.
func (f *Field) SelectsPage() bool {
	return len(f.Children) > 0 && f.Children[0].Selects(EdgesField, NodesField, PageInfoField)
}

// CachePolicy is how long a response may be cached, and whether by shared caches.
type CachePolicy struct {
	// MaxAge is in seconds; 0 if the response must not be cached.
	MaxAge int
	// Private is set if only the caller's own cache may have the response.
	Private bool
}

// argumentsKey returns a text that is equal for equal arguments, in any order.
func argumentsKey(arguments ast.ArgumentList) string {
	if len(arguments) == 0 {
		return ""
	}
	texts := make([]string, len(arguments))
	for i, a := range arguments {
		texts[i] = a.Name + ":" + a.Value.String()
	}
	slices.Sort(texts)
	return "(" + strings.Join(texts, ",") + ")"
}

// condition returns the field whose key condition a field has; nil for a field that reads nothing.
func (f *Field) condition() *design.Field {
	if f.Live != nil {
		return f.Live
	}
	return f.Read
}

// IsLive reports whether a field returns the live field of a subscription: one object, an event, or its connection.
func (f *Field) IsLive() bool { return f.Live != nil || f.of != nil }

// IsOfEvent reports whether a field is the connection of an event.
func (f *Field) IsOfEvent() bool { return f.of != nil }

func (f *Field) selectsCount() bool {
	return len(f.Children) > 0 && f.Children[0].Selects(TotalCountField)
}

// Sources returns the names of the attributes in the key condition of a field.
func (f *Field) Sources() []string {
	names := make([]string, len(f.sources))
	for i := range f.sources {
		names[i] = f.sources[i].Name
	}
	return names
}

// CheckSources returns an error if an attribute in the key condition of a field cannot be read.
func (f *Field) CheckSources(parent item.Item) error { return checkAttributes(f.sources, parent) }

// NodePlaces returns the fields of a connection's selection that select its nodes: nodes, and node of edges.
func (f *Field) NodePlaces() []*Field {
	var places []*Field
	for _, part := range f.Children[0].Fields {
		switch part.Kind {
		case NodesField:
			places = append(places, part)
		case EdgesField:
			for _, sub := range part.Children[0].Fields {
				if sub.Name == NodeName {
					places = append(places, sub)
				}
			}
		}
	}
	return places
}

func usesVariables(arguments ast.ArgumentList) bool {
	return slices.ContainsFunc(arguments, func(a *ast.Argument) bool { return usesVariable(a.Value) })
}

func usesVariable(v *ast.Value) bool {
	return v.Kind == ast.Variable ||
		slices.ContainsFunc(v.Children, func(child *ast.ChildValue) bool { return usesVariable(child.Value) })
}
