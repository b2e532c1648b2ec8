package resolvers_test

import (
	"strings"
	"testing"

	"github.com/partita/partita/graph/typed"
	"github.com/partita/partita/internal/gatewaytest"
	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/write"
)

// TestUnsuccessfulWritesAreCharged: the write units in the answer to a mutation that wrote nothing, or not at once.
// Each attempt that was cancelled counts, with at most what the description of the mutation states.
func TestUnsuccessfulWritesAreCharged(t *testing.T) {
	s := startEmptyShop(t)
	ada, bob, eve := s.newUser(t, "ada"), s.newUser(t, "bob"), s.newUser(t, "eve")
	paid := s.newOrder(t, ada, "paid")
	s.succeed(t, deleteUser, input{"userId": eve, "version": 1})
	once := func(f tabletest.Faults) tabletest.Faults {
		n := 0
		f.Only = func(r tabletest.Request) bool {
			if r.IsWrite() {
				n++
			}
			return r.IsWrite() && n == 1
		}
		return f
	}
	free := tabletest.Faults{}
	conflict, lost := tabletest.Faults{Conflict: 1}, tabletest.Faults{Lost: 1}
	for _, tt := range []struct {
		name, mutation string
		input          input
		faults         tabletest.Faults
		codes          string
		units          float64
	}{
		{"createUser", createUser, input{"name": "New", "email": "new@example.org"}, free, "", 5},
		{"createUser, taken", createUser, input{"name": "New", "email": "bob@example.org"}, free, "TAKEN", 5},
		{"createUser after a conflict", createUser, input{"name": "New", "email": "x@example.org"}, conflict, "", 10},
		{"createUser after a lost answer", createUser, input{"name": "New", "email": "y@example.org"}, lost, "", 5},
		{"updateUser", updateUser, input{"userId": ada, "version": 1, "email": "ada@example.com"}, free, "", 8},
		{
			"updateUser, taken", updateUser, input{"userId": ada, "version": 2, "email": "bob@example.org"}, free, "TAKEN", 12,
		},
		{"followUser", followUser, input{"userId": ada, "followeeId": bob}, free, "", 10},
		{"followUser, already", followUser, input{"userId": ada, "followeeId": bob}, free, "ALREADY", 16},
		{"followUser of nobody", followUser, input{"userId": ada, "followeeId": noUser}, free, "NOT_FOUND", 16},
		{"followUser after a conflict", followUser, input{"userId": bob, "followeeId": ada}, conflict, "", 26},
		{"unfollowUser", unfollowUser, input{"userId": bob, "followeeId": ada}, free, "", 10},
		{"unfollowUser, not followed", unfollowUser, input{"userId": bob, "followeeId": ada}, free, "NOT_FOUND", 16},
		{"placeOrder", placeOrder, order(ada, "k", 5), free, "", 25},
		{"placeOrder again", placeOrder, order(ada, "k", 5), free, "", 0},
		{"placeOrder again, another", placeOrder, order(ada, "k", 6), free, "KEY_REUSED", 0},
		{"placeOrder after a conflict", placeOrder, order(ada, "l", 5), conflict, "", 53},
		{"placeOrder of nobody", placeOrder, order(eve, "k", 5), free, "NOT_FOUND", 28},
		{
			"updateOrderStatus after a conflict", updateOrderStatus, input{"orderId": paid, "version": 1, "status": "PAID"},
			conflict, "", 12,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s.Proxy.Inject(once(tt.faults))
			defer s.Proxy.Inject(free)
			a := s.must(t, tt.mutation, map[string]any{"input": tt.input})
			wantUnits(t, a, tt.units, tt.codes)
		})
	}

	// What changes between the read and the write of a mutation is found by its conditions.
	for _, tt := range []struct {
		name, mutation string
		input          input
		key            keys.Key
		units          float64
	}{
		{
			"updateUser", updateUser, input{"userId": bob, "version": 1, "name": "Bob"},
			must(typed.UserKey(keys.NewID("User", rawID(t, bob)))), 4,
		},
		{
			"cancelOrder", cancelOrder, input{"userId": ada, "orderId": paid, "version": 2},
			must(typed.OrderKey(keys.NewID("Order", rawID(t, paid)))), 6,
		},
	} {
		t.Run(tt.name+", changed meanwhile", func(t *testing.T) {
			hold := s.Proxy.Hold(tabletest.Request.IsWrite)
			go func() {
				<-hold.Arrived()
				_, err := s.gqlgen.Table.TransactWriteItems(t.Context(), write.Transaction{Actions: []write.Action{{
					Kind: write.ActionUpdate, Key: tt.key, Add: []write.Increment{{Name: "version", By: 1}},
				}}})
				if err != nil {
					t.Error(err)
				}
				hold.Release()
			}()
			a := s.must(t, tt.mutation, map[string]any{"input": tt.input})
			wantUnits(t, a, tt.units, "CONFLICT")
		})
	}
}

// wantUnits checks the write units and the user error of a mutation; "" for none.
func wantUnits(t *testing.T, a answer, units float64, code string) {
	t.Helper()
	got := corrections(t, gatewaytest.At(t, a.Data, "m").(map[string]any))
	if a.Extensions.Cost.WriteUnits != units || !strings.Contains(got, code) || (got == "") != (code == "") {
		t.Errorf("%v write units and %q, want %v and %q", a.Extensions.Cost.WriteUnits, got, units, code)
	}
}
