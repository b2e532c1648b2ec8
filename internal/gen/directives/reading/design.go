// Package reading reads what the directives of a schema declare, as far as it can be read.
package reading

import (
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/keys/predicate"
)

// Design is what the directives of a schema declare, as far as it could be read.
type Design struct {
	*Access
	Rules     []*design.FieldRule
	Mutations []*DeclaredMutation
	Actions   []*DeclaredAction
	Counters  []*Counter
}

// Counter is a field with @counts.
type Counter struct {
	Parent    *Type
	Field     *ast.FieldDefinition
	Directive *ast.Directive
	// Read is that of the collection; nil if the parent has no such field with @query.
	Read *Read
	// Where is the condition on the objects that count, and WhereErr why it cannot be read.
	Where    predicate.Predicate
	WhereErr error
	// Counters are those of each type in the collection whose objects name their parent.
	Counters []*design.Counter
}

// DeclaredMutation is a mutation with its definitions in the schema.
type DeclaredMutation struct {
	*Mutation
	Of                   *Type
	Field                *ast.FieldDefinition
	InputDef, PayloadDef *ast.Definition
	// Built is nil if Load could not add a definition, because of a fault that is found.
	Built *design.Mutation
}

// New reads the directives of a schema that is complete and valid.
func New(schema *ast.Schema) *Design {
	r := &Design{Access: newAccess(schema)}
	r.readConnections()
	r.readTypes()
	r.readFields()
	r.readMutations()
	r.readActions()
	r.supplyItems()
	r.match(r.Reads)
	r.readEdgeNodes()
	r.readCounters()
	r.readMembers()
	r.resolveRefs()
	r.resolveArguments()
	r.buildMembers()
	r.readAllows()
	r.readMutationRules()
	r.setActionOwners()
	return r
}

// newAccess returns a schema with its table, of which nothing else has been read.
func newAccess(schema *ast.Schema) *Access {
	r := &Access{
		Storage: &Storage{
			Source: &Source{Schema: schema}, Types: map[string]*Type{}, Nested: map[string]design.Object{},
		},
		Connections: map[string]*Connection{}, Edges: map[string]*Connection{},
	}
	r.readLayout()
	return r
}

// ReadMatches returns which stored keys each field of a schema reads, as if no field returned a connection.
func ReadMatches(schema *ast.Schema) *Access {
	r := newAccess(schema)
	r.readTypes()
	r.readFields()
	r.match(r.Reads)
	r.resolveRefs()
	return r
}
