package exampletest

import (
	"reflect"
	"testing"

	"github.com/99designs/gqlgen/graphql"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/gen/directives"
	"github.com/partita/partita/keys/design"
)

// Compare compares what has been generated from the folder with the folder: the design, and the responses and requests
// of all operations, by the plan and by gqlgen, and who may see and change what.
func (e *Example) Compare(t *testing.T, schema graphql.ExecutableSchema, d *design.Design) {
	t.Helper()
	generated, err := directives.Read(schema.Schema())
	fatal.If(t, err)
	parts := func(d *design.Design) []any {
		return []any{d.Layout, d.Types, d.Fields, d.Live, d.Rules, d.Mutations, d.Counters}
	}
	all := cmp.Exporter(func(reflect.Type) bool { return true })
	for _, d := range []*design.Design{generated.Design, d} {
		if reflect.DeepEqual(parts(e.Schema.Design), parts(d)) {
			continue // cmp follows each pointer again
		}
		// What is not exported follows from the rest, and may have functions, which are never equal.
		if diff := cmp.Diff(parts(e.Schema.Design), parts(d), all, cmpopts.IgnoreUnexported(design.Type{})); diff != "" {
			t.Errorf("the generated design is not that of the folder (-folder +generated)\n%s", diff)
		}
	}
	data := e.Data(t)
	e.Serve(t).Run(t, e.serve(t, data, schema, d, false), e.serve(t, data, schema, d, true))
	e.checkAccess(t, e.serve(t, data, schema, d, false))
	e.checkAccess(t, e.serve(t, data, schema, d, true))
}
