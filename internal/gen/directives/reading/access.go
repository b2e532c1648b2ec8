package reading

import (
	"slices"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// Access is what the fields of a schema read.
type Access struct {
	*Storage
	Connections map[string]*Connection
	// Edges are the connections by the name of their edge type.
	Edges map[string]*Connection
	Reads []*Read
	// Members are those of all rules.
	Members []*Member
	// Misreads and unclear are what could not be read: reading goes on without it.
	Misreads []misread
	Unclear  []unclearRef
}

// Read is a field with @get or @query, one of Relay's root fields, or the field of a payload with an object.
type Read struct {
	*design.Field
	Def *ast.FieldDefinition
	// Directive is nil for Relay's root fields and for the fields of payloads.
	Directive *ast.Directive
	// ParentType is the stored type whose attributes are variables; nil on a root.
	ParentType *Type
	// Connection is the field's type if that is one.
	Connection *Connection
	// Possible are the object types that the answer can have. It is nil for a connection whose nodes
	// are read by their own keys, since its type does not show the types of the items.
	Possible []string
	Matches  []design.Match
	// Misfits are literals of the read that are not values of the enum in their place, with its name; otherwise
	// the read would match.
	Misfits map[string]string
}

// misread is a read that cannot be one.
type misread struct {
	*Read
	Fault readFault
	// Other is the type that is stored where the field reads, "" if none is.
	Other string
}

type readFault int

const (
	// TwoDirectives are @get and @query on one field.
	TwoDirectives readFault = iota
	// NoCollection is a Query of a table without a sort key: each of its partitions has one object at most.
	NoCollection
	// ScalarResult is a field that returns a scalar, which no read can give.
	ScalarResult
	// NotStored is the fault of a field that returns what is no object of its own.
	NotStored
)

// unclearRef is an ID that could be that of several types.
type unclearRef struct {
	Of       *Type
	Variable string
	Names    []string
}

// Connection is a Relay connection type.
//
// https://relay.dev/graphql/connections.htm
type Connection struct {
	Name string
	// Edge is the edge type, Node the type of its node and NodeTypes the object
	// types that a node can have.
	Edge, Node string
	NodeTypes  []string
	// EdgeNode is set when the node is read with a @get of its own.
	EdgeNode bool
	// HasNodes and HasTotalCount report whether the fields nodes and totalCount
	// exist.
	HasNodes, HasTotalCount bool
	// Attributes are the edge's other fields: attributes of the item.
	Attributes []string

	Def, EdgeDef *ast.Definition
}

// Source returns the argument that has the value of a variable, or else the attribute of the
// parent. Both are nil if there is neither.
func (rd *Read) Source(variable string) (*ast.ArgumentDefinition, *design.Attribute) {
	if a := rd.Def.Arguments.ForName(variable); a != nil {
		return a, nil
	}
	if rd.ParentType != nil {
		return nil, rd.ParentType.Attribute(variable)
	}
	return nil, nil
}

// Variables returns the names in the read's templates, once each.
func (rd *Read) Variables() []string {
	var names []string
	for _, name := range append(rd.PK.Variables(), rd.SK.Variables()...) {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// Attribute returns the stored attribute in place of a variable of the read in a match, or "".
func Attribute(m design.Match, variable string) string {
	for _, t := range [...]keys.Template{m.Shape.PK, m.Shape.SK} {
		for _, name := range t.Variables() {
			if m.Variables[name] == variable {
				return name
			}
		}
	}
	return ""
}

// ReadBy returns the read of a field, or nil.
func (r *Access) ReadBy(parent, name string) *Read {
	for _, rd := range r.Reads {
		if rd.Parent == parent && rd.Name == name {
			return rd
		}
	}
	return nil
}
