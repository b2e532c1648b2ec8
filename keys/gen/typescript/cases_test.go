package typescript_test

import (
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/keys/gen/typescript"
)

// TestCases prints the types or the whole module of documents, or their errors, for the schema of the library or that
// of the command schema. The line -- begins another document.
func TestCases(t *testing.T) {
	datadriven.Walk(t, "testdata/cases", func(t *testing.T, path string) {
		schema := gqlparser.MustLoadSchema(source(t, library+"/schema.graphqls"))
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			var documents []*ast.Source
			for i, text := range strings.Split(d.Input, "\n--\n") {
				documents = append(documents, &ast.Source{Name: string(rune('a'+i)) + ".graphql", Input: text})
			}
			switch d.Cmd {
			case "schema":
				var err error
				if schema, err = gqlparser.LoadSchema(&ast.Source{Name: "schema.graphqls", Input: d.Input}); err != nil {
					d.Fatalf(t, "%v", err)
				}
				return ""
			case "types", "module":
				text, err := typescript.Generate(schema, documents...)
				if err != nil {
					return err.Error()
				}
				if d.Cmd == "types" {
					return withoutConstants(string(text))
				}
				return string(text)
			default:
				d.Fatalf(t, "unknown command %s", d.Cmd)
				return ""
			}
		})
	})
}

// withoutConstants returns the types of a module.
func withoutConstants(module string) string {
	_, types, _ := strings.Cut(module, "\n\n")
	types, _, _ = strings.Cut(types, "\nconst ")
	types, _, _ = strings.Cut(types, "\nexport const ")
	return types
}
