package resolvers_test

import (
	"strings"
	"testing"

	"github.com/partita/partita/demo"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/loaders"
	"github.com/partita/partita/table/item"
)

// TestItemOfAnotherType: what stands under a user's key and is no user is
// nobody's answer, whoever asks.
func TestItemOfAnotherType(t *testing.T) {
	s := startShop(t)
	id := keys.NewID("User", "impostor")
	s.Load(t, item.Item{
		{Name: keys.AttributePK, Value: item.StringValue("USER#impostor")},
		{Name: keys.AttributeSK, Value: item.StringValue("USER#impostor")},
		{Name: item.EntityType, Value: item.StringValue("Follow")},
		{Name: "followerId", Value: item.StringValue("a")},
		{Name: "followeeId", Value: item.StringValue("b")},
		{Name: "followedAt", Value: item.StringValue("2026-01-31T09:30:00.000Z")},
	})
	for _, query := range []string{
		`query($id: ID!) { node(id: $id) { id } }`,
		`query($id: ID!) { nodes(ids: [$id]) { id } }`,
		`query($id: ID!) { user(id: $id) { name } }`,
	} {
		a := s.ask(t, query, map[string]any{"id": id.Encode()})
		if len(a.Errors) != 1 || a.Errors[0].Extensions.Code != loaders.CodeInternal {
			t.Errorf("%s: got %v, errors %+v", query, a.Data, a.Errors)
		}
		if log := s.log.take(); !strings.Contains(log, "met an item with entityType") {
			t.Errorf("%s: the log says %q", query, log)
		}
	}
}

// TestCountOfUnreadObject: an object that is named by a reference is read for
// its counters.
func TestCountOfUnreadObject(t *testing.T) {
	s := startShop(t)
	variables := map[string]any{"id": demo.Ada().Encode()}
	want := at(t, s.must(t, `query($id: ID!) { user(id: $id) { orderCount } }`, variables).Data, "user", "orderCount")
	a := s.must(t, `query($id: ID!) { user(id: $id) { orders(first: 1) { nodes { customer { orders { totalCount } } } } } }`, variables)
	if got := at(t, a.Data, "user", "orders", "nodes", 0, "customer", "orders", "totalCount"); got != want {
		t.Errorf("totalCount %v, want %v", got, want)
	}
}
