package loaders_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/partita/partita/gateway"
	"github.com/partita/partita/internal/testservice"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/loaders"
)

// TestReadUnitLimit: an operation that may cost too much is not executed, and the page sizes that its error proposes
// are within the limit.
func TestReadUnitLimit(t *testing.T) {
	t.Parallel()
	s := testservice.Start(t, func(_ *gateway.Config, o *loaders.Options) { o.MaxReadUnits = 100 })
	for _, tt := range []struct {
		name, query, message string
		// proposed replaces the page sizes by those of the message.
		proposed *strings.Replacer
	}{
		{
			"pages of pages",
			`{ reader(id: "Reader:r001") {
				recommendations(first: 100) { nodes { recommendedBy(last: 90) { nodes { name } } } }
			} }`,
			"The operation may take up to 4804 read units; 100 is the most that one may take. The most expensive field " +
				"is reader.recommendations(first: 100).nodes.recommendedBy(last: 90).nodes with up to 4500. " +
				"With first: 13 and last: 13 there it would pass.",
			strings.NewReplacer("first: 100", "first: 13", "last: 90", "last: 13"),
		},
		{
			"pages under aliases",
			`{ reader(id: "Reader:r001") {
				a: recommendations(first: 99) { nodes { title } }
				b: recommendations(first: 98) { nodes { title } }
				c: recommendations(first: 97) { nodes { title } }
			} }`,
			"The operation may take up to 158 read units; 100 is the most that one may take. The most expensive field " +
				"is reader.recommendations(first: 99).nodes with up to 49.5. With no page larger than 62 it would pass.",
			strings.NewReplacer("99", "62", "98", "61", "97", "60"),
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s.Proxy.Reset()
			a := s.Ask(t, tt.query, nil)
			if a.Status != http.StatusUnprocessableEntity || a.Data != nil || len(a.Errors) != 1 ||
				a.Errors[0].Extensions.Code != "COST_LIMIT" {
				t.Fatalf("status %d, errors %+v", a.Status, a.Errors)
			}
			if a.Errors[0].Message != tt.message {
				t.Errorf("message %q, want %q", a.Errors[0].Message, tt.message)
			}
			if n := s.Proxy.Counts().Total(); n != 0 || a.Extensions.Cost.EstimatedReadUnits <= 100 {
				t.Errorf("%d requests, cost %+v", n, a.Extensions.Cost)
			}
			if cost := s.Must(t, tt.proposed.Replace(tt.query), nil).Extensions.Cost; cost.EstimatedReadUnits > 100 {
				t.Errorf("as proposed: %+v", cost)
			}
		})
	}
	t.Run("no pages", func(t *testing.T) {
		all := make([]string, 200)
		for n := range all {
			all[n] = keys.NewID("Reader", fmt.Sprint(n)).Encode()
		}
		a := s.Ask(t, `query($a: [ID!]!, $b: [ID!]!, $c: [ID!]!) {
			a: nodes(ids: $a) { ... on Reader { name } }
			b: nodes(ids: $b) { ... on Reader { name } }
			c: nodes(ids: $c) { ... on Reader { name } }
		}`, map[string]any{"a": all[:80], "b": all[80:160], "c": all[100:180]})
		want := "Ask for less at once: split it into several operations."
		if len(a.Errors) != 1 || !strings.HasSuffix(a.Errors[0].Message, want) {
			t.Errorf("errors %+v, want one that ends %q", a.Errors, want)
		}
	})
}
