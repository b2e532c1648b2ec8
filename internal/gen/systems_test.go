package gen_test

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/gentest"
	"github.com/partita/partita/internal/soak"
	"github.com/partita/partita/internal/table/local"
)

func TestMain(m *testing.M) { gentest.Main(m) }

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

// systems returns those with a table that Partita has filled, and some of those with a table that another program has.
func systems(t *testing.T) []system {
	t.Helper()
	var all []system
	for _, schema := range gentest.Glob(t, "testdata/systems/*.graphqls") {
		name := strings.TrimSuffix(filepath.Base(schema), ".graphqls")
		all = append(all, system{
			dir: name, schema: schema,
			queries: gentest.Abs(t, "testdata/systems/"+name+".txt"), test: gentest.Abs(t, "testdata/systems/"+name+"_test.go"),
		})
	}
	for _, test := range soak.Some(gentest.Glob(t, "testdata/foreign/*/*_test.go"), 1) {
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
	tests := gentest.Abs(t, "testdata/systems")
	engine, err := local.FindEngine(os.Getenv("DYNOXIDE"))
	fatal.If(t, err)
	module := gentest.NewModule(t, "github.com/partita/partita/systems")
	t.Run("generate", func(t *testing.T) {
		for _, s := range systems(t) {
			t.Run(s.dir, func(t *testing.T) {
				t.Parallel()
				s.generate(t, module)
			})
		}
	})
	for _, name := range []string{"main_test.go", "foreign_test.go", "foreign_writes_test.go"} {
		gentest.Copy(t, filepath.Join(tests, name), filepath.Join(module, name))
	}
	arguments := []string{"test", "-count=1", "./..."}
	if flag.Lookup("rewrite").Value.String() == "true" {
		arguments = []string{"test", "-count=1", ".", "-rewrite"}
	}
	run := exec.CommandContext(t.Context(), "go", arguments...)
	run.Dir = module
	run.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod", "DYNOXIDE="+engine, "SYSTEMS="+tests)
	if out, err := run.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

// generate writes the system into the module, with its test.
func (s system) generate(t *testing.T, module string) {
	if _, err := os.Stat(s.queries); err != nil {
		t.Errorf("%s has no queries: %v", s.dir, err)
	}
	dir := filepath.Join(module, s.dir)
	gentest.Copy(t, s.schema, filepath.Join(dir, "schema", filepath.Base(s.schema)))
	gentest.Write(t, filepath.Join(dir, "gqlgen.yml"), systemConfig)
	gentest.Copy(t, s.test, filepath.Join(module, strings.ReplaceAll(s.dir, "/", "_")+"_test.go"))
	generate := exec.CommandContext(t.Context(), "partitagen", "-typed", "typed", "-docs", "access-patterns.md")
	generate.Dir = dir
	if out, err := generate.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}
