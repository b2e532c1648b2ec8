package types_test

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/gen/directives"
	"github.com/partita/partita/internal/gen/types"
)

var rewrite = flag.Bool("rewrite", false, "rewrite the generated package")

// The schemas of the packages that the other tests use. That of notation has all that a schema can say of keys and
// values of other programs.
const (
	librarySchema  = "testdata/library.graphqls"
	notationSchema = "../../exampletest/testdata/notation/schema.graphqls"
)

// TestGo compares the types of the schemas with the packages that the other tests use.
func TestGo(t *testing.T) {
	for name, file := range map[string]string{"library": librarySchema, "notation": notationSchema} {
		got, err := types.Go(read(t, file), name)
		fatal.If(t, err)
		generated := filepath.Join("testdata", name, name+".go")
		if *rewrite {
			fatal.If(t, os.WriteFile(generated, got, 0o644))
			continue
		}
		want, err := os.ReadFile(generated)
		fatal.If(t, err)
		if string(got) != string(want) {
			t.Errorf("%s is outdated: go test ./internal/gen/types -rewrite", generated)
		}
	}
}

// read returns the schema in a file.
func read(t *testing.T, file string) *directives.Schema {
	t.Helper()
	text, err := os.ReadFile(file)
	fatal.If(t, err)
	loaded, err := directives.Load(&ast.Source{Name: filepath.Base(file), Input: string(text)})
	fatal.If(t, err)
	schema, err := directives.Read(loaded)
	fatal.If(t, err)
	return schema
}
