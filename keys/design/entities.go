package design

import (
	"maps"
	"slices"

	"github.com/partita/partita/keys"
)

// Names that a Federation subgraph adds to its schema. No other schema may have them.
//
// https://www.apollographql.com/docs/graphos/schema-design/federated-schemas/reference/subgraph-spec
const (
	// EntitiesField and ServiceField are fields of the root of queries.
	EntitiesField = "_entities"
	ServiceField  = "_service"
	// EntityUnion is the union of all entities, AnyType the scalar of their representations, and ServiceType the type of
	// ServiceField.
	EntityUnion = "_Entity"
	AnyType     = "_Any"
	ServiceType = "_Service"
	// RepresentationsArgument is that of EntitiesField.
	RepresentationsArgument = "representations"
)

// Entities returns the names of the types whose objects other subgraphs can refer to by their global ids: those that
// Relay's nodes returns. There are none without that field.
func (d *Design) Entities() []string {
	if f := d.nodes(); f != nil {
		return f.Types
	}
	return nil
}

// nodes returns Relay's field nodes, or nil.
func (d *Design) nodes() *Field {
	for _, f := range d.Fields {
		if f.Kind == Nodes {
			return f
		}
	}
	return nil
}

// WithEntities returns a copy of the design with the field that reads its Entities. Without any, it is the design.
func (d *Design) WithEntities() *Design {
	nodes := d.nodes()
	if nodes == nil || len(nodes.Types) == 0 {
		return d
	}
	f := &Field{
		Parent: nodes.Parent, Name: EntitiesField, Kind: Entities, Result: Many, Types: nodes.Types,
		Arguments: []keys.Argument{{Name: RepresentationsArgument}},
	}
	subgraph := *d
	subgraph.Fields = append(slices.Clone(d.Fields), f)
	subgraph.fields = maps.Clone(d.fields)
	subgraph.fields[coordinate{f.Parent, f.Name}] = f
	return &subgraph
}
