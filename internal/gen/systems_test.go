package gen_test

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/partita/partita/internal/buildfolder"
	"github.com/partita/partita/internal/gen"
	"github.com/partita/partita/internal/table/local"
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

// system is a schema with queries, which a test sends.
type system struct {
	// dir is the folder in the module, and below which the generated packages are.
	dir    string
	schema string
	// queries is the file with the queries, test the Go file that runs them.
	queries, test string
}

// systems returns those with a table that Partita has filled, and those with a table that another program has.
func systems(t *testing.T) []system {
	t.Helper()
	var all []system
	for _, schema := range glob(t, "testdata/systems/*.graphqls") {
		name := strings.TrimSuffix(filepath.Base(schema), ".graphqls")
		all = append(all, system{
			dir: name, schema: schema,
			queries: abs(t, "testdata/systems/"+name+".txt"), test: abs(t, "testdata/systems/"+name+"_test.go"),
		})
	}
	for _, test := range glob(t, "testdata/foreign/*/*_test.go") {
		folder := filepath.Dir(test)
		name := filepath.Base(folder)
		all = append(all, system{
			dir: "foreign/" + name, schema: filepath.Join(folder, "schema.graphqls"),
			queries: filepath.Join(folder, "queries.txt"), test: test,
		})
	}
	return all
}

// TestSystems generates a server from each schema, in one module, and runs their tests there. They send queries to the
// local engine, and compare answers and requests.
func TestSystems(t *testing.T) {
	root := abs(t, "../..")
	tests := abs(t, "testdata/systems")
	engine, err := local.FindEngine(os.Getenv("DYNOXIDE"))
	if err != nil {
		t.Fatal(err)
	}
	module := newModule(t, root, "github.com/partita/partita/systems")
	for _, s := range systems(t) {
		if _, err := os.Stat(s.queries); err != nil {
			t.Errorf("%s has no queries: %v", s.dir, err)
		}
		dir := filepath.Join(module, s.dir)
		copyFile(t, s.schema, filepath.Join(dir, "schema", filepath.Base(s.schema)))
		write(t, filepath.Join(dir, "gqlgen.yml"), systemConfig)
		copyFile(t, s.test, filepath.Join(module, strings.ReplaceAll(s.dir, "/", "_")+"_test.go"))
		t.Run("generate "+s.dir, func(t *testing.T) {
			t.Chdir(dir)
			options := gen.Options{Typed: "typed", Docs: "access-patterns.md"}
			if err := gen.Generate(t.Context(), "gqlgen.yml", options); err != nil {
				t.Fatal(err)
			}
		})
	}
	for _, name := range []string{"main_test.go", "foreign_test.go", "foreign_writes_test.go"} {
		copyFile(t, filepath.Join(tests, name), filepath.Join(module, name))
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
	dir := buildfolder.New(t)
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
