package directives_test

import (
	"testing"

	"github.com/cockroachdb/datadriven"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/gen/directives"
)

// TestCompleted prints completed schemas without the directives.
func TestCompleted(t *testing.T) {
	datadriven.RunTest(t, "testdata/completed", func(t *testing.T, d *datadriven.TestData) string {
		const file = "completed.graphqls"
		schema, err := directives.Load(&ast.Source{Name: file, Input: d.Input})
		if err != nil {
			d.Fatalf(t, "%v", err)
		}
		if _, err := directives.Read(schema); err != nil {
			d.Fatalf(t, "%v", err)
		}
		return printFrom(schema, file, "")
	})
}

// TestSDL loads the text of a completed schema again.
func TestSDL(t *testing.T) {
	for name, schema := range systems(t) {
		text := directives.SDL(schema)
		again, err := directives.Load(&ast.Source{Name: name, Input: text})
		if err != nil {
			t.Fatal(err)
		}
		if directives.SDL(again) != text {
			t.Errorf("%s: the text of the schema that has been loaded from a text is another one", name)
		}
	}
}
