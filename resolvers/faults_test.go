package resolvers_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/partita/partita/demo"
	"github.com/partita/partita/gateway"
	"github.com/partita/partita/graph/model"
	"github.com/partita/partita/graph/typed"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/loaders"
	"github.com/partita/partita/table/tabletest"
)

// busyQuery needs all kinds of requests, and several waves.
func busyQuery() string {
	return fmt.Sprintf(`query($ids: [ID!]!) {
		user(id: %q) {
			name
			orders(first: 20) { nodes { id status items(first: 100) { nodes { sku order { total { amount } } } } } }
			followers(first: 100) { nodes { name } }
			following(first: 30) { edges { followedAt node { name following(first: 10) { nodes { name email } } } } }
		}
		ordersByStatus(status: PENDING, first: 50) { nodes { id customer { name } } pageInfo { endCursor } }
		nodes(ids: $ids) { id ... on User { name } ... on Order { status } ... on Item { sku } }
	}`, demo.Ada().Encode())
}

func TestFaultsLeaveNoTrace(t *testing.T) {
	s := startShop(t)
	variables := map[string]any{"ids": mixed()}
	want := s.must(t, busyQuery(), variables)
	for name, faults := range map[string]tabletest.Faults{
		"30 % of keys unprocessed":      {Unprocessed: 0.3},
		"30 % of requests throttled":    {Throttled: 0.3},
		"5 % of connections reset":      {Reset: 0.05},
		"5 % of requests failed":        {Failed: 0.05},
		"pages that end after one item": {PageSize: 1},
		"pages that end after 7 items":  {PageSize: 7},
		"all of it":                     {Unprocessed: 0.3, Throttled: 0.3, Reset: 0.05, PageSize: 3},
	} {
		t.Run(name, func(t *testing.T) {
			for seed := range uint64(2) {
				faults.Seed = seed
				s.Proxy.Reset()
				s.Proxy.Inject(faults)
				got := s.must(t, busyQuery(), variables)
				s.Proxy.Inject(tabletest.Faults{})
				if !reflect.DeepEqual(got.Data, want.Data) {
					t.Errorf("seed %d: the answer differs from that without faults", seed)
				}
				c := s.Proxy.Counts()
				if faults.PageSize == 0 && c.Throttled+c.Failed+c.ResetConnections+c.Unprocessed == 0 {
					t.Errorf("seed %d: no fault was injected", seed)
				}
			}
		})
	}
}

// TestOneFailureIsOneError: what finally fails is an error on exactly the
// fields that needed it.
func TestOneFailureIsOneError(t *testing.T) {
	s := startShop(t)
	ada := demo.Ada().Encode()
	query := fmt.Sprintf(`{ user(id: %q) { name orders(first: 2) { nodes { id } } followers(first: 2) { edges { followedAt } } following(first: 2) { edges { followedAt } } } }`, ada)
	for _, tt := range []struct {
		name   string
		faults tabletest.Faults
		code   string
		// logged is what the log says of the cause.
		logged string
	}{
		{"throttled", tabletest.Faults{Throttled: 1}, "THROTTLED", "ProvisionedThroughputExceededException"},
		{"reset", tabletest.Faults{Reset: 1}, "UNAVAILABLE", "the endpoint is unavailable"},
		{"access denied", tabletest.Faults{ErrorCode: "AccessDeniedException"}, "INTERNAL_SERVER_ERROR", "AccessDeniedException"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.faults.Only = func(r tabletest.Request) bool { return strings.Contains(r.Text, "FOLLOWED_BY#") }
			s.Proxy.Inject(tt.faults)
			defer s.Proxy.Inject(tabletest.Faults{})
			s.log.take()
			a := s.ask(t, query, nil)
			if log := s.log.take(); !strings.Contains(log, tt.logged) || !strings.Contains(log, "path=user.followers") {
				t.Errorf("the log says %q, want the path and %q", log, tt.logged)
			}
			if len(a.Errors) != 1 || fmt.Sprint(a.Errors[0].Path) != "[user followers]" || a.Errors[0].Extensions.Code != tt.code {
				t.Fatalf("errors %+v, want one on user.followers with code %s", a.Errors, tt.code)
			}
			for _, path := range [][]any{{"name"}, {"orders", "nodes", 1, "id"}, {"following", "edges", 1, "followedAt"}} {
				if at(t, a.Data, append([]any{"user"}, path...)...) == nil {
					t.Errorf("user.%v has no answer: %v", path, a.Data)
				}
			}
			for _, secret := range []string{"partita", "dynamo", "DynamoDB", "127.0.0.1", "USER#"} {
				if strings.Contains(a.Errors[0].Message, secret) {
					t.Errorf("%q tells of %q", a.Errors[0].Message, secret)
				}
			}
		})
	}
}

// TestSlowRequest: a request that never answers costs its own fields only, and
// the operation ends at its deadline, and the request with it.
func TestSlowRequest(t *testing.T) {
	s := startShopWith(t, func(c *gateway.Config, _ *loaders.Options) { c.OperationTimeout = time.Second })
	hold := s.Proxy.Hold(func(r tabletest.Request) bool { return strings.Contains(r.Text, "FOLLOWED_BY#") })
	defer hold.Release()
	a := s.ask(t, fmt.Sprintf(`{ user(id: %q) { name followers(first: 2) { edges { followedAt } } } }`, demo.Ada().Encode()), nil)
	if len(a.Errors) != 1 || fmt.Sprint(a.Errors[0].Path) != "[user followers]" || a.Errors[0].Extensions.Code != "TIMEOUT" {
		t.Errorf("errors %+v, want a TIMEOUT on user.followers", a.Errors)
	}
	if at(t, a.Data, "user", "name") == nil {
		t.Errorf("the name has no answer: %v", a.Data)
	}
	select {
	case <-hold.Left():
	case <-time.After(20 * time.Second): // an attempt alone may take 30 s
		t.Error("the request goes on after its operation")
	}
}

// TestPageBeyondOneMegabyte: a Query ends at 1 MB; the page is still whole, and
// the log tells of items beyond their type's maxBytes.
func TestPageBeyondOneMegabyte(t *testing.T) {
	s := startShop(t)
	s.beyondDesign = true
	order := keys.NewID("Order", "01999ece-0000-7000-8000-000000000001")
	for line := range 90 {
		forms, err := typed.StoredItem(&model.Item{OrderID: order, UserID: demo.Ada(), Line: line + 1, Sku: "TEA-001", Name: "?", Quantity: 1, Price: &model.Money{Currency: "EUR"}})
		if err != nil {
			t.Fatal(err)
		}
		for _, it := range forms {
			for i := range it {
				if it[i].Name == "name" {
					it[i].Value.Text = strings.Repeat("x", 20_000)
				}
			}
		}
		s.Load(t, forms...)
	}
	s.log.take()
	a := s.must(t, `query($ids: [ID!]!) { nodes(ids: $ids) { ... on Item { name } } }`, map[string]any{"ids": []string{keys.NewID("Item", order.Value(), "1").Encode()}})
	if name := fmt.Sprint(at(t, a.Data, "nodes", 0, "name")); len(name) != 20_000 {
		t.Errorf("a name of %d bytes", len(name))
	}
	if log := s.log.take(); !strings.Contains(log, "larger than its type's maxBytes") || !strings.Contains(log, "type=Item") {
		t.Errorf("the log says %q, want the item's size", log)
	}
	a = s.must(t, `{ ordersByProduct(sku: "TEA-001", createdAt: {to: "0001-01-02T00:00:00Z"}, first: 100) { edges { line } pageInfo { hasNextPage } } }`, nil)
	edges, _ := at(t, a.Data, "ordersByProduct", "edges").([]any)
	if len(edges) != 90 || at(t, a.Data, "ordersByProduct", "pageInfo", "hasNextPage") != false {
		t.Errorf("%d edges, want 90 and no more", len(edges))
	}
	if cost := a.Extensions.Cost; cost.Requests != 2 {
		t.Errorf("%d requests, want 2: 1.8 MB are two pages", cost.Requests)
	}
}
