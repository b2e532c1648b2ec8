// Package imports tests the order in which packages import each other: app -> gateway -> answer -> loaders -> plan ->
// request, write -> keys -> item, where table implements an interface of loaders, and which of them other modules may
// import.
//
// It is a test and not the configuration of a linter, whose path lists had to follow each move.
package imports

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

const module = "github.com/partita/partita"

// goPackage is what `go list` has of a package.
type goPackage struct {
	Dir, ImportPath, Name, Doc                  string
	GoFiles, Imports, TestImports, XTestImports []string
}

// dependOn opens what the go command has read, so that `go test` does not repeat a result when that changes.
func (p goPackage) dependOn() error {
	files, err := filepath.Glob(filepath.Join(p.Dir, "*.go"))
	if err != nil {
		return err
	}
	for _, file := range files {
		if _, err := os.Stat(file); err != nil {
			return err
		}
	}
	return nil
}

// path is the package's path in the module; "." is the root.
func (p goPackage) path() string { return within(p.ImportPath) }

// within returns the path of a package of the module in the module, and that of any other package as it is.
func within(importPath string) string {
	if importPath == module {
		return "."
	}
	return strings.TrimPrefix(importPath, module+"/")
}

var packages = sync.OnceValues(func() ([]goPackage, error) {
	list := exec.Command("go", "list", "-json=Dir,ImportPath,Name,Doc,GoFiles,Imports,TestImports,XTestImports",
		module+"/...")
	text, err := list.Output()
	if err != nil {
		return nil, err
	}
	var all []goPackage
	for decoder := json.NewDecoder(strings.NewReader(string(text))); decoder.More(); {
		var p goPackage
		if err := decoder.Decode(&p); err != nil {
			return nil, err
		}
		if err := p.dependOn(); err != nil {
			return nil, err
		}
		all = append(all, p)
	}
	return all, nil
})

func list(t *testing.T) []goPackage {
	t.Helper()
	all, err := packages()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// isIn reports whether a package is one of the folders or below one. "keys=" is the folder without those below
// it, and "keys/" is those below it.
func isIn(path string, folders []string) bool {
	return slices.ContainsFunc(folders, func(folder string) bool {
		if alone, is := strings.CutSuffix(folder, "="); is {
			return path == alone
		}
		return path == folder || strings.HasPrefix(path, strings.TrimSuffix(folder, "/")+"/")
	})
}

var (
	// engine are the folders that serve any schema, without those that only tests import.
	engine = []string{
		"app", "exit", "gen", "item", "keys", "loaders", "request", "table", "viewer", "write",
		"internal/agentpipe", "internal/answer", "internal/bill", "internal/condition", "internal/defaults",
		"internal/designpage", "internal/designtools", "internal/editors", "internal/folder", "internal/gateway",
		"internal/gen", "internal/importer", "internal/lsp",
		"internal/live", "internal/migrate", "internal/plan", "internal/platform", "internal/prices", "internal/replicas",
		"internal/share", "internal/sweep", "internal/table",
	}
	// bottom is what all may import.
	bottom = []string{"internal/capacity", "internal/fragments", "internal/hotkeys", "internal/jsonerror"}
	// shop is the application in this repository.
	shop = []string{".=", "demo", "deploy", "graph", "internal/shop", "resolvers"}
	// benches measure the shop.
	benches = []string{"bench"}
	// helpers are imported by tests alone.
	helpers = []string{
		"examples", "internal/buildfolder", "internal/crowdtest", "internal/exampletest", "internal/executors",
		"internal/fatal", "internal/gatewaytest", "internal/gentest", "internal/imports", "internal/migratetest",
		"internal/otherwriter", "internal/plantest", "internal/processtest", "internal/randomtable", "internal/rollout",
		"internal/soak", "internal/storetest", "internal/tabletest", "internal/testservice", "internal/ways",
	}
)

const (
	aws    = "github.com/aws"
	gqlgen = "github.com/99designs/gqlgen"
)

// forbidden are the imports that may not exist. Nothing is excepted.
var forbidden = []struct {
	from, to []string
	reason   string
}{
	{engine, shop, "the engine serves any schema; an application imports the engine"},
	{
		[]string{"demo", "graph", "internal/shop=", "resolvers"}, []string{"internal/"},
		"the shop is written as an application in another module, which cannot import what is internal",
	},
	{engine, helpers, "the test service belongs to tests"},
	{shop, helpers, "the test service belongs to tests"},
	{benches, helpers, "the test service belongs to tests"},
	{slices.Concat(engine, shop), benches, "nothing depends on what measures it"},
	{
		[]string{"bench/internal/replay", "bench/internal/rest", "bench/internal/service"},
		slices.Concat(engine, shop),
		"what Partita is compared with is written without Partita",
	},
	{
		[]string{"bench/internal/gqlgen"},
		append(without("keys"), "internal/gen"),
		"a gqlgen server has the executor and the models of the shop, whose ids are of package keys, and nothing else",
	},

	{
		append([]string{"item"}, bottom...),
		append(without("item"), aws, gqlgen),
		"attribute values are the bottom: everything else is made of them",
	},
	{
		[]string{"internal/defaults", "exit", "internal/platform", "internal/share", "viewer"},
		append(without("internal/defaults", "exit", "internal/platform", "internal/share", "viewer"), aws, gqlgen),
		"several layers share them, so they depend on none",
	},

	{
		[]string{"keys", "gen", "internal/gen"},
		append(without("keys", "gen", "internal/gen", "internal/editors", "internal/migrate", "item", "write", "exit"), aws),
		"keys are pure: they are computed without I/O",
	},
	{
		[]string{
			"keys", "internal/gen=", "internal/gen/contract", "internal/gen/directives", "internal/gen/literal",
			"internal/gen/types",
		},
		[]string{"internal/editors"},
		"what editors need has the schema as clients see it, which is that of a plan; only what runs commands writes it",
	},
	{
		[]string{"keys=", "keys/design", "keys/stored", "keys/scalar", "internal/gen/literal", "internal/gen/module",
			"internal/gen/types"},
		[]string{"write"},
		"items are written by keys; the generator binds a schema's types to those of package write, and prices mutations",
	},
	{
		[]string{
			"keys=", "keys/design", "keys/stored", "keys/scalar", "internal/gen=", "internal/gen/contract",
			"internal/gen/directives", "internal/gen/literal", "internal/gen/types",
		},
		[]string{"exit"},
		"only what runs commands and writes a module fails with an exit code; a design has findings",
	},
	{
		[]string{"keys=", "keys/design", "keys/stored", "internal/gen/contract", "internal/gen/directives"}, []string{gqlgen},
		"a design can be read, checked and compared without gqlgen",
	},
	{[]string{"keys", "gen", "internal/gen/directives"}, []string{"internal/migrate"},
		"a difference is one of two designs; only the comparison of two versions of an API asks for it"},
	{[]string{"keys="}, []string{"keys/"},
		"templates and values are the bottom; designs and names of tables are made of them"},
	{[]string{"keys/stored"}, []string{"keys/design", "keys/scalar"}, "a design has the names of its table"},
	{
		[]string{"keys/design", "keys/stored"}, []string{"internal/gen", "keys/scalar"},
		"the generator imports the runtime, not the other way round",
	},

	{
		[]string{"write"},
		append(without("write", "keys", "item"), aws, gqlgen),
		"what is written is data; loaders and table carry it out",
	},

	{
		[]string{"internal/condition"},
		append(without("internal/condition", "write", "keys", "item"), aws, gqlgen),
		"a condition is text; the table sends it, and a plan shows it",
	},

	{
		[]string{"internal/plan"},
		append(without("internal/plan", "internal/condition", "request", "write", "keys", "item", "viewer"), "internal/gen",
			"keys/scalar", "context", "net/http", aws, gqlgen),
		"a plan is pure: it is compiled, bound and priced without I/O, and loaders and gateway execute it",
	},

	{
		[]string{"internal/answer"}, append(without("internal/answer", "internal/plan", "loaders", "keys", "item"), aws),
		"a response is written from the plan and what loaders have read; gateway serves it",
	},

	{[]string{"request"}, append(without("request", "keys", "item"), aws, gqlgen),
		"loaders and table share these types, so the types depend on neither"},
	{
		[]string{"loaders"},
		append(without("loaders", "internal/plan", "request", "write", "keys", "item", "internal/share", "viewer"), aws),
		"loaders declares the Source that it reads from; table implements it, and a test can replace it",
	},
	{[]string{"loaders"}, []string{"internal/gen"}, "the engine serves a design; it does not generate one"},

	{
		[]string{"table", "internal/table"},
		append(without("table", "internal/table", "internal/condition", "request", "write", "keys", "item",
			"internal/defaults", "exit", "internal/platform", "internal/share"), gqlgen),
		"the client of DynamoDB does not depend on GraphQL or on viewers; it implements the Source of loaders",
	},
	{
		[]string{"table="},
		[]string{"internal/table/admin", "table/check", "internal/importer", "internal/table/local", "internal/table/stack"},
		"the client that serves does not contain the local engine, administration and checks",
	},

	{
		[]string{"internal/table/wire", "internal/table/attempt"},
		[]string{"table=", "table/attribute", "table/check", "internal/table/admin", "internal/table/local",
			"internal/table/stack", "write"},
		"the wire reads items; the table that uses it has all else",
	},

	{
		[]string{"internal/replicas"},
		append(without("internal/replicas", "internal/defaults", "exit"), aws, gqlgen),
		"the client of the shared store runs scripts and has streams; the packages that keep something there write them",
	},

	{
		[]string{"internal/designpage"},
		append(without("internal/designpage", "internal/gateway", "internal/gen", "write", "keys", "item"), aws, gqlgen),
		"the page follows from the schema, and cannot show what is stored",
	},

	{
		[]string{"internal/designtools"},
		append(without("internal/agentpipe", "internal/designtools", "internal/bill", "internal/designpage",
			"internal/folder", "internal/gen", "internal/plan", "internal/prices", "keys"), aws, gqlgen, "net/http"),
		"those who design read local files: no table is opened and nothing listens",
	},

	{
		[]string{"internal/live="},
		append(without("internal/live", "request", "keys", "item", "internal/defaults"), aws, gqlgen),
		"changes are matched with key conditions without I/O; live/stream reads them",
	},
	{
		[]string{"internal/live/cache"},
		append(without("internal/live", "request", "write", "keys", "item"), "internal/live/stream", aws, gqlgen),
		"the cache is between loaders and table, and implements the Source of both with the types of request",
	},
	{
		[]string{"internal/live/stream"},
		append(without("internal/live", "table", "internal/table", "internal/replicas", "request", "keys", "item",
			"internal/defaults"), "internal/live/cache", "internal/table/admin", "internal/table/local", gqlgen),
		"the stream is part of the table; what it is read for is a Sink",
	},
	{
		[]string{"internal/gateway"},
		append(without("internal/gateway", "internal/agentpipe", "internal/answer", "internal/plan", "loaders", "request",
			"internal/live", "write", "keys", "item", "internal/defaults", "exit", "internal/share", "internal/replicas",
			"viewer"),
			"internal/live/stream", "internal/live/cache", aws),
		"the gateway speaks HTTP and GraphQL; app connects it with a table",
	},
	{
		[]string{"internal/gateway="},
		[]string{"internal/gateway/auth", "internal/gateway/telemetry"},
		"authentication and telemetry are chosen by app",
	},
	{
		append(without("internal/agentpipe", "internal/gateway", "internal/designtools"), "internal/gateway=",
			"internal/designtools/proposal"),
		[]string{"github.com/modelcontextprotocol"},
		"the protocol of agents is known to two packages: one offers them operations, the other what designs a table",
	},
	{
		[]string{"internal/migrate="},
		append(without("internal/migrate", "internal/gen", "write", "keys", "item"), aws, gqlgen),
		"designs are compared, and states of a migration computed, without I/O; the packages below do the rest",
	},
	{[]string{"internal/plan", "internal/answer", "loaders", "table", "internal/gateway"}, []string{"internal/migrate"},
		"the engine serves a design; app decides which one while the table changes"},
	{engine, []string{"internal/gateway/subscriber"}, "the client of subscriptions belongs to tests and benchmarks"},
}

// without returns the engine's folders but some.
func without(folders ...string) []string {
	return slices.DeleteFunc(slices.Clone(engine), func(folder string) bool { return slices.Contains(folders, folder) })
}

// TestForbiddenImports: no package imports against the order.
func TestForbiddenImports(t *testing.T) {
	for _, p := range list(t) {
		for _, imported := range p.Imports {
			for _, rule := range forbidden {
				if isIn(p.path(), rule.from) && isIn(within(imported), rule.to) {
					t.Errorf("%s imports %s: %s", p.path(), within(imported), rule.reason)
				}
			}
		}
	}
}

// TestEngineIsTestedWithoutTheShop: a repository with another application keeps the engine's tests.
func TestEngineIsTestedWithoutTheShop(t *testing.T) {
	for _, p := range list(t) {
		if !isIn(p.path(), append(slices.Clone(engine), helpers...)) {
			continue
		}
		for _, imported := range append(p.TestImports, p.XTestImports...) {
			if isIn(within(imported), shop) {
				t.Errorf("the tests of %s import %s: use internal/testservice", p.path(), within(imported))
			}
		}
	}
}

// TestFoldersAreKnown: a new top-level folder is a decision, and needs its place in the order.
func TestFoldersAreKnown(t *testing.T) {
	for _, p := range list(t) {
		if !isIn(p.path(), slices.Concat(engine, bottom, shop, benches, helpers)) {
			t.Errorf("%s has no place in the order of imports: use an existing folder, or add this one here", p.path())
		}
	}
}

// TestRandomCasesAreSoaked: package soak decides how many random cases there are, and which.
func TestRandomCasesAreSoaked(t *testing.T) {
	for _, p := range list(t) {
		imported := slices.Concat(p.Imports, p.TestImports, p.XTestImports)
		if slices.Contains(imported, "pgregory.net/rapid") && p.path() != "internal/soak" &&
			!slices.Contains(imported, module+"/internal/soak") {
			t.Errorf("%s has random cases: import internal/soak", p.path())
		}
	}
}

// TestPackagesHaveComments: each package with code has one.
func TestPackagesHaveComments(t *testing.T) {
	for _, p := range list(t) {
		if p.Doc == "" && len(p.GoFiles) > 0 {
			t.Errorf("%s has no package comment", p.path())
		}
	}
}
