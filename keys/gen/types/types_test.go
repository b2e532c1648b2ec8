package types_test

import (
	"flag"
	"os"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/keys/gen/directives"
	"github.com/partita/partita/keys/gen/types"
)

var rewrite = flag.Bool("rewrite", false, "rewrite the generated package")

const generated = "internal/library/library.go"

// TestGo compares the types of a schema with the package that the other tests use.
func TestGo(t *testing.T) {
	got, err := types.Go(read(t), "library")
	if err != nil {
		t.Fatal(err)
	}
	if *rewrite {
		if err := os.WriteFile(generated, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(generated)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != string(want) {
		t.Errorf("%s is outdated: go test ./keys/gen/types -rewrite", generated)
	}
}

// read returns the schema of testdata.
func read(t *testing.T) *directives.Schema {
	t.Helper()
	text, err := os.ReadFile("testdata/library.graphqls")
	if err != nil {
		t.Fatal(err)
	}
	loaded, err := directives.Load(&ast.Source{Name: "library.graphqls", Input: string(text)})
	if err != nil {
		t.Fatal(err)
	}
	schema, err := directives.Read(loaded)
	if err != nil {
		t.Fatal(err)
	}
	return schema
}
