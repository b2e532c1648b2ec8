package importer_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/partita/partita/internal/buildfolder"
	"github.com/partita/partita/internal/gen"
	"github.com/partita/partita/internal/importer"
)

// TestGenerates generates a module from the schema of each table, as a person would, and compiles it.
func TestGenerates(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	paths, err := filepath.Glob(filepath.Join(root, "internal/gen/testdata/foreign/*/data.jsonl"))
	if paths = withStringKeys(paths); err != nil || len(paths) != 9 {
		t.Fatal("there are not nine tables", paths, err)
	}
	module := buildfolder.New(t)
	text := readFile(t, filepath.Join(root, "go.mod"))
	text = strings.Replace(text, "module github.com/partita/partita\n", "module imported\n", 1)
	text += "\nrequire github.com/partita/partita v0.0.0\n\nreplace github.com/partita/partita => " + root + "\n"
	writeFile(t, filepath.Join(module, "go.mod"), text)
	writeFile(t, filepath.Join(module, "go.sum"), readFile(t, filepath.Join(root, "go.sum")))
	for _, path := range paths {
		dir := filepath.Join(module, filepath.Base(filepath.Dir(path)))
		for _, f := range gen.InitialFiles() {
			writeFile(t, filepath.Join(dir, filepath.FromSlash(f.Name)), f.Text)
		}
		result := importFile(t, path, importer.Options{})
		writeFile(t, filepath.Join(dir, "graph/schema/imported.graphqls"), result.Schema)
		t.Chdir(dir)
		if err := gen.Generate(t.Context(), "gqlgen.yml", gen.Options{Typed: "graph/typed"}); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
	}
	compile := exec.CommandContext(t.Context(), "go", "build", "./...")
	compile.Dir = module
	compile.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod")
	if out, err := compile.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

func readFile(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func writeFile(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
