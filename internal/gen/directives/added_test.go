package directives_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/validator"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/gen/directives"
)

// TestAdded: the files of a schema are a valid schema with what is added to them. Loaded again, it is the same schema,
// and nothing is added to it.
func TestAdded(t *testing.T) {
	examples, err := filepath.Glob("../../../examples/*")
	fatal.If(t, err)
	for _, dir := range append(examples, "../../testservice/graph/schema", "../../../graph/schema") {
		files, err := filepath.Glob(filepath.Join(dir, "*.graphqls"))
		fatal.If(t, err)
		if len(files) == 0 {
			continue // a file beside the examples
		}
		var sources []*ast.Source
		for _, file := range files {
			sources = append(sources, &ast.Source{Name: file, Input: readFile(t, file)})
		}
		schema := load(t, sources...)
		added, err := directives.Added(schema, sources...)
		fatal.If(t, err)
		sources = append(sources, &ast.Source{Name: "added", Input: added})
		if _, err := validator.LoadSchema(append([]*ast.Source{validator.Prelude}, sources...)...); err != nil {
			t.Errorf("%s: without Partita: %v", dir, err)
		}
		again := load(t, sources...)
		if !slices.Equal(sortedLines(again), sortedLines(schema)) {
			t.Errorf("%s is another schema with what was added", dir)
		}
		if more, err := directives.Added(again, sources...); err != nil || strings.TrimSpace(more) != "" {
			t.Errorf("%s: added again: %v\n%s", dir, err, more)
		}
	}
}

// sortedLines returns the lines of a schema: fields of extensions come last, wherever they are added.
func sortedLines(schema *ast.Schema) []string {
	lines := strings.Split(directives.SDL(schema), "\n")
	slices.Sort(lines)
	return lines
}

// TestAddedToAnExtension: a type that files only extend is defined with the rest, and an enum gets the values it lacks.
func TestAddedToAnExtension(t *testing.T) {
	source := &ast.Source{Name: "notes.graphqls", Input: `
extend type Query { note(id: ID!): Note @get(pk: "NOTE#{id}", sk: "NOTE#{id}") }
type Note implements Node @item(pk: "NOTE#{id}", sk: "NOTE#{id}") { id: ID! text: String! }
enum StoredFormat { NUMBER }
`}
	added, err := directives.Added(load(t, source), source)
	fatal.If(t, err)
	for _, want := range []string{"\ntype Query {\n", "\nextend enum StoredFormat {\n", "\ninterface Node {\n"} {
		if !strings.Contains(added, want) {
			t.Errorf("%q is not in\n%s", want, added)
		}
	}
	for _, other := range []string{"note(", "  NUMBER\n", "type Note"} {
		if strings.Contains(added, other) {
			t.Errorf("%q is defined twice in\n%s", other, added)
		}
	}
}
