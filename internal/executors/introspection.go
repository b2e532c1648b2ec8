package executors

import (
	"net/http"
	"testing"

	"github.com/99designs/gqlgen/graphql/introspection"

	"github.com/partita/partita/internal/gatewaytest"
	"github.com/partita/partita/loaders"
)

// partFragments select all that introspection has of each part of a schema.
const partFragments = `
fragment Ref on __Type {
  __typename kind name ofType { kind name ofType { kind name ofType { kind name ofType { kind } } } }
}
fragment Whole on __Type {
  __typename kind name description specifiedByURL isOneOf
  current: fields { name } all: fields(includeDeprecated: $all) { ...Field }
  interfaces { ...Ref } possibleTypes { ...Ref }
  currentValues: enumValues(includeDeprecated: false) { name }
  allValues: enumValues(includeDeprecated: true) { __typename name description isDeprecated deprecationReason }
  inputFields { ...Input } someInputFields: inputFields(includeDeprecated: $some) { name } ofType { name }
}
fragment Field on __Field {
  __typename name description args { ...Input } some: args(includeDeprecated: $some) { name }
  type {
    ...Ref description specifiedByURL isOneOf
    fields { name } interfaces { name } possibleTypes { name } enumValues { name } inputFields { name }
  }
  isDeprecated deprecationReason
}
fragment Input on __InputValue {
  __typename name description type { ...Ref } defaultValue isDeprecated deprecationReason
}`

// CheckIntrospection compares what both executors return for all parts of the schema.
func (s Schema) CheckIntrospection(t *testing.T) {
	t.Helper()
	c := s.Compare(loaders.Options{})
	operations := []Operation{
		{Document: introspection.Query},
		{Document: `query($all: Boolean, $some: Boolean, $ids: [ID!]!) {
			__typename
			__schema {
				__typename description
				queryType { ...Ref } mutationType { ...Ref } subscriptionType { ...Ref }
				directives { __typename name description isRepeatable locations args { ...Input } }
			}
			nodes(ids: $ids) { __typename id }
			again: __schema { types { name } } none: __type(name: "None") { name }
			type: __type(name: "Node") { ...Whole }
		}` + partFragments, Variables: map[string]any{"all": nil, "ids": c.generator.ids[c.generator.stored[0]][:1]}},
	}
	for _, name := range c.generator.types {
		const query = `query($name: String!, $all: Boolean, $some: Boolean = true) { __type(name: $name) { ...Whole } }`
		operations = append(operations, Operation{
			Document: query + partFragments, Variables: map[string]any{"name": name, "all": true},
		})
	}
	header := http.Header{}
	gatewaytest.SetViewer(header, s.Viewers[0])
	for _, o := range operations {
		r, err := c.Both(header, o, nil)
		if err != nil {
			t.Error(err)
		}
		if r.Data() == nil || len(r.Codes()) > 0 {
			t.Errorf("%v: got %.300s", o, r.Body)
		}
	}
}
