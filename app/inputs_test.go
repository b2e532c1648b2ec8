package app_test

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"github.com/partita/partita/app"
	"github.com/partita/partita/internal/fatal"
)

// deep is how often something is nested in the inputs of a test: a parser that does not count ends the process.
const deep = 1_000_000

// hostileTexts are inputs that nobody writes on purpose. The extension decides how some commands read them.
func hostileTexts() map[string]string {
	const sdl, introspection = "type Query { a: Int }\n", `{"data":{"__schema":{"queryType":{"name":"Query"},"types":[`
	nested := func(begin, inner, end string) string {
		return strings.Repeat(begin, deep) + inner + strings.Repeat(end, deep)
	}
	return map[string]string{
		"empty":                          "",
		"blank":                          "\n\n  \n",
		"a byte order mark":              "\ufeff",
		"binary":                         "\x00\x01\x02\xff\xfe\x00{\"\x00",
		"no UTF-8":                       "type Qu\xffry { a: Int }",
		"gzip that is cut off":           "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff\xaa",
		"null":                           "null",
		"a number":                       "1e400",
		"a text":                         `"x"`,
		"an empty list":                  "[]",
		"an empty object":                "{}",
		"a list of nulls":                "[null,null]",
		"nested lists":                   nested("[", "", "]"),
		"nested objects":                 nested(`{"a":`, "1", "}"),
		"nested, cut off":                strings.Repeat(`{"L":[`, deep),
		"nested selections":              nested("{a", "", "}"),
		"nested types":                   "type Query { a: " + nested("[", "Int", "]") + " }",
		"nested values":                  "type Query { a(b: [Int] = " + nested("[", "1", "]") + "): Int }",
		"a long line":                    strings.Repeat("x", 5<<20),
		"a long name":                    "type " + strings.Repeat("x", 1<<20) + " { a: Int }",
		"SDL that is cut off":            sdl[:12],
		"a text that is cut off":         `type Query { "x`,
		"a comment":                      "# nothing",
		"no Query":                       "type A { a: Int }",
		"another Query":                  "schema { query: A } type A { a: Int }",
		"no such Query":                  "schema { query: B } type A { a: Int }",
		"a mutation alone":               "schema { mutation: A } type A { a: Int }",
		"Query as an enum":               "enum Query { A }",
		"Query as an input":              "input Query { a: Int }",
		"Query as a union":               "type A { a: Int } union Query = A",
		"Query without fields":           "type Query",
		"a type twice":                   sdl + sdl,
		"an unknown type":                "type Query { a: B }",
		"extensions alone":               "extend type Query { a: Int }",
		"an unknown directive":           "type Query { a: Int @x }",
		"a directive without all":        `type Query { a: A @get(pk: "A#{b}") } type A @item(pk: "A#{a}") { a: ID! }`,
		"a circle of inputs":             "type Query { a(b: B): Int } input B { b: B! }",
		"a circle of interfaces":         "type Query implements I { a: Int } interface I implements I { a: Int }",
		"a query":                        "query A { a }",
		"a circle of fragments":          "query A { ...F } fragment F on Query { ...F }",
		"a fragment alone":               "fragment F on Query { __typename }",
		"an introspection of nothing":    `{"data":{"__schema":null}}`,
		"an introspection without types": `{"data":{"__schema":{"queryType":{"name":"Query"},"types":[]}}}`,
		"an introspection with nulls":    introspection + `null,{}]}}}`,
		"an introspection without Query": introspection +
			`{"kind":"OBJECT","name":"A","fields":[{"name":"a","type":{"kind":"SCALAR","name":"Int"}}]}]}}}`,
		"a list of nothing": introspection +
			`{"kind":"OBJECT","name":"Query","fields":[{"name":"a","type":{"kind":"LIST","ofType":null}}]}]}}}`,
		"a list of no name": introspection +
			`{"kind":"OBJECT","name":"Query","fields":[{"name":"a","type":{"kind":"LIST","ofType":{"kind":"OBJECT"}}}]}]}}}`,
		"a required nothing": introspection +
			`{"kind":"OBJECT","name":"Query","fields":[{"name":"a","type":{"kind":"NON_NULL","ofType":null}}]}]}}}`,
		"a required required": introspection +
			`{"kind":"OBJECT","name":"Query","fields":[{"name":"a","type":{"kind":"NON_NULL","ofType":{"kind":"NON_NULL",` +
			`"ofType":{"kind":"SCALAR","name":"Int"}}}}]}]}}}`,
		"a type of no kind": introspection +
			`{"kind":"PLANET","name":"Query","fields":[{"name":"a","type":{"kind":"SCALAR","name":"Int"}}]}]}}}`,
		"a default that is no value": introspection +
			`{"kind":"OBJECT","name":"Query","fields":[{"name":"a","args":[{"name":"b","type":{"kind":"SCALAR",` +
			`"name":"Int"},"defaultValue":"1) { x } #"}],"type":{"kind":"SCALAR","name":"Int"}}]}]}}}`,
		"an introspection of nested lists": introspection + `{"kind":"OBJECT","name":"Query","fields":[{"name":"a","type":` +
			nested(`{"kind":"LIST","ofType":`, `{"kind":"SCALAR","name":"Int"}`, "}") + `}]}]}}}`,
		"a manifest of nulls": `{"format":"apollo-persisted-query-manifest","version":1,"operations":[null,{}]}`,
		"a manifest with another query": `{"format":"apollo-persisted-query-manifest","version":1,"operations":[{` +
			`"id":"x","name":"A","type":"query","body":"{"}]}`,
		"an item":                   `{"Item":{"PK":{"S":"A"},"SK":{"S":"A"}}}`,
		"an item with two types":    `{"Item":{"PK":{"S":"A","N":"1"},"SK":{"S":"A"}}}`,
		"an item with no type":      `{"Item":{"PK":{},"SK":{"S":"A"}}}`,
		"an item with a null":       `{"Item":{"PK":null,"SK":{"S":"A"}}}`,
		"an item with NaN":          `{"Item":{"PK":{"S":"A"},"SK":{"S":"A"},"n":{"N":"NaN"}}}`,
		"an item with an empty set": `{"Item":{"PK":{"S":"A"},"SK":{"S":"A"},"n":{"SS":[]}}}`,
		"an item of nested lists": `{"Item":{"PK":{"S":"A"},"SK":{"S":"A"},"n":` + strings.Repeat(`{"L":[`,
			100_000) + strings.Repeat(`]}`, 100_000) + `}}`,
		"a table without anything": `{"Table":null}`,
		"a table with nulls": `{"Table":{"KeySchema":[null],"AttributeDefinitions":[null],` +
			`"GlobalSecondaryIndexes":[null]}}`,
		"a checkpoint with nulls": `{"version":1,"table":null,"segments":[null]}`,
	}
}

// hostileFiles writes the texts, and returns them with what is no file, by what they are.
func hostileFiles(t *testing.T, extension string) map[string]string {
	t.Helper()
	dir, files := t.TempDir(), map[string]string{}
	for name, text := range hostileTexts() {
		path := filepath.Join(dir, strings.ReplaceAll(name, " ", "-")+extension)
		fatal.If(t, os.WriteFile(path, []byte(text), 0o600))
		files[name] = path
	}
	path := func(name string) string {
		files[name] = filepath.Join(dir, strings.ReplaceAll(name, " ", "-")+extension)
		return files[name]
	}
	err := errors.Join(
		os.Symlink("a-circle"+extension, path("a circle")),
		os.Symlink("/dev/zero", path("a device")),
		os.Symlink("nowhere", path("a link to nothing")),
		os.Symlink("another-Query"+extension, path("a link")),
		os.Mkdir(path("a folder"), 0o700),
		makePipe(path("a pipe")),
	)
	fatal.If(t, err)
	path("a missing file")
	return files
}

// TestInputs: no input of a command ends it with a stack trace, and each gets an error for a person or none at all.
func TestInputs(t *testing.T) {
	good := filepath.Join(t.TempDir(), "good.graphqls")
	folder := filepath.Dir(good)
	fatal.If(t, os.WriteFile(good, []byte(`
type Query { user(id: ID!): User @get(pk: "USER#{id}", sk: "USER#{id}") }
type User @item(pk: "USER#{id}", sk: "USER#{id}") { id: ID! name: String }
`), 0o600))
	output := filepath.Join(t.TempDir(), "out")
	discardOutput(t)
	for name, command := range map[string]struct {
		extension string
		arguments []string // % is the file
		isFolder  bool     // the file is in a folder of its own, which % is
	}{
		"diff --base, SDL":            {".graphqls", []string{"diff", folder, "--base=%"}, false},
		"diff --base, JSON":           {".json", []string{"diff", folder, "--base=%"}, false},
		"diff --base, a folder":       {".graphqls", []string{"diff", folder, "--base=%"}, true},
		"diff DIR":                    {".graphqls", []string{"diff", "%", "--base=" + good}, true},
		"diff --operations, JSON":     {".json", []string{"diff", folder, "--base=" + good, "--operations=%"}, false},
		"diff --operations, GraphQL":  {".graphql", []string{"diff", folder, "--base=" + good, "--operations=%"}, false},
		"diff --operations, embedded": {".tsx", []string{"diff", folder, "--base=" + good, "--operations=%"}, false},
		"design DIR":                  {".graphqls", []string{"design", "%"}, true},
		"plan DIR":                    {".graphqls", []string{"plan", "%", "{ a }"}, true},
		"generate DIR":                {".graphqls", []string{"generate", "%", "--types=" + output + ".go"}, true},
		"table import FILE":           {".jsonl", []string{"table", "import", "%"}, false},
		"table import --description":  {".json", []string{"table", "import", "--description=%", good}, false},
		"serve --operations-manifest": {".json", []string{"serve", folder, "--operations-manifest=%", "--addr=127.0.0.1:0",
			"--dynamodb-endpoint=http://127.0.0.1:1"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			files := hostileFiles(t, command.extension)
			for _, what := range slices.Sorted(maps.Keys(files)) {
				if what == "a pipe" && slices.Contains(command.arguments, "import") {
					continue // a pipe may have items, and its reader waits for them
				}
				path := files[what]
				if command.isFolder {
					dir := filepath.Join(t.TempDir(), "schema")
					if err := errors.Join(os.Mkdir(dir, 0o700), os.Rename(path, filepath.Join(dir,
						"x"+command.extension))); err != nil {
						continue // there is no file
					}
					path = dir
				}
				arguments := slices.Clone(command.arguments)
				for i := range arguments {
					arguments[i] = strings.ReplaceAll(arguments[i], "%", path)
				}
				if problem := runHostile(t, arguments); problem != "" {
					t.Errorf("%s: %s", what, problem)
				}
			}
		})
	}
}

// internals are words of Go that a person who runs a command need not know.
var internals = []string{"runtime error", "bufio", "goroutine", "unmarshal", "unexpected EOF", "interface {}",
	"strconv.", "invalid memory", "(json:", ": json:", "Go value", "looking for beginning"}

// discardOutput discards what commands print until the test and its parts end.
func discardOutput(t *testing.T) {
	t.Helper()
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	fatal.If(t, err)
	stdout, stderr := os.Stdout, os.Stderr
	os.Stdout, os.Stderr = null, null
	t.Cleanup(func() {
		os.Stdout, os.Stderr = stdout, stderr
		_ = null.Close()
	})
}

// runHostile runs a command line and returns what is wrong with how it ends.
func runHostile(t *testing.T, arguments []string) (problem string) {
	t.Helper()
	defer func() {
		if cause := recover(); cause != nil {
			problem = fmt.Sprintf("it panics: %v\n%s", cause, debug.Stack()[:3000])
		}
	}()
	err := library().Run(t.Context(), arguments)
	switch {
	case err == nil:
		return ""
	case app.ExitCode(err) == 1 && !strings.Contains(err.Error(), "accept"): // which is about changes
		return "it has no exit code of its own: " + err.Error()
	}
	for _, word := range internals {
		if strings.Contains(err.Error(), word) {
			return "the message has a term of Go: " + err.Error()
		}
	}
	return ""
}
