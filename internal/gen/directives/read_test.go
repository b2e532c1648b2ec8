package directives_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
	"github.com/vektah/gqlparser/v2/ast"
)

// TestSystems reads every example schema without a finding.
func TestSystems(t *testing.T) {
	for name, schema := range systems(t) {
		t.Run(name, func(t *testing.T) { readDesign(t, schema) })
	}
}

// TestGatewaySchema reads the schema that this gateway serves.
func TestGatewaySchema(t *testing.T) {
	files, err := filepath.Glob("../../../graph/schema/*.graphqls")
	if err != nil || len(files) < 2 {
		t.Fatal(files, err)
	}
	var sources []*ast.Source
	for _, file := range files {
		sources = append(sources, &ast.Source{Name: file, Input: readFile(t, file)})
	}
	readDesign(t, load(t, sources...))
}

// TestDesign prints the design of each example schema. The command design prints the types and
// fields, the command patterns the list of access patterns.
func TestDesign(t *testing.T) {
	schemas := systems(t)
	datadriven.RunTest(t, "testdata/design", func(t *testing.T, d *datadriven.TestData) string {
		schema := schemas[d.Input]
		if schema == nil {
			d.Fatalf(t, "no example schema %q", d.Input)
		}
		design := readDesign(t, schema)
		if d.Cmd == "patterns" {
			return string(design.AccessPatterns())
		}
		return describe(design)
	})
}

// TestUnitsOfLists: the partitions of a list have at most atMost items together.
func TestUnitsOfLists(t *testing.T) {
	schema := load(t, &ast.Source{Name: "lists.graphqls", Input: `
		type Query {
			days(at: TimeRange!): [Reading!] @query(pk: "DAY#{at:day}", sk: "AT#", atMost: 100)
			shards: [Reading!] @query(index: "GSI1", pk: "ALL", sk: "AT#", atMost: 100)
		}
		type Reading implements Node @item(pk: "DAY#{at:day}", sk: "AT#{at}") @index(pk: "ALL", sk: "AT#{at}", shards: 8) {
			id: ID!
			at: Time!
		}`})
	patterns := string(readDesign(t, schema).AccessPatterns())
	for _, want := range []string{"73.5 (100 in 48 partitions)", "53.5 (100 in 8 partitions)"} {
		if !strings.Contains(patterns, want) {
			t.Errorf("there is no %q in\n%s", want, patterns)
		}
	}
}
