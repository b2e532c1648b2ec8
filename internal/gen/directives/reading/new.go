package reading

import (
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/keys/design"
)

// New reads the directives of a schema that is complete and valid.
func New(schema *ast.Schema) *Design {
	r := &Design{Access: newAccess(schema)}
	r.readConnections()
	r.readTypes()
	r.readFields()
	r.readMutations()
	r.supplyItems()
	r.match(r.Reads)
	r.readEdgeNodes()
	r.readCounters()
	r.resolveRefs()
	r.resolveArguments()
	r.readAllows()
	r.readMutationRules()
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
