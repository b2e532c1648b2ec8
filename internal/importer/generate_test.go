package importer_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/gen"
	"github.com/partita/partita/internal/gentest"
	"github.com/partita/partita/internal/importer"
	"github.com/partita/partita/internal/soak"
)

func TestMain(m *testing.M) { gentest.Main(m) }

// TestGenerates generates a server from the schema of a table, as a person would, and compiles it.
func TestGenerates(t *testing.T) {
	t.Parallel()
	paths, err := filepath.Glob(filepath.Join(systems, "*", "data.jsonl"))
	if paths = withStringKeys(paths); err != nil || len(paths) != 9 {
		t.Fatal("there are not nine tables", paths, err)
	}
	module := gentest.NewModule(t, "imported")
	t.Run("generate", func(t *testing.T) {
		for _, path := range soak.Some(paths, 1) {
			system := filepath.Base(filepath.Dir(path))
			t.Run(system, func(t *testing.T) {
				t.Parallel()
				dir := filepath.Join(module, system)
				for _, f := range gen.InitialFiles() {
					writeFile(t, filepath.Join(dir, filepath.FromSlash(f.Name)), f.Text)
				}
				result := importFile(t, path, importer.Options{})
				writeFile(t, filepath.Join(dir, "graph/schema/imported.graphqls"), result.Schema)
				goCommand(t, dir, "partitagen", "-docs", "")
			})
		}
	})
	goCommand(t, module, "go", "build", "./...")
}

// goCommand runs a command in a folder of a module.
func goCommand(t *testing.T, dir, name string, arguments ...string) {
	t.Helper()
	command := exec.CommandContext(t.Context(), name, arguments...)
	command.Dir = dir
	command.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod")
	if out, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

func readFile(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	fatal.If(t, err)
	return string(text)
}

func writeFile(t *testing.T, path, text string) {
	t.Helper()
	fatal.If(t, os.MkdirAll(filepath.Dir(path), 0o755))
	fatal.If(t, os.WriteFile(path, []byte(text), 0o644))
}
