package gateway_test

import (
	"encoding/json"
	"net/http"
	"testing"
)

func TestVariables(t *testing.T) {
	tests := []struct {
		name      string
		query     string
		variables string
		data      string // of the field, when the variables are taken
		message   string // when they are not
	}{
		{"an Int", `($n: Int!) { count(to: $n) }`, `{"n": 2}`, `{"count":[1,2]}`, ""},
		{"an Int with an empty fraction", `($n: Int!) { count(to: $n) }`, `{"n": 2.0}`, `{"count":[1,2]}`, ""},
		{"an Int with an exponent", `($n: Int!) { count(to: $n) }`, `{"n": 2e0}`, `{"count":[1,2]}`, ""},
		{"a default", `($n: Int! = 1) { count(to: $n) }`, `{}`, `{"count":[1]}`, ""},
		{"the argument's default", `($n: Int) { count(to: $n) }`, `{}`, `{"count":[1,2,3]}`, ""},
		{"unknown variables", `($n: Int!) { count(to: $n) }`, `{"n": 1, "m": 2}`, `{"count":[1]}`, ""},
		{"one for a list", `($i: [ID!]) { describe(ids: $i) }`, `{"i": "a"}`,
			`{"describe":"{\"color\":null,\"flag\":null,\"ids\":[\"a\"],\"input\":null,\"ratio\":null}"}`, ""},
		{"an integer for an ID", `($i: [ID!]) { describe(ids: $i) }`, `{"i": [7, "b"]}`,
			`{"describe":"{\"color\":null,\"flag\":null,\"ids\":[\"7\",\"b\"],\"input\":null,\"ratio\":null}"}`, ""},
		{"an enum, a Float, a Boolean", `($c: Color, $r: Float, $f: Boolean) { describe(color: $c, ratio: $r, flag: $f) }`,
			`{"c": "RED", "r": 1, "f": true}`,
			`{"describe":"{\"color\":\"RED\",\"flag\":true,\"ids\":null,\"input\":null,\"ratio\":1}"}`, ""},
		{"an object and its defaults", `($i: Input) { describe(input: $i) }`,
			`{"i": {"name": "x", "nested": {"name": "y", "count": 1, "tags": "t", "choice": {"a": 1}}}}`,
			`{"describe":"{\"color\":null,\"flag\":null,\"ids\":null,\"input\":{\"name\":\"x\",\"count\":7,\"nested\":` +
				`{\"name\":\"y\",\"count\":1,\"tags\":[\"t\"],\"choice\":{\"a\":1}}},\"ratio\":null}"}`, ""},

		{"a string for an Int", `($n: Int!) { count(to: $n) }`, `{"n": "10"}`, "",
			"Variable $n must be an Int: a JSON number without fraction, of at most 32 bits."},
		{"a fraction for an Int", `($n: Int!) { count(to: $n) }`, `{"n": 1.5}`, "",
			"Variable $n must be an Int: a JSON number without fraction, of at most 32 bits."},
		{"a large Int", `($n: Int!) { count(to: $n) }`, `{"n": 2147483648}`, "",
			"Variable $n must be an Int: a JSON number without fraction, of at most 32 bits."},
		{"a missing variable", `($n: Int!) { count(to: $n) }`, `{}`, "",
			`Variable $n of type Int! is required. Give it in "variables".`},
		{"null", `($n: Int!) { count(to: $n) }`, `{"n": null}`, "", "Variable $n of type Int! must not be null."},
		{
			"a number for a String", `($s: String!) { echo(text: $s) }`, `{"s": 7}`, "",
			"Variable $s must be a String: a JSON string.",
		},
		{"a string for a Boolean", `($f: Boolean) { describe(flag: $f) }`, `{"f": "true"}`, "",
			"Variable $f must be a Boolean: true or false."},
		{
			"a string for a Float", `($r: Float) { describe(ratio: $r) }`, `{"r": "1"}`, "",
			"Variable $r must be a Float: a JSON number.",
		},
		{
			"a number beyond Float", `($r: Float) { describe(ratio: $r) }`, `{"r": 1e999}`, "",
			"Variable $r must be a Float: a JSON number.",
		},
		{
			"a fraction for an ID", `($i: [ID!]) { describe(ids: $i) }`, `{"i": [1.5]}`, "",
			"Variable $i[0] must be an ID: a JSON string.",
		},
		{"an enum in lower case", `($c: Color) { describe(color: $c) }`, `{"c": "red"}`, "",
			"Variable $c must be the name of a value of the enum Color."},
		{"an enum by number", `($c: Color) { describe(color: $c) }`, `{"c": 0}`, "",
			"Variable $c must be the name of a value of the enum Color."},
		{"a string for an object", `($i: Input) { describe(input: $i) }`, `{"i": "x"}`, "",
			"Variable $i must be an object of the input type Input."},
		{"an unknown field", `($i: Input) { describe(input: $i) }`, `{"i": {"name": "x", "nope": 1}}`, "",
			"Variable $i has a field that the input type Input does not have."},
		{"a missing field", `($i: Input) { describe(input: $i) }`, `{"i": {"name": "x", "nested": {}}}`, "",
			"Variable $i.nested lacks the required field name: String!."},
		{"null in a list", `($i: Input) { describe(input: $i) }`, `{"i": {"name": "x", "tags": ["a", null]}}`, "",
			"Variable $i.tags[1] of type String! must not be null."},
		{"two of a oneOf", `($i: Input) { describe(input: $i) }`, `{"i": {"name": "x", "choice": {"a": 1, "b": "c"}}}`, "",
			"Variable $i.choice must have exactly one of the fields of Choice, and that one not null."},
		{"null of a oneOf", `($i: Input) { describe(input: $i) }`, `{"i": {"name": "x", "choice": {"a": null}}}`, "",
			"Variable $i.choice must have exactly one of the fields of Choice, and that one not null."},
	}
	c, _ := config(t)
	server := serve(t, c)
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			body, err := json.Marshal(map[string]any{
				"query": "query" + test.query, "variables": json.RawMessage(test.variables),
			})
			if err != nil {
				t.Fatal(err)
			}
			a := do(t, server, http.MethodPost, "/graphql", string(body),
				"Content-Type", "application/json", "Accept", "application/graphql-response+json")
			if test.message == "" {
				if a.status != http.StatusOK || string(a.result.Data) != test.data {
					t.Errorf("got %d %s, want %s", a.status, a.body, test.data)
				}
				return
			}
			if a.status != http.StatusUnprocessableEntity || a.code() != "BAD_USER_INPUT" || len(a.result.Errors) != 1 {
				t.Fatalf("got %d %s", a.status, a.body)
			}
			if got := a.result.Errors[0]; got.Message != test.message || len(got.Locations) != 1 || got.Path != nil {
				t.Errorf("got %+v, want %s", got, test.message)
			}
		})
	}
}
