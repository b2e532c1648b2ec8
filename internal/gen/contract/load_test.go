package contract_test

import (
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/gen/contract"
)

// TestIntrospection: the JSON of an introspection query is the same schema as SDL.
func TestIntrospection(t *testing.T) {
	const sdl = `
"A root." type Query {
  color("Why." of: [Int!]! = [1, 2], in: In): Color @deprecated(reason: "dull")
  any: Any
  named: Named
}
enum Color { RED GREEN @deprecated(reason: "faded") }
input In @oneOf { a: String @deprecated(reason: "no") b: Int }
interface Named { name: String }
type A implements Named { name: String }
union Any = A
scalar Url @specifiedBy(url: "https://url.spec.whatwg.org")
directive @mark(text: String = "x") repeatable on FIELD | QUERY
`
	const response = `{"data": {"__schema": {
  "queryType": {"name": "Query"}, "mutationType": null, "subscriptionType": null,
  "types": [
    {"kind": "OBJECT", "name": "Query", "description": "A root.", "interfaces": [], "fields": [
      {"name": "color", "isDeprecated": true, "deprecationReason": "dull", "type": {"kind": "ENUM", "name": "Color"},
      "args": [
        {"name": "of", "description": "Why.", "defaultValue": "[1, 2]", "type": {"kind": "NON_NULL", "ofType":
          {"kind": "LIST", "ofType": {"kind": "NON_NULL", "ofType": {"kind": "SCALAR", "name": "Int"}}}}},
        {"name": "in", "defaultValue": null, "type": {"kind": "INPUT_OBJECT", "name": "In"}}]},
      {"name": "any", "isDeprecated": false, "type": {"kind": "UNION", "name": "Any"}, "args": []},
      {"name": "named", "isDeprecated": false, "type": {"kind": "INTERFACE", "name": "Named"}, "args": []}]},
    {"kind": "ENUM", "name": "Color", "enumValues": [
      {"name": "RED", "isDeprecated": false}, {"name": "GREEN", "isDeprecated": true, "deprecationReason": "faded"}]},
    {"kind": "INPUT_OBJECT", "name": "In", "isOneOf": true, "inputFields": [
      {"name": "a", "isDeprecated": true, "deprecationReason": "no", "type": {"kind": "SCALAR", "name": "String"}},
      {"name": "b", "type": {"kind": "SCALAR", "name": "Int"}}]},
    {"kind": "INTERFACE", "name": "Named", "interfaces": [], "possibleTypes": [{"name": "A"}], "fields": [
      {"name": "name", "type": {"kind": "SCALAR", "name": "String"}, "args": []}]},
    {"kind": "OBJECT", "name": "A", "interfaces": [{"name": "Named"}], "fields": [
      {"name": "name", "type": {"kind": "SCALAR", "name": "String"}, "args": []}]},
    {"kind": "UNION", "name": "Any", "possibleTypes": [{"name": "A"}]},
    {"kind": "SCALAR", "name": "Url", "specifiedByURL": "https://url.spec.whatwg.org"},
    {"kind": "SCALAR", "name": "Int"}, {"kind": "SCALAR", "name": "String"}, {"kind": "SCALAR", "name": "Boolean"},
    {"kind": "OBJECT", "name": "__Type", "interfaces": [], "fields": [
      {"name": "name", "type": {"kind": "SCALAR", "name": "String"}, "args": []}]}
  ],
  "directives": [
    {"name": "skip", "locations": ["FIELD"], "args": [
      {"name": "if", "type": {"kind": "NON_NULL", "ofType": {"kind": "SCALAR", "name": "Boolean"}}}]},
    {"name": "mark", "isRepeatable": true, "locations": ["FIELD", "QUERY"], "args": [
      {"name": "text", "defaultValue": "\"x\"", "type": {"kind": "SCALAR", "name": "String"}}]}]
}}}`
	load := func(text string) contract.Version {
		v, err := contract.LoadFile(&ast.Source{Name: "file", Input: text})
		fatal.If(t, err)
		return v
	}
	written, introspected := load(sdl), load(response)
	data := strings.TrimSuffix(strings.TrimPrefix(response, `{"data": `), "}")
	for name, changes := range map[string]contract.Changes{
		"to the JSON":           contract.Compare(written, introspected),
		"to SDL":                contract.Compare(introspected, written),
		"to the data alone":     contract.Compare(written, load(data)),
		"to SDL of a few types": contract.Compare(written, load(sdl+"\ntype More { x: Int }"))[1:],
	} {
		if len(changes) > 0 {
			t.Errorf("%s:\n%s", name, changes)
		}
	}
}

// TestLoadErrors: what is no schema is an error.
func TestLoadErrors(t *testing.T) {
	for text, want := range map[string]string{
		"{":                        "the JSON ends early",
		"{}":                       "it has no __schema with types",
		`{"errors": []}`:           "it has no __schema with types",
		"type Query {":             "Expected Name",
		"type Query { a: Absent }": "Undefined type Absent",
		`type Query { a: A @get(pk: "A#{id}", sk: "A#{id}") }`: "there is no type A",
		`{"__schema": {"queryType": {"name": "Query"}, "types": [{"kind": "OBJECT", "name": "Query", "fields": [
			{"name": "a", "type": {"kind": "SCALAR", "name": "Int"}, "args": [
			{"name": "b", "type": {"kind": "SCALAR", "name": "Int"}, "defaultValue": "{{"}]}]}]}}`: "default value {{ of b is",
		`{"__schema": {"queryType": {"name": "Query"}, "types": [{"kind": "OBJECT", "name": "Query", "fields": [
			{"name": "a", "type": {"kind": "LIST"}}]}]}}`: "the type of a is not complete: select ofType more often",
		`{"__schema": {"queryType": {"name": "Query"}, "types": [{"name": "Query"}]}}`: `a type "Query" of the kind ""`,
	} {
		_, err := contract.LoadFile(&ast.Source{Name: "file", Input: text})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", text, err, want)
		}
	}
}
