package directives

import (
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/keys"
)

// design is what the directives of a schema declare, as far as it could be read.
type design struct {
	*access
	rules     []*keys.FieldRule
	mutations []*declaredMutation
	counters  []*counter
}

// readDesign reads the directives of a schema that is complete and valid.
func readDesign(schema *ast.Schema) *design {
	r := &design{access: newAccess(schema)}
	r.readConnections()
	r.readTypes()
	r.readFields()
	r.readMutations()
	r.supplyItems()
	r.match(r.reads)
	r.readEdgeNodes()
	r.readCounters()
	r.resolveRefs()
	r.resolveArguments()
	r.readAllows()
	r.readMutationRules()
	return r
}

// newAccess returns a schema with its table, of which nothing else has been read.
func newAccess(schema *ast.Schema) *access {
	r := &access{
		storage: &storage{
			source: &source{schema: schema}, types: map[string]*storedType{}, nested: map[string]keys.Object{},
		},
		connections: map[string]*Connection{}, edges: map[string]*Connection{},
	}
	r.readLayout()
	return r
}

// readMatches returns which stored keys each field of a schema reads, as if no field returned a connection.
func readMatches(schema *ast.Schema) *access {
	r := newAccess(schema)
	r.readTypes()
	r.readFields()
	r.match(r.reads)
	r.resolveRefs()
	return r
}
