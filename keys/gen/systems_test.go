package gen_test

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/partita/partita/keys/gen"
	"github.com/partita/partita/keys/gen/directives"
	"github.com/partita/partita/table/local"
)

var rewrite = flag.Bool("rewrite", false, "rewrite the expected answers in testdata/systems")

const systemConfig = `schema:
  - schema/*.graphqls
exec:
  filename: graph/generated.go
  package: graph
model:
  filename: graph/model/models_gen.go
  package: model
resolver:
  layout: follow-schema
  dir: resolvers
  package: resolvers
  omit_template_comment: true
skip_mod_tidy: true
skip_validation: true
`

// TestSystems generates a server from each example schema, in one module, and runs the tests in
// testdata/systems there. They send queries to the local engine, and compare answers and requests.
func TestSystems(t *testing.T) {
	root := abs(t, "../..")
	tests := abs(t, "testdata/systems")
	schemas := append(glob(t, "directives/testdata/systems/*.graphqls"), glob(t, "testdata/systems/*.graphqls")...)
	engine, err := local.FindEngine(os.Getenv("DYNOXIDE"))
	if err != nil {
		t.Fatal(err)
	}
	module := newModule(t, root, "systems")
	for _, schema := range schemas {
		name := strings.TrimSuffix(filepath.Base(schema), ".graphqls")
		if _, err := os.Stat(filepath.Join(tests, name+".txt")); err != nil {
			t.Errorf("%s has no queries: %v", name, err)
		}
		dir := filepath.Join(module, name)
		copyFile(t, schema, filepath.Join(dir, "schema", name+".graphqls"))
		write(t, filepath.Join(dir, "schema", "directives.graphqls"), directives.Definitions)
		write(t, filepath.Join(dir, "gqlgen.yml"), systemConfig)
	}
	for _, schema := range schemas {
		name := strings.TrimSuffix(filepath.Base(schema), ".graphqls")
		t.Run("generate "+name, func(t *testing.T) {
			t.Chdir(filepath.Join(module, name))
			if err := gen.Generate(t.Context(), "gqlgen.yml", gen.Options{Typed: "typed", Docs: "access-patterns.md"}); err != nil {
				t.Fatal(err)
			}
		})
	}
	for _, file := range glob(t, "testdata/systems/*_test.go") {
		copyFile(t, file, filepath.Join(module, filepath.Base(file)))
	}
	arguments := []string{"test", "-count=1", "./..."}
	if *rewrite {
		arguments = []string{"test", "-count=1", ".", "-rewrite"}
	}
	run := exec.CommandContext(t.Context(), "go", arguments...)
	run.Dir = module
	run.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod", "DYNOXIDE="+engine, "SYSTEMS="+tests)
	if out, err := run.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

// newModule returns an empty module that uses this one's packages and dependencies.
func newModule(t *testing.T, root, name string) string {
	t.Helper()
	dir := t.TempDir()
	mod := read(t, filepath.Join(root, "go.mod"))
	mod = strings.Replace(mod, "module github.com/partita/partita\n", "module "+name+"\n", 1)
	mod += "\nrequire github.com/partita/partita v0.0.0\n\nreplace github.com/partita/partita => " + root + "\n"
	write(t, filepath.Join(dir, "go.mod"), mod)
	copyFile(t, filepath.Join(root, "go.sum"), filepath.Join(dir, "go.sum"))
	return dir
}

// glob returns the absolute paths of the files that match. There must be at least one.
func glob(t *testing.T, pattern string) []string {
	t.Helper()
	files, err := filepath.Glob(abs(t, pattern))
	if err != nil || len(files) == 0 {
		t.Fatal("no files", pattern, err)
	}
	return files
}

func abs(t *testing.T, path string) string {
	t.Helper()
	path, err := filepath.Abs(path)
	if err != nil {
		t.Fatal(err)
	}
	return path
}

func read(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	write(t, to, read(t, from))
}
