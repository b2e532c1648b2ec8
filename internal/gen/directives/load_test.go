package directives_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/gen/directives"
)

// load returns a schema, completed.
func load(t *testing.T, name, text string) *ast.Schema {
	t.Helper()
	schema, err := directives.Load(&ast.Source{Name: name, Input: text})
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	return schema
}

// systems returns the example schemas by name.
func systems(t *testing.T) map[string]*ast.Schema {
	t.Helper()
	files, err := filepath.Glob("../../../examples/*/schema.graphqls")
	if err != nil || len(files) == 0 {
		t.Fatal("no example schemas", err)
	}
	schemas := map[string]*ast.Schema{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		name := filepath.Base(filepath.Dir(file))
		schemas[name] = load(t, name+".graphqls", string(text))
	}
	return schemas
}
