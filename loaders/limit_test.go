//go:build ignore

package resolvers_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/partita/partita/demo"
	"github.com/partita/partita/gateway"
	"github.com/partita/partita/loaders"
)

// TestReadUnitLimit: what may cost too much is not executed, and the caller is told
// what would be.
func TestReadUnitLimit(t *testing.T) {
	s := startShopWith(t, func(_ *gateway.Config, o *loaders.Options) { o.MaxReadUnits = 100 })
	for _, tt := range []struct {
		name, query, message string
		// passes is the query with what the message proposes.
		passes *strings.Replacer
	}{
		{
			"pages of pages",
			`query($id: ID!) { user(id: $id) { orders(first: 100) { nodes { items(last: 90) { nodes { sku } } } } } }`,
			"The operation may take up to 1163.5 read units; 100 is the most that one may take. The most expensive field is " +
				"user.orders(first: 100).items(last: 90) with up to 1150. With first: 27 and last: 27 there it would pass.",
			strings.NewReplacer("first: 100", "first: 27", "last: 90", "last: 27"),
		},
		{
			"pages under aliases",
			`query($id: ID!) { user(id: $id) { a: followers(first: 99) { nodes { name } } b: followers(first: 98) { nodes { name } } c: followers(first: 97) { nodes { name } } } }`,
			"The operation may take up to 167 read units; 100 is the most that one may take. The most expensive field is " +
				"user.followers(first: 99).nodes with up to 49.5. With no page larger than 58 it would pass.",
			strings.NewReplacer("99", "58", "98", "57", "97", "56"),
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			id := map[string]any{"id": demo.Ada().Encode()}
			s.Proxy.Reset()
			a := s.ask(t, tt.query, id)
			if a.status != http.StatusUnprocessableEntity || a.Data != nil || len(a.Errors) != 1 || a.Errors[0].Extensions.Code != "COST_LIMIT" {
				t.Fatalf("status %d, errors %+v", a.status, a.Errors)
			}
			if a.Errors[0].Message != tt.message {
				t.Errorf("message %q, want %q", a.Errors[0].Message, tt.message)
			}
			if n := s.Proxy.Counts().Total(); n != 0 || a.Extensions.Cost.EstimatedReadUnits <= 100 {
				t.Errorf("%d requests, cost %+v", n, a.Extensions.Cost)
			}
			if cost := s.must(t, tt.passes.Replace(tt.query), id).Extensions.Cost; cost.EstimatedReadUnits > 100 {
				t.Errorf("as proposed: %+v", cost)
			}
		})
	}
	t.Run("no pages", func(t *testing.T) {
		all := ids("User", 200)
		a := s.ask(t, `query($a: [ID!]!, $b: [ID!]!, $c: [ID!]!) { a: nodes(ids: $a) { ... on User { name } } b: nodes(ids: $b) { ... on User { name } } c: nodes(ids: $c) { ... on User { name } } }`,
			map[string]any{"a": all[:80], "b": all[80:160], "c": all[100:180]})
		want := "Ask for less at once: split it into several operations."
		if len(a.Errors) != 1 || !strings.HasSuffix(a.Errors[0].Message, want) {
			t.Errorf("errors %+v, want one that ends %q", a.Errors, want)
		}
	})
}
