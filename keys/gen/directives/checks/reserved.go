package directives

import (
	"fmt"
	"slices"
	"strings"

	"github.com/partita/partita/keys"
)

// The names that a subgraph of Apollo Federation adds. They are reserved in all schemas, so that each can become one.
var (
	reservedTypes  = []string{keys.AnyType, keys.EntityUnion, keys.ServiceType}
	reservedFields = []string{keys.EntitiesField, keys.ServiceField}
)

// checkReserved finds types and fields of the root of queries with reserved names.
func (r *checker) checkReserved() {
	const what = " is reserved for subgraphs of Apollo Federation"
	for _, name := range reservedTypes {
		if def := r.schema.Types[name]; def != nil {
			r.find(def.Position, name, name+what, fmt.Sprintf("rename %s to %s in all files",
				name, unreserved(name, func(other string) bool { return r.schema.Types[other] != nil })))
		}
	}
	query := r.schema.Query
	for _, f := range query.Fields {
		if slices.Contains(reservedFields, f.Name) {
			isTaken := func(other string) bool { return query.Fields.ForName(other) != nil }
			r.find(f.Position, query.Name+"."+f.Name, f.Name+what,
				fmt.Sprintf("rename %s to %s in type %s", f.Name, unreserved(f.Name, isTaken), query.Name))
		}
	}
}

// unreserved returns a similar name that is not taken.
func unreserved(name string, isTaken func(string) bool) string {
	for name = strings.TrimPrefix(name, "_"); isTaken(name); {
		name += "1"
	}
	return name
}
