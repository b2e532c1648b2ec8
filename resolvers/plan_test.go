package resolvers_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/partita/partita/demo"
	"github.com/partita/partita/gateway"
	"github.com/partita/partita/loaders"
)

// TestPlan: a plan asks nothing of the table, and the operation then does what it says, but
// that a Get may join a Query.
func TestPlan(t *testing.T) {
	s := startShopWith(t, func(_ *gateway.Config, o *loaders.Options) {
		o.MaxReadUnits = 20
	}).acting(input{actor: demo.Ada().Encode()})
	for _, tt := range []struct {
		name, query, condition string
		refused                bool
		requests, waves        int
	}{
		{"query", `query($id: ID!) { user(id: $id) { name orders(first: 3) { nodes { items(first: 2) { nodes { sku } } } } } }`,
			"PK = USER#" + demo.Ada().Values()[0] + ", begins_with(SK, ORDER#), descending, limit 4", false, 5, 2},
		{"mutation", `mutation($name: String = "Ada King") { updateUser(input: {version: 1, name: $name}) { user { name } } }`, "", false, 3, 2},
		{"too expensive", `query($id: ID!) { user(id: $id) { orders(first: 100) { nodes { items(first: 90) { nodes { sku } } } } } }`,
			"PK = ORDER#{id of Order}, begins_with(SK, ITEM#), limit 91", true, 102, 2},
	} {
		t.Run(tt.name, func(t *testing.T) {
			variables := map[string]any{}
			if strings.Contains(tt.query, "$id:") {
				variables["id"] = demo.Ada().Encode()
			}
			s.Proxy.Reset()
			plan, refused := s.plan(t, tt.query, variables)
			if n := s.Proxy.Counts().Total(); n != 0 {
				t.Errorf("%d requests to the table", n)
			}
			if plan.Requests != tt.requests || len(plan.Waves) != tt.waves || refused != tt.refused || !plan.has(tt.condition) {
				t.Errorf("%+v, refused %v", plan, refused)
			}
			a := s.ask(t, tt.query, variables)
			cost := a.Extensions.Cost
			if cost.EstimatedReadUnits != plan.ReadUnits || (len(a.Errors) > 0) != tt.refused || cost.Requests > plan.Requests || cost.Waves > len(plan.Waves) {
				t.Errorf("executed: %+v %+v", cost, a.Errors)
			}
		})
	}
}

// explained is what the gateway answers of a plan.
type explained loaders.Explanation

func (s *shop) plan(t *testing.T, query string, variables map[string]any) (_ explained, refused bool) {
	t.Helper()
	body, err := json.Marshal(map[string]any{"query": query, "variables": variables})
	if err != nil {
		t.Fatal(err)
	}
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, strings.TrimSuffix(s.url, "/graphql")+"/plan", bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := s.client.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	var a struct {
		Plan   explained
		Errors []answerError
	}
	if err := json.NewDecoder(response.Body).Decode(&a); err != nil || response.StatusCode != http.StatusOK {
		t.Fatalf("status %d, %+v, %v", response.StatusCode, a, err)
	}
	return a.Plan, len(a.Errors) == 1 && a.Errors[0].Extensions.Code == loaders.CodeCostLimit
}

func (x explained) has(condition string) bool {
	for _, wave := range x.Waves {
		for _, read := range wave.Reads {
			if read.Condition == condition {
				return true
			}
		}
	}
	return false
}
