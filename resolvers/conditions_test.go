package resolvers_test

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/partita/partita/internal/plan/price"
	"github.com/partita/partita/internal/plantest"
	"github.com/partita/partita/loaders"
)

// TestConditionsOfPlans: each mutation sends the writes of its plan, on the conditions of its plan, and the measured
// values have the same. Of hand-written Go, only the latter have them.
func TestConditionsOfPlans(t *testing.T) {
	s := startEmptyShop(t)
	s.header.Set("Partita-Plan", "measured")
	ada, bob := s.newUser(t, "ada"), s.newUser(t, "bob")
	one, two := s.newOrder(t, ada, "one"), s.newOrder(t, ada, "two")
	for _, tt := range []struct {
		name, mutation string
		input          input
		isPlanned      bool
	}{
		{"createUser", createUser, input{"name": "Grace", "email": "grace@example.org"}, true},
		{"updateUser", updateUser, input{"userId": ada, "version": 1, "name": "Ada"}, true},
		{"another address", updateUser, input{"userId": ada, "version": 2, "email": "ada@example.com"}, true},
		{"followUser", followUser, input{"userId": ada, "followeeId": bob}, true},
		{"unfollowUser", unfollowUser, input{"userId": ada, "followeeId": bob}, true},
		{"placeOrder", placeOrder, order(ada, "five", 5), false},
		{"updateOrderStatus", updateOrderStatus, input{"orderId": one, "version": 1, "status": "PAID"}, true},
		{"cancelOrder", cancelOrder, input{"userId": ada, "orderId": two, "version": 1}, true},
		{"deleteUser", deleteUser, input{"userId": bob, "version": 1}, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s.Proxy.Reset()
			a, err := s.send(t.Context(), tt.mutation, map[string]any{"input": tt.input})
			if err != nil || len(a.Errors) > 0 {
				t.Fatal(a.body, err)
			}
			sent := s.Proxy.Writes()
			var planned []price.ExplainedWrite
			for _, w := range price.Explain(s.latest.Load().Bound).Waves {
				for _, r := range w.Reads {
					planned = append(planned, r.Writes...)
				}
			}
			if sent == nil || tt.isPlanned != (planned != nil) {
				t.Errorf("%+v is sent, %+v is planned", sent, planned)
			}
			if tt.isPlanned {
				plantest.CheckWrites(t, planned, sent)
				plantest.CheckAllSent(t, planned, sent)
			}
			plantest.CheckWrites(t, written(t, a), sent)
			plantest.CheckAllSent(t, written(t, a), sent)
		})
	}
}

// written returns what an answer says that was written.
func written(t *testing.T, a answer) []price.ExplainedWrite {
	t.Helper()
	var measured struct {
		Extensions struct{ Plan loaders.Measured }
	}
	if err := json.Unmarshal([]byte(a.body), &measured); err != nil {
		t.Fatal(err)
	}
	var all []price.ExplainedWrite
	for _, r := range measured.Extensions.Plan.Requests {
		all = slices.Concat(all, r.Writes)
	}
	return all
}
