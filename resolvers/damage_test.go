package resolvers_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/partita/partita/demo"
	"github.com/partita/partita/graph/model"
	"github.com/partita/partita/graph/typed"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/loaders"
	"github.com/partita/partita/viewer"
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

// TestAccessOfDamage: that an item is damaged is told to those alone who could see
// it if it were not.
func TestAccessOfDamage(t *testing.T) {
	s := startShop(t)
	s.beyondDesign = true
	id := keys.NewID("Order", "01999ece-0000-7000-8000-00000000d000")
	forms, err := typed.StoredOrder(&model.Order{ID: id, UserID: demo.Ada(), Status: model.OrderStatusPaid, Total: &model.Money{Currency: "EUR"}})
	if err != nil {
		t.Fatal(err)
	}
	missing := keys.NewID("Order", "01999ece-0000-7000-8000-00000000dead").Encode()
	for _, typ := range []string{"Item", "User", "Payment"} {
		damaged := slices.Clone(forms[0])
		for i := range damaged {
			if damaged[i].Name == item.EntityType {
				damaged[i].Value = item.StringValue(typ)
			}
		}
		s.Load(t, damaged)
		for _, query := range []string{`query($id: ID!) { order(id: $id) { status } }`, `query($id: ID!) { nodes(ids: [$id]) { id } }`} {
			other := s.as(viewer.Viewer{ID: otherUser(t).Value()})
			there, none := other.ask(t, query, map[string]any{"id": id.Encode()}), other.ask(t, query, map[string]any{"id": missing})
			if !reflect.DeepEqual(there, none) {
				t.Errorf("%s: an item of type %q is told of:\n%+v\n%+v", query, typ, there, none)
			}
			for _, v := range []viewer.Viewer{admin, {ID: demo.Ada().Value()}} {
				a := s.as(v).ask(t, query, map[string]any{"id": id.Encode()})
				if len(a.Errors) != 1 || a.Errors[0].Extensions.Code != loaders.CodeInternal {
					t.Errorf("%+v: %s of type %q gives %+v", v, query, typ, a)
				}
			}
		}
	}
}
