package gen

import (
	"fmt"
	"testing"

	"github.com/cockroachdb/datadriven"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/gen/directives"
)

// TestFindings reads schemas and prints what is wrong with them for Go alone.
func TestFindings(t *testing.T) {
	datadriven.RunTest(t, "testdata/gofindings", func(t *testing.T, d *datadriven.TestData) string {
		schema, err := directives.Load(&ast.Source{Name: "schema.graphqls", Input: d.Input})
		fatal.If(t, err)
		_, err = read(schema)
		return fmt.Sprintln(err)
	})
}
