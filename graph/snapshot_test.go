package graph_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"sort"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/formatter"

	"github.com/partita/partita/graph"
	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/gateway"
	"github.com/partita/partita/internal/gen/contract"
	"github.com/partita/partita/resolvers"
)

const snapshotFile = "schema.snapshot.graphql"

var update = flag.Bool("update", false, "write "+snapshotFile+" from the running gateway")

// TestSchemaSnapshot compares what clients see of the schema with the snapshot,
// so that no change to it goes unnoticed.
func TestSchemaSnapshot(t *testing.T) {
	handler := gateway.New(gateway.Config{
		Schema: graph.NewExecutableSchema(graph.Config{Resolvers: &resolvers.Resolver{}}),
	})
	server := httptest.NewServer(handler)
	defer server.Close()
	got := introspect(t, server.URL+"/graphql")
	if *update {
		fatal.If(t, os.WriteFile(snapshotFile, []byte(got), 0o644))
		return
	}
	want, err := os.ReadFile(snapshotFile)
	fatal.If(t, err)
	if string(want) != got {
		t.Error(difference(t, string(want), got))
	}
}

// difference returns what clients notice of the difference between the snapshot and the running gateway.
func difference(t *testing.T, want, got string) string {
	t.Helper()
	version := func(text string) contract.Version {
		v, err := contract.LoadFile(&ast.Source{Input: text})
		fatal.If(t, err)
		v.Files = nil // the lines are not those of the schema
		return v
	}
	text := "No change for clients, only another text (-snapshot +gateway):\n" +
		cmp.Diff(strings.Split(want, "\n"), strings.Split(got, "\n"))
	if changes := contract.Compare(version(want), version(got)); len(changes) > 0 {
		text = changes.String()
	}
	return fmt.Sprintf("the schema is not that of %s any more:\n\n%s\nIf this is intended, write the snapshot and "+
		"commit it: go test ./graph -run TestSchemaSnapshot -update", snapshotFile, text)
}

// TestSchemaDifference: a failure of the snapshot says what has changed, and what to do.
func TestSchemaDifference(t *testing.T) {
	snapshot, err := os.ReadFile(snapshotFile)
	fatal.If(t, err)
	replaced := func(old, with string) string {
		text := strings.Replace(string(snapshot), old, with, 1)
		if text == string(snapshot) {
			t.Fatalf("the snapshot has no %q", old)
		}
		return text
	}
	const command = "go test ./graph -run TestSchemaSnapshot -update"
	for _, c := range []struct {
		got  string
		want []string
	}{
		{replaced("  followerCount: Int!\n", "  followerCount: Int\n"), []string{
			"BREAKING: 1\n  User.followerCount\n      the type was Int! and is Int: clients get null", "to do: keep Int!",
			command,
		}},
		{replaced("  CANCELLED\n", "  CANCELLED\n  RETURNED\n"), []string{
			"DANGEROUS: 1\n  OrderStatus.RETURNED\n      the value is new", command,
		}},
		{replaced("  followerCount: Int!\n", "  followerCount: Int!\n\n"), []string{"No change for clients", command}},
	} {
		got := difference(t, string(snapshot), c.got)
		for _, want := range c.want {
			if !strings.Contains(got, want) {
				t.Errorf("got\n%s\nwithout %q", got, want)
			}
		}
	}
}

const introspectionQuery = `query Introspection {
  __schema {
    queryType { name } mutationType { name } subscriptionType { name }
    types {
      kind name description isOneOf
      fields(includeDeprecated: true) {
        name description isDeprecated deprecationReason
        args(includeDeprecated: true) { ...Value }
        type { ...Type }
      }
      inputFields(includeDeprecated: true) { ...Value }
      interfaces { name }
      enumValues(includeDeprecated: true) { name description isDeprecated deprecationReason }
      possibleTypes { name }
    }
    directives { name description locations isRepeatable args(includeDeprecated: true) { ...Value } }
  }
}
fragment Value on __InputValue { name description type { ...Type } defaultValue isDeprecated deprecationReason }
fragment Type on __Type { kind name ofType { kind name ofType { kind name ofType { kind name } } } }`

// introspect is the schema in SDL, sorted by name.
func introspect(t *testing.T, url string) string {
	t.Helper()
	body, err := json.Marshal(map[string]string{"query": introspectionQuery})
	fatal.If(t, err)
	resp, err := http.Post(url, "application/json", bytes.NewReader(body))
	fatal.If(t, err)
	defer func() { _ = resp.Body.Close() }()
	answer, err := io.ReadAll(resp.Body)
	fatal.If(t, err)
	document, err := contract.Document(answer)
	if err != nil {
		t.Fatalf("introspection failed: %v: %s", err, answer)
	}
	definitions := document.Definitions
	document.Definitions = nil
	for _, d := range definitions {
		if !strings.HasPrefix(d.Name, "__") {
			document.Definitions = append(document.Definitions, d)
		}
	}
	sort.Slice(document.Directives, func(i, j int) bool {
		return document.Directives[i].Name < document.Directives[j].Name
	})
	sort.Slice(document.Definitions, func(i, j int) bool {
		return document.Definitions[i].Name < document.Definitions[j].Name
	})
	var out bytes.Buffer
	formatter.NewFormatter(&out, formatter.WithIndent("  "), formatter.WithBuiltin()).FormatSchemaDocument(document)
	return out.String()
}
