package typescript_test

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/keys/gen/typescript"
)

const (
	library   = "testdata/library"
	generated = library + "/library.ts"
	compiler  = "../../../node_modules/.bin/tsc"
)

// TestLibrary compares the module of a schema and its documents with the one that usage.tsx imports.
func TestLibrary(t *testing.T) {
	schema, err := gqlparser.LoadSchema(source(t, library+"/schema.graphqls"))
	if err != nil {
		t.Fatal(err)
	}
	got, err := typescript.Generate(schema, source(t, library+"/books.graphql"), source(t, library+"/search.graphql"))
	if err != nil {
		t.Fatal(err)
	}
	if flag.Lookup("rewrite").Value.String() == "true" {
		if err := os.WriteFile(generated, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(generated)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != string(want) {
		t.Errorf("%s is outdated: go test ./keys/gen/typescript -rewrite", generated)
	}
}

// TestCompiles compiles what a client does with the module, and what it must not be able to do.
func TestCompiles(t *testing.T) {
	tsc, err := filepath.Abs(compiler)
	if err != nil {
		t.Fatal(err)
	}
	readAll(t, library)
	if out, err := exec.CommandContext(t.Context(), tsc, "--project", library).CombinedOutput(); err != nil {
		t.Errorf("%v (make install installs the compiler)\n%s", err, out)
	}
}

// readAll opens the files that another process reads, so that go test does not reuse a result from before they changed.
func readAll(t *testing.T, dir string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if _, err := os.ReadFile(filepath.Join(dir, e.Name())); err != nil {
			t.Fatal(err)
		}
	}
}

func source(t *testing.T, path string) *ast.Source {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return &ast.Source{Name: filepath.Base(path), Input: string(text)}
}
