package directives_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/validator"

	"github.com/partita/partita/keys/gen/directives"
)

// load parses a schema together with the directives that all schemas share.
func load(t *testing.T, name, text string, more ...string) *ast.Schema {
	t.Helper()
	sources := []*ast.Source{
		validator.Prelude,
		{Name: "directives.graphqls", Input: directives.Definitions},
		{Name: name, Input: text},
	}
	for _, text := range more {
		sources = append(sources, &ast.Source{Name: "common.graphqls", Input: text})
	}
	schema, err := validator.LoadSchema(sources...)
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

// TestLoadMissingFiles loads a schema without each of the files that partitagen -init writes. The file is one finding,
// not one for each of its names.
func TestLoadMissingFiles(t *testing.T) {
	schema := &ast.Source{Name: "tasks.graphqls", Input: `
		type Query { task(id: ID!): Task @get(pk: "TASK#{id}", sk: "TASK#{id}") }
		type Task implements Node @item(pk: "TASK#{id}", sk: "TASK#{id}") { id: ID! at: Time! page: PageInfo }`}
	declared := &ast.Source{Name: "directives.graphqls", Input: directives.Definitions}
	node := &ast.Source{Name: "node.graphqls", Input: `
		scalar Time
		interface Node { id: ID! }
		type PageInfo { hasNextPage: Boolean! }`}
	for _, test := range []struct {
		file string
		rest *ast.Source
		want string
	}{
		{declared.Name, node, "2:37: Query.task: there is no directive @get: the schema has no directives.graphqls"},
		{node.Name, declared, "3:79: Task.at: there is no type Time: the schema has no node.graphqls"},
	} {
		_, err := directives.Load(schema, test.rest)
		want := "tasks.graphqls:" + test.want + "\n    run partitagen -init, which writes " + test.file
		if err == nil || err.Error() != want {
			t.Errorf("without %s:\n%v\nwant\n%s", test.file, err, want)
		}
	}
	if _, err := directives.Load(schema, declared, node); err != nil {
		t.Error(err)
	}
}
