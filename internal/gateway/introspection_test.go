package gateway_test

import (
	_ "embed"
	"net/http"
	"strings"
	"testing"

	"github.com/partita/partita/internal/gateway"
	"github.com/partita/partita/internal/testservice"
)

// introspectionQuery is what GraphiQL sends: getIntrospectionQuery of the npm package graphql, version 16, with all
// options.
//
//go:embed testdata/introspection.graphql
var introspectionQuery string

func TestGraphiQLsIntrospectionQueryPasses(t *testing.T) {
	c, _ := config(t)
	for name, schema := range map[string]executable{"test": c.Schema, "large": testservice.Executable()} {
		c.Schema = schema
		a := post(t, serve(t, c), introspectionQuery, nil)
		if a.status != http.StatusOK || len(a.result.Errors) > 0 || !strings.Contains(a.body, `"queryType"`) {
			t.Errorf("%s: got %d %.300s", name, a.status, a.body)
		}
	}
}

// TestIntrospectionIsCharged: what an operation selects of the schema counts as objects, which is known before.
func TestIntrospectionIsCharged(t *testing.T) {
	c, _ := config(t)
	server := serve(t, c)
	types := len(c.Schema.Schema().Types)
	for query, objects := range map[string]int{
		`{ __typename }`:                             1,
		`{ __schema { types { name kind } } }`:       1 + (1+2*types)/16,
		`{ __type(name: "Query") { name } }`:         1,
		`{ __schema { types { a: name b: name } } }`: 1 + (1+2*types)/16,
	} {
		cost := post(t, server, query, nil).result.Extensions.Cost
		if cost.Objects != objects || cost.EstimatedObjects != float64(objects) {
			t.Errorf("%s: %d objects of %v, want %d", query, cost.Objects, cost.EstimatedObjects, objects)
		}
	}
}

func TestIntrospectionSwitchedOff(t *testing.T) {
	c, _ := config(t)
	c.Documents.DisableIntrospection = true
	server := serve(t, c)
	for _, query := range []string{
		introspectionQuery,
		`{ __type(name: "Query") { name } }`,
		`{ a: __schema { queryType { name } } }`,
		`query A { __typename } query B { ...F } fragment F on Query { ... { __schema { queryType { name } } } }`,
	} {
		a := post(t, server, query, nil)
		if !a.isError(http.StatusUnprocessableEntity, "GRAPHQL_VALIDATION_FAILED", "Introspection is switched off") {
			t.Errorf("%.60s: got %d %s", query, a.status, a.body)
		}
	}
	if a := post(t, server, `{ __typename thing { __typename } }`, nil); a.status != http.StatusOK {
		t.Errorf("__typename got %d %s", a.status, a.body)
	}
}

func TestSuggestionsSwitchedOff(t *testing.T) {
	misspelled := map[string]bool{ // and whether a suggestion is made when they are on
		`{ ecko(text: "a") }`:                                    true,
		`{ echo(tekst: "a") }`:                                   true,
		`{ __typename @skip(iff: true) }`:                        true,
		`{ describe(color: REED) }`:                              true,
		`{ describe(color: "RED") }`:                             true,
		`{ describe(input: {nam: "a"}) }`:                        true,
		`query ($i: Inputt) { describe(input: $i) }`:             false,
		`query ($i: Input = {nam: "a"}) { describe(input: $i) }`: true,
		`{ thing { ... on Thingg { name } } }`:                   false,
		`{ thing }`:                                              true,
		`{ ...F } fragment F on Quary { echo(text: "a") }`:       true,
	}
	for _, disabled := range []bool{false, true} {
		c, _ := config(t)
		c.Documents.DisableSuggestions = disabled
		server := serve(t, c)
		for query, suggested := range misspelled {
			a := post(t, server, query, nil)
			if a.status != http.StatusUnprocessableEntity {
				t.Errorf("%s: got %d %s", query, a.status, a.body)
			}
			if strings.Contains(a.body, "Did you mean") != (suggested && !disabled) {
				t.Errorf("%s, suggestions disabled %v: got %s", query, disabled, a.body)
			}
		}
		variables := post(t, server, `query ($i: Input, $c: Color) { describe(input: $i, color: $c) }`,
			map[string]any{"i": map[string]any{"nam": "a"}, "c": "REED"})
		suggests := strings.Contains(variables.body, "RED\"") || strings.Contains(variables.body, "Did you mean")
		if suggests || len(variables.result.Errors) != 2 {
			t.Errorf("variables: got %s", variables.body)
		}
	}
}

func TestPlaygroundSwitchedOff(t *testing.T) {
	c, _ := config(t)
	c.Playground.Disabled = true
	if status, _ := get(gateway.New(c), "/"); status != http.StatusNotFound {
		t.Errorf("got %d", status)
	}
}
