package gateway_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/gateway"
	"github.com/partita/partita/internal/plan/price"
	"github.com/partita/partita/internal/testservice"
	"github.com/partita/partita/loaders"
)

// TestPlanOfOperation: a plan sends nothing to the table, and the operation then sends no more than the plan has.
func TestPlanOfOperation(t *testing.T) {
	s := testservice.Start(t, func(_ *gateway.Config, o *loaders.Options) {
		o.Limits.ReadUnits = 20
	}).As(testservice.Ada)
	for _, tt := range []struct {
		name, query, condition string
		rejected               bool
		requests, waves        int
	}{
		{
			"query",
			`query($id: ID!) { reader(id: $id) { name loans(first: 3) { nodes { reminders(first: 2) { nodes { text } } } } } }`,
			"PK = READER#r001, begins_with(SK, LOAN#), descending, limit 4", false, 5, 2,
		},
		{
			"mutation",
			testservice.Encoded(`mutation($stars: Int = 4) {
				recommendBook(input: {bookId: "Book:b040", stars: $stars}) { reader { name } }
			}`),
			"", false, 2, 2,
		},
		{
			"too expensive",
			`query($id: ID!) { reader(id: $id) { loans(first: 100) { nodes { reminders(first: 20) { nodes { text } } } } } }`,
			"PK = LOAN#{id of Loan}, begins_with(SK, REMINDER#), limit 21", true, 102, 2,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			variables := map[string]any{}
			if strings.Contains(tt.query, "$id:") {
				variables["id"] = testservice.Reader(1).Encode()
			}
			s.Proxy.Reset()
			explanation, rejected := planned(t, s, tt.query, variables)
			if n := s.Proxy.Counts().Total(); n != 0 {
				t.Errorf("%d requests to the table", n)
			}
			if explanation.Requests != tt.requests || len(explanation.Waves) != tt.waves || rejected != tt.rejected ||
				!explanation.has(tt.condition) {
				t.Errorf("%+v, rejected %v", explanation, rejected)
			}
			a := s.Ask(t, tt.query, variables)
			cost := a.Extensions.Cost
			if cost.EstimatedReadUnits != explanation.ReadUnits || (len(a.Errors) > 0) != tt.rejected ||
				cost.Requests > explanation.Requests || cost.Waves > len(explanation.Waves) {
				t.Errorf("executed: %+v %+v", cost, a.Errors)
			}
		})
	}
}

// explained is the plan in a response.
type explained price.Explanation

func planned(
	t *testing.T, s *testservice.Service, query string, variables map[string]any) (_ explained, rejected bool,
) {
	t.Helper()
	body, err := json.Marshal(map[string]any{"query": query, "variables": variables})
	fatal.If(t, err)
	target := strings.TrimSuffix(s.URL, "/graphql") + "/plan"
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, target, bytes.NewReader(body))
	fatal.If(t, err)
	request.Header.Set("Content-Type", "application/json")
	response, err := s.Client.Do(request)
	fatal.If(t, err)
	defer func() { _ = response.Body.Close() }()
	var a struct {
		Plan   explained
		Errors []testservice.Error
	}
	if err := json.NewDecoder(response.Body).Decode(&a); err != nil || response.StatusCode != http.StatusOK {
		t.Fatalf("status %d, %+v, %v", response.StatusCode, a, err)
	}
	return a.Plan, len(a.Errors) == 1 && a.Errors[0].Extensions.Code == price.CodeCostLimit
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
