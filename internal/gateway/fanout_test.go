package gateway_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/partita/partita/internal/gateway"
	"github.com/partita/partita/internal/gateway/operation"
	"github.com/partita/partita/internal/plan/price"
	"github.com/partita/partita/internal/testservice"
	"github.com/partita/partita/loaders"
	"github.com/partita/partita/viewer"
)

// fanOut is an operation that reads two partitions and answers them at 100 places under each alias: 4 objects each.
func fanOut(aliases int) (query string, variables map[string]any) {
	var fields strings.Builder
	for i := range aliases {
		fmt.Fprintf(&fields, " a%d: nodes(ids: $ids) { ... on Reader { recommendations(first: 2) { nodes { title } } } }", i)
	}
	ids := make([]string, 100)
	for i := range ids {
		ids[i] = testservice.Reader(1).Encode()
	}
	return "query($ids: [ID!]!) {" + fields.String() + " }", map[string]any{"ids": ids}
}

// TestFanOut: objects are limited and charged wherever they are in the answer, although equal Reads are sent once.
func TestFanOut(t *testing.T) {
	t.Parallel()
	service := testservice.Start(t, func(c *gateway.Config, o *loaders.Options) {
		c.Consumption.Budget = operation.Budget{Maximum: 1000, Restore: 1e-9}
		o.Limits, o.MaxAnonymousObjects = price.Limits{Objects: 10_000}, 2_000
	})
	service.EachExecutor(t, func(t *testing.T, s *testservice.Service) {
		for _, tt := range []struct {
			viewer          viewer.Viewer
			aliases, status int
			message         string
		}{
			{viewer.Viewer{}, 4, http.StatusOK, ""},
			{
				viewer.Viewer{}, 5, http.StatusUnprocessableEntity,
				"The answer may have up to 2001 objects; 2000 is the most that one may have. The most expensive field is " +
					"nodes.recommendations(first: 2) with up to 300. With first: 1 there it would pass.",
			},
			{testservice.Ada, 24, http.StatusOK, ""},
			{testservice.Ada, 49, http.StatusUnprocessableEntity, "The answer may have up to 19604 objects; 10000 is"},
		} {
			as := s.As(tt.viewer)
			query, variables := fanOut(tt.aliases)
			a := as.Ask(t, query, variables)
			message := ""
			if len(a.Errors) > 0 {
				message = a.Errors[0].Message
			}
			if a.Status != tt.status || !strings.HasPrefix(message, tt.message) {
				t.Fatalf("%d aliases as %q: got %d %q", tt.aliases, tt.viewer.ID, a.Status, message)
			}
		}
	})
}

// TestObjectsAreCharged: a budget pays for the answer, not only for the reads.
func TestObjectsAreCharged(t *testing.T) {
	t.Parallel()
	s := testservice.Start(t, func(c *gateway.Config, _ *loaders.Options) {
		c.Consumption.Budget = operation.Budget{Maximum: 100, Restore: 1e-9}
	})
	query, variables := fanOut(10)
	a := s.Must(t, query, variables)
	cost := a.Extensions.Cost
	if cost.Objects != 4001 || cost.EstimatedObjects != 4001 || cost.ReadUnits != 1.5 {
		t.Errorf("the cost is %+v", cost)
	}
	if left := cost.ThrottleStatus.CurrentlyAvailable; left != 58.5 {
		t.Errorf("%v units are left of 100, want 58.5: 1.5 to read, and 40 for 4,001 objects", left)
	}
	if a := s.Ask(t, query, variables); a.Status != http.StatusOK {
		t.Errorf("the second one got %d %s", a.Status, a.Body)
	}
	a = s.Ask(t, query, variables)
	if a.Status != http.StatusTooManyRequests || a.Errors[0].Extensions.Code != "RATE_LIMITED" {
		t.Errorf("the third one got %d %s", a.Status, a.Body)
	}
}
