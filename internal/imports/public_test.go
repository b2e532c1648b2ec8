package imports

import (
	"errors"
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// public returns the packages of the engine that other modules may import.
func public(t *testing.T) []goPackage {
	t.Helper()
	return slices.DeleteFunc(slices.Clone(list(t)), func(p goPackage) bool {
		return p.Name == "main" || !isIn(p.path(), engine) || isIn(p.path(), []string{"internal"})
	})
}

var listedPackage = regexp.MustCompile("(?m)^\\| `([a-z/]+)` \\|")

// TestPublicPackagesAreListed: a package is public if somebody needs it, and the page says who.
func TestPublicPackagesAreListed(t *testing.T) {
	page, err := os.ReadFile("../../docs/reference/packages.md")
	if err != nil {
		t.Fatal(err)
	}
	var listed, want []string
	for _, row := range listedPackage.FindAllStringSubmatch(string(page), -1) {
		listed = append(listed, row[1])
	}
	for _, p := range public(t) {
		want = append(want, p.path())
	}
	slices.Sort(listed)
	slices.Sort(want)
	if diff := cmp.Diff(want, listed); diff != "" {
		t.Errorf("docs/reference/packages.md (-packages outside internal, +rows)\n%s", diff)
	}
}

// TestPublicPackagesHaveExamples: each has one with an output, which go test compares.
func TestPublicPackagesHaveExamples(t *testing.T) {
	for _, p := range public(t) {
		file, err := parser.ParseFile(
			token.NewFileSet(), filepath.Join(p.Dir, "example_test.go"), nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Fatal(err)
		}
		if !runs(file) {
			t.Errorf("%s has no Example with an output in example_test.go", p.path())
		}
	}
}

func runs(file *ast.File) bool {
	return file != nil && slices.ContainsFunc(doc.Examples(file), func(e *doc.Example) bool {
		return strings.TrimSpace(e.Output) != ""
	})
}
