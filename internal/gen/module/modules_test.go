package module_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"text/template"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/gen/module"
	"github.com/partita/partita/internal/gentest"
	"github.com/partita/partita/internal/soak"
	"github.com/partita/partita/internal/table/local"
)

func TestMain(m *testing.M) { gentest.Main(m) }

// compare is a test of a generated module, in a module that may import the engine's internal packages.
var compare = template.Must(template.New("").Parse(`package generated

import (
	"testing"

	"github.com/partita/partita/internal/exampletest"

	"example.com/{{ .Name }}/graph"
	"example.com/{{ .Name }}/graph/typed"
	"example.com/{{ .Name }}/resolvers"
)

func Test_{{ .Name }}(t *testing.T) {
	t.Parallel()
	schema := graph.NewExecutableSchema(graph.Config{Resolvers: &resolvers.Resolver{}})
	exampletest.Open(t, {{ printf "%q" .Dir }}).Compare(t, schema, typed.Design)
}
`))

// foldersOfModules returns some of the apps, of the examples whose tables package gen generates servers for, too, and
// of the other folders.
func foldersOfModules(t *testing.T) []string {
	t.Helper()
	const examples, libraries = "../../../examples/*/data.jsonl", "../../exampletest/testdata/*/data.jsonl"
	var apps, foreign, others []string
	for _, data := range gentest.Glob(t, examples) {
		dir := filepath.Dir(data)
		if _, err := os.Stat(filepath.Join("../testdata/foreign", filepath.Base(dir))); err == nil {
			foreign = append(foreign, dir)
		} else {
			apps = append(apps, dir)
		}
	}
	for _, data := range gentest.Glob(t, libraries) {
		others = append(others, filepath.Dir(data))
	}
	return slices.Concat(soak.Some(apps, 1), soak.Some(foreign, 1), soak.Some(others, 1))
}

// TestModules generates a module from each example, and from each folder with keys and values of other programs, as the
// command generate does, compiles its program, and sends the operations of the folder to what has been generated and to
// the folder. Both give the same responses with the same requests.
func TestModules(t *testing.T) {
	root := gentest.Root(t)
	engine, err := local.FindEngine(os.Getenv("DYNOXIDE"))
	fatal.If(t, err)
	t.Setenv("GOFLAGS", "-mod=mod")
	t.Setenv("GOSUMDB", "off")
	tests := gentest.NewModule(t, "github.com/partita/partita/generated")
	modules := filepath.Join(tests, "modules")
	var programs []string
	mod := gentest.Read(t, filepath.Join(tests, "go.mod"))
	folders := foldersOfModules(t)
	for _, dir := range folders {
		name := filepath.Base(dir)
		path, to := "example.com/"+name, filepath.Join(modules, name)
		programs = append(programs, path)
		mod += "\nrequire " + path + " v0.0.0\n\nreplace " + path + " => " + to + "\n"
		var test strings.Builder
		fatal.If(t, compare.Execute(&test, struct{ Name, Dir string }{name, dir}))
		gentest.Write(t, filepath.Join(tests, name+"_test.go"), test.String())
	}
	gentest.Write(t, filepath.Join(tests, "go.mod"), mod)
	t.Run("generate", func(t *testing.T) {
		for i, path := range programs {
			t.Run(path, func(t *testing.T) {
				t.Parallel()
				dir := folders[i]
				m := module.Module{
					Dir: filepath.Join(modules, filepath.Base(path)), Path: path,
					Schema: gentest.Glob(t, filepath.Join(dir, "*.graphqls")),
					Data:   filepath.Join(dir, "data.jsonl"), Query: filepath.Join(dir, "query.graphql"), HasNodes: true,
					Engine: module.Engine{Dir: root}, Generator: "partitagen", Log: t.Output(),
				}
				if i == 0 { // as everybody does it
					m.Generator = ""
				}
				fatal.If(t, m.Generate(t.Context()))
			})
		}
	})
	for _, arguments := range [][]string{append([]string{"vet"}, programs...), {"test", "-count=1", "."}} {
		run := exec.CommandContext(t.Context(), "go", arguments...)
		run.Dir = tests
		run.Env = append(os.Environ(), "GOWORK=off", "DYNOXIDE="+engine)
		if out, err := run.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
}
