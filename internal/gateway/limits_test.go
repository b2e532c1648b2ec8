package gateway_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
)

func TestLimitsAreSettings(t *testing.T) {
	c, _ := config(t)
	c.MaxBodyBytes, c.MaxTokens = 30, 4
	server := serve(t, c)
	for body, want := range map[string]string{
		`{"query":"{__typename}"}`:          `200 {"__typename":"Query"}`,
		`{"query":"{a:__typename}"}`:        "400 GRAPHQL_PARSE_FAILED",
		`{"query":"{__typename}", "":""}  `: "413 BAD_REQUEST",
	} {
		if a := postBody(t, server, body); !strings.HasPrefix(a.text(), want) {
			t.Errorf("%s: got %s, want %s", body, a.text(), want)
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
