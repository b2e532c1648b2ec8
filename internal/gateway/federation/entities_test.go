package federation_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/partita/partita/internal/executors"
	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/gateway"
	"github.com/partita/partita/internal/testservice"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/loaders"
)

// TestRequests compares the requests, costs and answers of operations of a subgraph, by both executors.
func TestRequests(t *testing.T) {
	t.Parallel()
	testservice.StartSubgraph(t).Run(t, "testdata/requests")
}

const names = `query($of: [_Any!]!) { _entities(representations: $of) { __typename ... on Reader { name } } }`

// representations returns those of readers, of whom most do not exist.
func representations(n int) []any {
	list := make([]any, n)
	for i := range list {
		list[i] = map[string]any{"__typename": "Reader", "id": keys.NewID("Reader", fmt.Sprintf("r%03d", 1+i)).Encode()}
	}
	return list
}

// TestRequestsOfLists: the requests for a list are those for its distinct keys, 100 in each, and the price is what they
// consume if all entities exist.
func TestRequestsOfLists(t *testing.T) {
	t.Parallel()
	s := testservice.StartSubgraph(t)
	maxBytes := testservice.Design().Type("Reader").MaxBytes
	each := float64((maxBytes+4095)/4096) / 2
	for _, tt := range []struct {
		name               string
		list               []any
		requests, distinct int
	}{
		{"one", representations(1), 1, 1},
		{"repeated", slices.Repeat(representations(1), 40), 1, 1},
		{"100", representations(100), 1, 100},
		{"101", representations(101), 2, 101},
		{"250", representations(250), 3, 250},
		{"each twice", slices.Repeat(representations(250), 2), 3, 250},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s.Proxy.Reset()
			a := s.AskBoth(t, names, map[string]any{"of": tt.list})
			if got := s.Proxy.Counts().Total(); got != tt.requests || a.Extensions.Cost.Requests != tt.requests {
				t.Errorf("%d requests, and %d in the cost, want %d", got, a.Extensions.Cost.Requests, tt.requests)
			}
			if got, want := a.Estimate.ReadUnits, each*float64(tt.distinct); got != want || a.Estimate.Requests != tt.requests {
				t.Errorf("the estimate is %+v, want %v read units and %d requests", a.Estimate, want, tt.requests)
			}
			entities, _ := a.Data["_entities"].([]any)
			if len(entities) != len(tt.list) || len(a.Errors) > 0 {
				t.Fatalf("%d entities with %d errors for %d representations", len(entities), len(a.Errors), len(tt.list))
			}
			first, _ := entities[0].(map[string]any)
			if first["__typename"] != "Reader" || first["name"] != "Ada" {
				t.Errorf("the first entity is %v", first)
			}
			if want := 1 + float64(len(tt.list)); a.Extensions.Cost.EstimatedObjects != want {
				t.Errorf("%v objects are estimated, want %v", a.Extensions.Cost.EstimatedObjects, want)
			}
		})
	}
}

// TestLimits: a list is limited as any other in an argument, and its price as that of any operation.
func TestLimits(t *testing.T) {
	t.Parallel()
	s := testservice.StartSubgraph(t, func(c *gateway.Config, o *loaders.Options) {
		c.MaxListItems = 120
		o.Limits.ReadUnits = 50
	})
	for n, want := range map[int]string{100: "", 110: "COST_LIMIT", 121: "BAD_REQUEST"} {
		s.Proxy.Reset()
		a := s.Ask(t, names, map[string]any{"of": representations(n)})
		code := ""
		if len(a.Errors) > 0 {
			code = a.Errors[0].Extensions.Code
		}
		if code != want || want != "" && s.Proxy.Counts().Total() > 0 {
			t.Errorf("%d representations: %q after %d requests, want %q", n, code, s.Proxy.Counts().Total(), want)
		}
	}
}

// TestService: both executors return the schema, also beside other fields and under other names.
func TestService(t *testing.T) {
	t.Parallel()
	s := testservice.StartSubgraph(t)
	_, sdl := testservice.Schema().Subgraph()
	data := answered(t, s, `query($no: Boolean = false) {
		first: __typename ... on Query { _service { sdl } } again: _service { ...S }
		_service { text: sdl none: sdl @include(if: $no) } out: _service @skip(if: true) { sdl }
		__type(name: "_Entity") { kind }
	} fragment S on _Service { is: __typename sdl }`)
	want := map[string]any{
		"first": "Query", "_service": map[string]any{"sdl": sdl, "text": sdl},
		"again": map[string]any{"is": "_Service", "sdl": sdl}, "__type": map[string]any{"kind": "UNION"},
	}
	if diff := cmp.Diff(want, data); diff != "" {
		t.Errorf("the answer differs (-want +got):\n%.1000s", diff)
	}
	if strings.Contains(sdl, "_Entity") || strings.Contains(sdl, "_service") {
		t.Error("the schema has what every subgraph has")
	}
}

// TestTenants: in a table with tenants, the router composes the schema without a token, and entities are those of the
// viewer's tenant, which this viewer lacks.
func TestTenants(t *testing.T) {
	t.Parallel()
	s := testservice.StartSubgraph(t, func(c *gateway.Config, _ *loaders.Options) { c.Callers.NeedsTenant = true })
	if data, _ := answered(t, s, `{ _service { sdl } }`).(map[string]any); data["_service"] == nil {
		t.Errorf("the answer is %v", data)
	}
	for _, query := range []string{
		`{ _entities(representations: []) { __typename } }`,
		`{ _service { sdl } _entities(representations: []) { __typename } }`,
	} {
		if a := s.Ask(t, query, nil); a.Data != nil || a.Errors[0].Extensions.Code != "UNAUTHENTICATED" {
			t.Errorf("%s: got %.300s", query, a.Body)
		}
	}
}

// answered returns the data of a query that both executors answer in the same way.
func answered(t *testing.T, s *testservice.Service, query string) any {
	t.Helper()
	r, err := s.Pair.Both(s.Header, executors.Operation{Document: query}, nil)
	fatal.If(t, err)
	if len(r.Codes()) > 0 {
		t.Errorf("%s: got %s", query, r.Body)
	}
	return r.Data()
}

// TestOnlySubgraphs: without the setting, nothing of a subgraph is known.
func TestOnlySubgraphs(t *testing.T) {
	t.Parallel()
	s := testservice.Start(t)
	for _, query := range []string{
		`{ _service { sdl } }`, `{ _entities(representations: []) { __typename } }`, `{ ... on _Entity { __typename } }`,
	} {
		if a := s.Ask(t, query, nil); a.Data != nil || a.Errors[0].Extensions.Code != "GRAPHQL_VALIDATION_FAILED" {
			t.Errorf("%s: got %s", query, a.Body)
		}
	}
	const query = `{ __schema { types { name fields { name } } } }`
	if body := fmt.Sprint(answered(t, s, query)); strings.Contains(body, ":_service") || strings.Contains(body, ":_Any") {
		t.Errorf("introspection shows %s", body)
	}
	if body := fmt.Sprint(answered(t, testservice.StartSubgraph(t), query)); !strings.Contains(body, ":_service") ||
		!strings.Contains(body, ":_entities") || !strings.Contains(body, ":_Any") || !strings.Contains(body, ":_Entity") {
		t.Errorf("introspection of a subgraph shows %s", body)
	}
}
