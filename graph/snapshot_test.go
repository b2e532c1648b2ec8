package graph_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"net/http"
	"net/http/httptest"
	"os"
	"sort"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/formatter"
	"github.com/vektah/gqlparser/v2/parser"

	"github.com/partita/partita/gateway"
	"github.com/partita/partita/graph"
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
		if err := os.WriteFile(snapshotFile, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(snapshotFile)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); diff != "" {
		t.Errorf("the schema differs from %s (-snapshot +gateway):\n%s\nIf that is meant: go test ./graph -run "+
			"TestSchemaSnapshot -update", snapshotFile, diff)
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

type (
	typeRef struct {
		Kind   string
		Name   string
		OfType *typeRef
	}
	named struct {
		Name              string
		Description       string
		IsDeprecated      bool
		DeprecationReason string
	}
	inputValue struct {
		named
		Type         typeRef
		DefaultValue *string
	}
	field struct {
		named
		Args []inputValue
		Type typeRef
	}
	definition struct {
		named
		Kind          string
		Fields        []field
		InputFields   []inputValue
		Interfaces    []named
		EnumValues    []named
		PossibleTypes []named
	}
	directive struct {
		named
		Locations    []string
		IsRepeatable bool
		Args         []inputValue
	}
)

// introspect is the schema in SDL, sorted by name.
func introspect(t *testing.T, url string) string {
	t.Helper()
	body, err := json.Marshal(map[string]string{"query": introspectionQuery})
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.Post(url, "application/json", bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	var answer struct {
		Data struct {
			Schema struct {
				QueryType, MutationType, SubscriptionType *named
				Types                                     []definition
				Directives                                []directive
			} `json:"__schema"`
		}
		Errors []any
	}
	if err := json.NewDecoder(resp.Body).Decode(&answer); err != nil {
		t.Fatal(err)
	}
	if len(answer.Errors) > 0 || len(answer.Data.Schema.Types) == 0 {
		t.Fatalf("introspection failed: %v", answer.Errors)
	}
	s := answer.Data.Schema
	doc := &ast.SchemaDocument{}
	roots := &ast.SchemaDefinition{}
	for operation, root := range map[ast.Operation]*named{ast.Query: s.QueryType, ast.Mutation: s.MutationType,
		ast.Subscription: s.SubscriptionType} {
		if root != nil {
			roots.OperationTypes = append(roots.OperationTypes,
				&ast.OperationTypeDefinition{Operation: operation, Type: root.Name})
		}
	}
	sort.Slice(roots.OperationTypes, func(i, j int) bool {
		return roots.OperationTypes[i].Operation < roots.OperationTypes[j].Operation
	})
	doc.Schema = ast.SchemaDefinitionList{roots}
	for _, d := range s.Directives {
		doc.Directives = append(doc.Directives, d.ast(t))
	}
	for _, d := range s.Types {
		if !strings.HasPrefix(d.Name, "__") {
			doc.Definitions = append(doc.Definitions, d.ast(t))
		}
	}
	sort.Slice(doc.Directives, func(i, j int) bool { return doc.Directives[i].Name < doc.Directives[j].Name })
	sort.Slice(doc.Definitions, func(i, j int) bool { return doc.Definitions[i].Name < doc.Definitions[j].Name })
	var out bytes.Buffer
	formatter.NewFormatter(&out, formatter.WithIndent("  "), formatter.WithBuiltin()).FormatSchemaDocument(doc)
	return out.String()
}

func (d definition) ast(t *testing.T) *ast.Definition {
	t.Helper()
	def := &ast.Definition{Kind: ast.DefinitionKind(d.Kind), Name: d.Name, Description: d.Description}
	for _, i := range d.Interfaces {
		def.Interfaces = append(def.Interfaces, i.Name)
	}
	if d.Kind == string(ast.Union) {
		for _, p := range d.PossibleTypes {
			def.Types = append(def.Types, p.Name)
		}
	}
	for _, f := range d.Fields {
		fd := &ast.FieldDefinition{Name: f.Name, Description: f.Description, Type: f.Type.ast(), Directives: f.deprecation()}
		for _, a := range f.Args {
			fd.Arguments = append(fd.Arguments, a.argument(t))
		}
		def.Fields = append(def.Fields, fd)
	}
	for _, f := range d.InputFields {
		a := f.argument(t)
		def.Fields = append(def.Fields, &ast.FieldDefinition{Name: a.Name, Description: a.Description, Type: a.Type,
			DefaultValue: a.DefaultValue, Directives: f.deprecation()})
	}
	for _, v := range d.EnumValues {
		def.EnumValues = append(def.EnumValues, &ast.EnumValueDefinition{Name: v.Name, Description: v.Description,
			Directives: v.deprecation()})
	}
	return def
}

func (d directive) ast(t *testing.T) *ast.DirectiveDefinition {
	t.Helper()
	def := &ast.DirectiveDefinition{Name: d.Name, Description: d.Description, IsRepeatable: d.IsRepeatable,
		Position: &ast.Position{Src: &ast.Source{}}}
	for _, l := range d.Locations {
		def.Locations = append(def.Locations, ast.DirectiveLocation(l))
	}
	for _, a := range d.Args {
		def.Arguments = append(def.Arguments, a.argument(t))
	}
	return def
}

func (v inputValue) argument(t *testing.T) *ast.ArgumentDefinition {
	t.Helper()
	a := &ast.ArgumentDefinition{Name: v.Name, Description: v.Description, Type: v.Type.ast(), Directives: v.deprecation()}
	if v.DefaultValue != nil {
		a.DefaultValue = parseValue(t, *v.DefaultValue)
	}
	return a
}

// parseValue reads a default value, which introspection returns as GraphQL text.
func parseValue(t *testing.T, text string) *ast.Value {
	t.Helper()
	doc, err := parser.ParseQuery(&ast.Source{Input: "{ f(v: " + text + ") }"})
	if err != nil {
		t.Fatalf("default value %s: %v", text, err)
	}
	f, ok := doc.Operations[0].SelectionSet[0].(*ast.Field)
	if !ok {
		t.Fatalf("default value %s: not a value", text)
	}
	return f.Arguments[0].Value
}

func (n named) deprecation() ast.DirectiveList {
	if !n.IsDeprecated {
		return nil
	}
	reason := &ast.Value{Kind: ast.StringValue, Raw: n.DeprecationReason}
	return ast.DirectiveList{{Name: "deprecated", Arguments: ast.ArgumentList{{Name: "reason", Value: reason}}}}
}

func (r typeRef) ast() *ast.Type {
	switch r.Kind {
	case "NON_NULL":
		inner := r.OfType.ast()
		inner.NonNull = true
		return inner
	case "LIST":
		return ast.ListType(r.OfType.ast(), nil)
	default:
		return ast.NamedType(r.Name, nil)
	}
}
