package architecture

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
)

const module = "github.com/partita/partita"

// A pattern is the path of a package below the module. "x/..." matches x and all packages below it.
type pattern string

func (p pattern) matches(path string) bool {
	root, all := strings.CutSuffix(string(p), "/...")
	return path == root || all && strings.HasPrefix(path, root+"/")
}

// match reports whether one of the patterns matches the path.
func match(patterns []pattern, path string) bool {
	return slices.ContainsFunc(patterns, func(p pattern) bool { return p.matches(path) })
}

// shop lists the packages of the engine's first application. The root is its main.
var shop = []pattern{".", "graph/...", "resolvers/...", "demo/...", "deploy/..."}

type layer struct {
	packages []pattern
	imports  []pattern
	reason   string
}

// layers lists what packages may import of this module, tests aside: app -> gateway -> loaders -> keys, write -> item.
// A package belongs to the first layer that matches it. Packages of a layer may import each other.
var layers = []layer{
	{
		[]pattern{"exit", "viewer", "defaults", "internal/ways", "internal/architecture"}, nil,
		"they import nothing, so that any package can import them",
	},
	{[]pattern{"item/..."}, nil, "item values know nothing of keys and of DynamoDB"},
	{
		[]pattern{"keys/gen/..."}, []pattern{"keys", "write", "item/..."},
		"the generator writes code that calls keys and write; it does not run a service",
	},
	{[]pattern{"keys/..."}, []pattern{"item/..."}, "a key is worked out without reading anything"},
	{[]pattern{"write"}, []pattern{"keys", "item/..."}, "write describes transactions, and table sends them"},
	{
		[]pattern{"loaders/request"}, []pattern{"keys", "item/..."},
		"loaders and table share the requests without importing each other",
	},
	{
		[]pattern{"loaders"}, []pattern{"loaders/request", "write", "keys", "item/...", "viewer"},
		"loaders declares the interface to DynamoDB, and table implements it",
	},
	{
		[]pattern{"table/attribute"}, []pattern{"keys", "item/..."},
		"the conversion of attribute values needs no connection",
	},
	{
		[]pattern{"table"},
		[]pattern{"table/attribute", "loaders/request", "write", "keys", "item/...", "exit", "defaults"},
		"the gateway's requests to DynamoDB do not include administration, and go to any endpoint",
	},
	{
		[]pattern{"table/..."}, []pattern{"loaders/request", "write", "keys", "item/...", "exit", "defaults"},
		"a table is administered without a gateway",
	},
	{
		[]pattern{"gateway"},
		[]pattern{"gateway/httpserver", "gateway/logging", "gateway/playground", "viewer", "defaults"},
		"the gateway serves any executable schema, and a test of it needs no table",
	},
	{
		[]pattern{"gateway/telemetry"}, []pattern{"gateway", "loaders", "loaders/request", "write"},
		"telemetry observes the requests of the gateway and of the loaders",
	},
	{[]pattern{"gateway/auth"}, []pattern{"exit", "keys", "viewer"}, "a token is checked without a gateway"},
	{
		[]pattern{"gateway/internal/..."}, []pattern{"gateway/...", "keys/..."},
		"the gateway's own tests have a schema without a table",
	},
	{
		[]pattern{"gateway/httpserver", "gateway/logging", "gateway/playground"}, []pattern{"defaults"},
		"servers and commands without a gateway use them",
	},
	{
		[]pattern{"app"},
		[]pattern{
			"gateway/...", "loaders/...", "table/...", "write", "keys", "keys/gen/directives", "item/...",
			"exit", "viewer", "defaults",
		},
		"the program is that of any service, and gets the service from its main",
	},
	{
		[]pattern{"internal/testservice/graph/..."}, []pattern{"loaders", "write", "keys/...", "item/..."},
		"generated code imports what is imported in a module of its own",
	},
	{
		[]pattern{"internal/..."},
		[]pattern{"app", "gateway/...", "loaders/...", "table/...", "write", "keys/...", "item/...", "exit", "viewer"},
		"tests of the engine start a whole service",
	},
	{
		[]pattern{"graph/..."}, []pattern{"loaders", "write", "keys/...", "item/..."},
		"generated code imports what is imported in a module of its own",
	},
	{
		[]pattern{"resolvers/...", "demo"},
		[]pattern{"graph/...", "app", "loaders/...", "table/...", "write", "keys/...", "item/...", "exit", "viewer"},
		"the shop uses the engine as any other service does",
	},
	{[]pattern{"deploy"}, nil, "deploy has templates and their tests"},
	{[]pattern{"."}, []pattern{"app", "graph/...", "resolvers/...", "demo"}, "main passes the shop to app.Main"},
}

// outside lists packages of other modules that only some packages may import, tests aside.
var outside = []struct {
	prefix   string
	packages []pattern
	reason   string
}{
	{"github.com/aws/aws-sdk-go-v2/", []pattern{"table/..."}, "only table and the packages below it use DynamoDB"},
	{"github.com/aws/smithy-go", []pattern{"table/..."}, "only table and the packages below it use DynamoDB"},
	{"github.com/aws/aws-lambda-go/", []pattern{"app"}, "Lambda is one way to run the program"},
	{"github.com/prometheus/", []pattern{"gateway/telemetry", "app"}, "other packages report to an Observer"},
	{
		"go.opentelemetry.io/", []pattern{"gateway/telemetry", "gateway/logging", "app"},
		"other packages report to an Observer; the log has the trace's id",
	},
	{
		"github.com/99designs/gqlgen/graphql",
		[]pattern{"app", "gateway/...", "loaders", "keys/gen/...", "keys/scalar", "graph/..."},
		"items, keys and writes are independent of GraphQL's execution",
	},
}

// onlyTests lists the packages that only tests and each other may import.
var onlyTests = []pattern{"internal/...", "gateway/internal/...", "table/tabletest"}

// listed is what `go list` prints about a package.
type listed struct {
	ImportPath, Doc                    string
	Imports, TestImports, XTestImports []string
}

// path returns the package's path below the module, "." for the root.
func (p listed) path() string { return below(p.ImportPath) }

// below returns the path below the module, "." for the root, and other paths unchanged.
func below(path string) string {
	if path == module {
		return "."
	}
	return strings.TrimPrefix(path, module+"/")
}

// list returns the packages of the module.
func list(t *testing.T) []listed {
	t.Helper()
	packages, err := listOnce()
	if err != nil {
		t.Fatal(err)
	}
	return packages
}

var listOnce = sync.OnceValues(func() (packages []listed, err error) {
	cmd := exec.Command("go", "list", "-json=ImportPath,Doc,Imports,TestImports,XTestImports", "./...")
	cmd.Dir, cmd.Stderr = "../..", os.Stderr
	output, err := cmd.Output()
	if err != nil {
		return nil, err
	}
	for decoder := json.NewDecoder(bytes.NewReader(output)); decoder.More(); {
		var p listed
		if err := decoder.Decode(&p); err != nil {
			return nil, err
		}
		packages = append(packages, p)
	}
	return packages, nil
})

func isOurs(path string) bool { return path == module || strings.HasPrefix(path, module+"/") }

func TestImportsGoOneWay(t *testing.T) {
	for _, p := range list(t) {
		i := slices.IndexFunc(layers, func(l layer) bool { return match(l.packages, p.path()) })
		if i < 0 {
			t.Errorf("%s belongs to no layer: add it to one", p.path())
			continue
		}
		for _, path := range p.Imports {
			if isOurs(path) && !match(layers[i].packages, below(path)) && !match(layers[i].imports, below(path)) {
				t.Errorf("%s imports %s: %s", p.path(), below(path), layers[i].reason)
			}
		}
	}
}

func TestImportsOfOtherModules(t *testing.T) {
	for _, p := range list(t) {
		if match(onlyTests, p.path()) {
			continue
		}
		for _, o := range outside {
			for _, path := range p.Imports {
				if strings.HasPrefix(path, o.prefix) && !match(o.packages, p.path()) {
					t.Errorf("%s imports %s: %s", p.path(), path, o.reason)
				}
			}
		}
	}
}

// TestEngineDoesNotImportShop is about tests as well: the engine's tests have a service of their own.
func TestEngineDoesNotImportShop(t *testing.T) {
	for _, p := range list(t) {
		if match(shop, p.path()) {
			continue
		}
		for _, path := range slices.Concat(p.Imports, p.TestImports, p.XTestImports) {
			if isOurs(path) && match(shop, below(path)) {
				t.Errorf("%s imports %s: the engine serves any schema; its tests use internal/testservice", p.path(), below(path))
			}
		}
	}
}

func TestOnlyTestsImportTestPackages(t *testing.T) {
	for _, p := range list(t) {
		if match(onlyTests, p.path()) {
			continue
		}
		for _, path := range p.Imports {
			if match(onlyTests, below(path)) {
				t.Errorf("%s imports %s: the program does not contain code for tests", p.path(), below(path))
			}
		}
	}
}

func TestPackagesHaveComments(t *testing.T) {
	for _, p := range list(t) {
		if p.Doc == "" {
			t.Errorf("%s has no package comment", p.path())
		}
	}
}
