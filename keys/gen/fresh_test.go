package gen_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/partita/partita/internal/buildfolder"
	"github.com/partita/partita/keys/gen"
)

// TestGeneratedCodeIsFresh generates the code of the shop and of the test service in a copy of the
// module, and compares it with the committed code.
func TestGeneratedCodeIsFresh(t *testing.T) {
	root := abs(t, "../..")
	for _, service := range []struct {
		folder  string
		options gen.Options
		// written are the generated files whose names do not show it.
		written []string
	}{
		{
			folder:  ".",
			options: gen.Options{Typed: "graph/typed", Docs: "docs/reference/access-patterns.md"},
			written: []string{"graph/generated.go", "docs/reference/access-patterns.md"},
		},
		{
			folder:  "internal/testservice",
			options: gen.Options{Typed: "graph/typed"},
			written: []string{"internal/testservice/graph/generated.go"},
		},
	} {
		t.Run(service.folder, func(t *testing.T) {
			dir := buildfolder.New(t)
			generated := service.written
			for _, name := range []string{"go.mod", "go.sum", filepath.Join(service.folder, "gqlgen.yml")} {
				copyFile(t, filepath.Join(root, name), filepath.Join(dir, name))
			}
			for _, name := range sources(t, root, service.folder) {
				copyFile(t, filepath.Join(root, name), filepath.Join(dir, name))
				if isGenerated(service.folder, name) {
					generated = append(generated, name)
				}
			}
			for _, name := range generated {
				if strings.HasSuffix(name, "_gen.go") {
					if err := os.Remove(filepath.Join(dir, name)); err != nil {
						t.Fatal(err)
					}
				}
			}
			t.Chdir(filepath.Join(dir, service.folder))
			if err := gen.Generate(t.Context(), "gqlgen.yml", service.options); err != nil {
				t.Fatal(err)
			}
			for _, name := range generated {
				if read(t, filepath.Join(dir, name)) != read(t, filepath.Join(root, name)) {
					t.Errorf("%s is outdated: run make generate", name)
				}
			}
		})
	}
}

// isGenerated reports whether a file of the service in a folder is generated, as its name shows.
func isGenerated(service, name string) bool {
	within, err := filepath.Rel(service, name)
	return err == nil && (strings.HasPrefix(within, "graph/") || strings.HasPrefix(within, "resolvers/")) &&
		(strings.HasSuffix(name, "_gen.go") || strings.HasSuffix(name, ".resolvers.go"))
}

// sources returns the files, tests left out, of a service's schema and of the packages that its
// generated code and its resolvers import.
func sources(t *testing.T, root, folder string) []string {
	t.Helper()
	list := exec.CommandContext(t.Context(), "go", "list", "-deps",
		"-f", "{{with .Module}}{{if .Main}}{{$.Dir}}{{end}}{{end}}", "./graph/...", "./resolvers")
	list.Dir = filepath.Join(root, folder)
	folders, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	packages := strings.Split(strings.TrimSpace(string(folders)), "\n")
	for _, folder := range append(packages, filepath.Join(list.Dir, "graph/schema")) {
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
