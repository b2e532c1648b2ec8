package gateway_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
)

func TestLimits(t *testing.T) {
	const million = 1_000_000
	query := func(text string) string { return `{"query":"` + text + `"}` }
	type limit struct {
		name   string
		body   string
		status int
		code   string
		text   string
	}
	tests := []limit{
		{
			"a large body", query("{__typename #" + strings.Repeat("x", 1<<20) + "}"),
			http.StatusRequestEntityTooLarge, "BAD_REQUEST", "1048576 bytes",
		},
		{
			"nested selections", query(strings.Repeat("{a", million/2-100)),
			http.StatusBadRequest, "GRAPHQL_PARSE_FAILED", "2000 tokens",
		},
		{
			"nested lists", query("{echo(text:" + strings.Repeat("[", million)),
			http.StatusBadRequest, "GRAPHQL_PARSE_FAILED", "2000 tokens",
		},
		{
			"nested objects", query("{echo(text:" + strings.Repeat("{a:", million/3)),
			http.StatusBadRequest, "GRAPHQL_PARSE_FAILED", "2000 tokens",
		},
		{
			"nested list types", query("query($a:" + strings.Repeat("[", million)),
			http.StatusBadRequest, "GRAPHQL_PARSE_FAILED", "2000 tokens",
		},
		{
			"many comments", query(strings.Repeat("#\\n", million/3) + "{__typename}"),
			http.StatusBadRequest, "GRAPHQL_PARSE_FAILED", "2000 tokens",
		},
		{
			"nested JSON",
			`{"query":"{__typename}","variables":` + strings.Repeat(`{"a":`, 1e5) + "1" + strings.Repeat("}", 1e5) + "}",
			http.StatusBadRequest, "BAD_REQUEST", "not one valid JSON value",
		},
	}
	doubling := func(levels int) string {
		var b strings.Builder
		b.WriteString("{ ...F0 }")
		for i := range levels {
			fmt.Fprintf(&b, " fragment F%d on Query { a%d: __typename ...F%d ... { ...F%d } }", i, i, i+1, i+1)
		}
		fmt.Fprintf(&b, " fragment F%d on Query { z: __typename }", levels)
		return query(b.String())
	}
	tests = append(tests,
		limit{
			"fragments that double", doubling(60),
			http.StatusUnprocessableEntity, "GRAPHQL_VALIDATION_FAILED", "more than 5000 fields",
		},
		limit{
			"fragments that double further than numbers reach", doubling(70),
			http.StatusUnprocessableEntity, "GRAPHQL_VALIDATION_FAILED", "more than 5000 fields",
		},
	)
	c, _ := config(t)
	server := serve(t, c)
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			a := postBody(t, server, test.body)
			if a.status != test.status || a.code() != test.code || !strings.Contains(a.result.Errors[0].Message, test.text) {
				t.Errorf("got %d %s", a.status, a.body)
			}
			if alive := post(t, server, `{__typename}`, nil); alive.status != http.StatusOK {
				t.Errorf("then a small query got %d", alive.status)
			}
		})
	}
}

func TestLimitsAreSettings(t *testing.T) {
	c, _ := config(t)
	c.MaxBodyBytes, c.MaxTokens = 30, 4
	server := serve(t, c)
	for body, status := range map[string]int{
		`{"query":"{__typename}"}`:          http.StatusOK,
		`{"query":"{a:__typename}"}`:        http.StatusBadRequest,
		`{"query":"{__typename}", "":""}  `: http.StatusRequestEntityTooLarge,
	} {
		if a := postBody(t, server, body); a.status != status {
			t.Errorf("%s: got %d %s, want %d", body, a.status, a.body, status)
		}
	}
}

func TestFieldsOfFragmentsCountWhereverTheyAreSpread(t *testing.T) {
	c, _ := config(t)
	c.MaxFields = 6
	server := serve(t, c)
	const fragments = ` fragment F on Query { a: __typename ...G } fragment G on Query { b: __typename c: __typename }`
	for query, status := range map[string]int{
		`{ ...F ...G }` + fragments:                             http.StatusOK,
		`{ ...F ...G d: __typename e: __typename }` + fragments: http.StatusUnprocessableEntity,
	} {
		if a := post(t, server, query, nil); a.status != status {
			t.Errorf("%s: got %d %s, want %d", query, a.status, a.body, status)
		}
	}
}

func TestOperationsShareTheGateway(t *testing.T) {
	c, _ := config(t)
	server := serve(t, c)
	var group sync.WaitGroup
	for i := range 8 {
		group.Go(func() {
			for j := range 20 {
				body := fmt.Sprintf(`{"query":"{ a%d: echo(text: \"%d\") nope%d }"}`, j, i, j%2)
				a, err := try(t.Context(), server, http.MethodPost, "/graphql", body, "Content-Type", "application/json")
				if err != nil || a.status != http.StatusUnprocessableEntity {
					t.Errorf("got %d %s, %v", a.status, a.body, err)
				}
				body = fmt.Sprintf(`{"query":"query($t: String!) { a: echo(text: $t) }","variables":{"t":"%d"}}`, i)
				want := fmt.Sprintf(`{"a":"%d"}`, i)
				a, err = try(t.Context(), server, http.MethodPost, "/graphql", body, "Content-Type", "application/json")
				if err != nil || string(a.result.Data) != want {
					t.Errorf("got %s, %v, want %s", a.body, err, want)
				}
			}
		})
	}
	group.Wait()
}
