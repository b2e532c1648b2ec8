// Package exampletest loads the folders of examples, serves them over tables of their own, and sends the operations
// that they list. Tests of the folders use it, and tests of the modules that are generated from them.
package exampletest

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/keys/gen/directives"
)

// Example is a folder of examples.
type Example struct {
	// Dir is the folder, and Name its base.
	Dir, Name string
	// Schema is that of the folder's *.graphqls.
	Schema *directives.Schema
}

// All returns the examples below a folder, by name.
func All(tb testing.TB, dir string) []*Example {
	tb.Helper()
	found, err := filepath.Glob(filepath.Join(dir, "*", "data.jsonl"))
	if err != nil || len(found) == 0 {
		tb.Fatal("no examples in", dir, err)
	}
	slices.Sort(found)
	var all []*Example
	for _, data := range found {
		all = append(all, Open(tb, filepath.Dir(data)))
	}
	return all
}

// Open reads the schema of an example.
func Open(tb testing.TB, dir string) *Example {
	tb.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.graphqls"))
	if err != nil || len(files) == 0 {
		tb.Fatal("no *.graphqls in", dir, err)
	}
	var sources []*ast.Source
	for _, file := range files {
		sources = append(sources, &ast.Source{Name: file, Input: read(tb, file)})
	}
	loaded, err := directives.Load(sources...)
	if err != nil {
		tb.Fatal(err)
	}
	schema, err := directives.Read(loaded)
	if err != nil {
		tb.Fatal(err)
	}
	if len(schema.Unread) > 0 {
		tb.Fatal(schema.Unread)
	}
	return &Example{Dir: dir, Name: filepath.Base(dir), Schema: schema}
}

func read(tb testing.TB, file string) string {
	tb.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		tb.Fatal(err)
	}
	return string(text)
}
