package resolvers_test

import (
	"slices"
	"testing"

	"github.com/partita/partita/demo"
	"github.com/partita/partita/graph"
	"github.com/partita/partita/graph/typed"
	"github.com/partita/partita/internal/executors"
	"github.com/partita/partita/internal/folder"
	"github.com/partita/partita/internal/gen/directives"
	"github.com/partita/partita/resolvers"
	"github.com/partita/partita/viewer"
)

// schemaFiles returns the shop's schema as a folder without Go is served.
func schemaFiles(t testing.TB) *directives.Schema {
	t.Helper()
	files, err := folder.Open("../graph/schema")
	if err != nil {
		t.Fatal(err)
	}
	files.Schema.Design.WithoutGo()
	return files.Schema
}

// compared returns the shop's schema with the demo data, for comparisons of executors.
func compared(t *testing.T) executors.Schema {
	t.Helper()
	return executors.Schema{
		Folder:     schemaFiles(t),
		Executable: graph.NewExecutableSchema(graph.Config{Resolvers: &resolvers.Resolver{}}),
		Design:     typed.Design,
		Items:      slices.Collect(demo.Items()),
		Viewers: []viewer.Viewer{
			admin, {ID: demo.Ada().Value()}, {ID: otherUser(t).Value(), Roles: []string{"STAFF"}}, {},
		},
	}
}

// TestExecutorsAgree compares the executors for random operations of the shop's schema.
func TestExecutorsAgree(t *testing.T) {
	t.Parallel()
	compared(t).Check(t)
}

// TestExecutorsAgreeOnValues compares the executors for odd values of each attribute.
func TestExecutorsAgreeOnValues(t *testing.T) {
	t.Parallel()
	compared(t).CheckValues(t)
}

// TestExecutorsAgreeOnIntrospection compares what the executors return for all parts of the schema.
func TestExecutorsAgreeOnIntrospection(t *testing.T) {
	t.Parallel()
	compared(t).CheckIntrospection(t)
}
