// Package exampletest loads the folders of examples, serves them over tables of their own, and sends the operations
// that they list. Tests of the folders use it, and tests of the modules that are generated from them.
//
// The numbers in the READMEs of examples and in the page of patterns are what these tests measure, so that they cannot
// promise what is not true.
package exampletest

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/folder"
)

// Example is a folder of examples.
type Example struct {
	*folder.Folder
	// Name is the name of the folder.
	Name string
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

// Open opens an example as the program does.
func Open(tb testing.TB, dir string) *Example {
	tb.Helper()
	f, err := folder.Open(dir)
	fatal.If(tb, err)
	return &Example{f, filepath.Base(dir)}
}

func read(tb testing.TB, file string) string {
	tb.Helper()
	text, err := os.ReadFile(file)
	fatal.If(tb, err)
	return string(text)
}
