package checks

import (
	"fmt"
	"slices"

	"github.com/partita/partita/internal/gen/directives/sdl"
	"github.com/partita/partita/keys/design"
)

// The names that a subgraph of Apollo Federation adds. They are reserved in all schemas, so that each can become one.
var (
	reservedTypes  = []string{design.AnyType, design.EntityUnion, design.ServiceType}
	reservedFields = []string{design.EntitiesField, design.ServiceField}
)

// checkReserved finds types and fields of the root of queries with reserved names.
func checkReserved(r *checker) {
	const what = " is reserved for subgraphs of Apollo Federation"
	for _, name := range reservedTypes {
		if def := r.Schema.Types[name]; def != nil {
			r.find(def.Position, name, name+what, fmt.Sprintf("rename %s to %s in all files",
				name, sdl.Unreserved(name, func(other string) bool { return r.Schema.Types[other] != nil })))
		}
	}
	query := r.Schema.Query
	for _, f := range query.Fields {
		if slices.Contains(reservedFields, f.Name) {
			isTaken := func(other string) bool { return query.Fields.ForName(other) != nil }
			r.find(f.Position, query.Name+"."+f.Name, f.Name+what,
				fmt.Sprintf("rename %s to %s in type %s", f.Name, sdl.Unreserved(f.Name, isTaken), query.Name))
		}
	}
}
