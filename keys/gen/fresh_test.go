package gen_test

import (
	"os"
	"os/exec"
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
	for _, name := range sources(t, root) {
		copyFile(t, filepath.Join(root, name), filepath.Join(dir, name))
		if strings.HasSuffix(name, "_gen.go") || strings.HasSuffix(name, ".resolvers.go") || name == "graph/generated.go" {
			generated = append(generated, name)
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

// sources are the files, tests left out, of the shop's schema and of the packages that
// its generated code and its resolvers import.
func sources(t *testing.T, root string) []string {
	t.Helper()
	list := exec.CommandContext(t.Context(), "go", "list", "-deps",
		"-f", "{{with .Module}}{{if .Main}}{{$.Dir}}{{end}}{{end}}", "./graph/...", "./resolvers/...")
	list.Dir = root
	folders, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	packages := strings.Split(strings.TrimSpace(string(folders)), "\n")
	for _, folder := range append(packages, filepath.Join(root, "graph/schema")) {
		entries, err := os.ReadDir(folder)
		if err != nil {
			t.Fatal(err)
		}
		for _, entry := range entries {
			if entry.IsDir() || strings.HasSuffix(entry.Name(), "_test.go") {
				continue
			}
			name, err := filepath.Rel(root, filepath.Join(folder, entry.Name()))
			if err != nil {
				t.Fatal(err)
			}
			names = append(names, filepath.ToSlash(name))
		}
	}
	return names
}
