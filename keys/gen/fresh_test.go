package gen_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/partita/partita/keys/gen"
)

// TestGeneratedCodeIsFresh generates the shop's code in a copy of the module
// and compares: what is committed is what its schema gives.
func TestGeneratedCodeIsFresh(t *testing.T) {
	root, dir := abs(t, "../.."), t.TempDir()
	for _, name := range []string{"go.mod", "go.sum", "gqlgen.yml"} {
		copyFile(t, filepath.Join(root, name), filepath.Join(dir, name))
	}
	var generated []string
	for _, folder := range []string{"exit", "graph", "item", "keys", "loaders", "resolvers", "table", "viewer", "write"} {
		for _, name := range sources(t, root, folder) {
			copyFile(t, filepath.Join(root, name), filepath.Join(dir, name))
			if strings.HasSuffix(name, "_gen.go") || strings.HasSuffix(name, ".resolvers.go") || name == "graph/generated.go" {
				generated = append(generated, name)
			}
		}
	}
	generated = append(generated, "docs/access-patterns.md")
	for _, name := range generated {
		if strings.HasSuffix(name, "_gen.go") {
			if err := os.Remove(filepath.Join(dir, name)); err != nil {
				t.Fatal(err)
			}
		}
	}
	t.Chdir(dir)
	if err := gen.Generate("gqlgen.yml", gen.Options{Typed: "graph/typed", Docs: "docs/access-patterns.md"}); err != nil {
		t.Fatal(err)
	}
	for _, name := range generated {
		if read(t, filepath.Join(dir, name)) != read(t, filepath.Join(root, name)) {
			t.Errorf("%s is not what the schema gives: run make generate", name)
		}
	}
}

// sources are the Go files and schemas in a folder, tests and package gen left
// out.
func sources(t *testing.T, root, folder string) []string {
	t.Helper()
	var names []string
	err := fs.WalkDir(os.DirFS(root), folder, func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case name == "keys/gen":
			return fs.SkipDir
		case entry.IsDir() || strings.HasSuffix(name, "_test.go"):
		case strings.HasSuffix(name, ".go") || strings.HasSuffix(name, ".graphqls"):
			names = append(names, name)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}
