package resolvers_test

import (
	"strconv"
	"testing"
	"time"

	"github.com/partita/partita/graph"
	"github.com/partita/partita/internal/gateway"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/loaders"
	"github.com/partita/partita/resolvers"
	"github.com/partita/partita/resolvers/claim"
)

// TestSlowClock: an idempotency key is remembered for its lifetime, also if the clock of the gateway is two days slow.
// DynamoDB would delete a claim at once that has expired when it is written.
func TestSlowClock(t *testing.T) {
	clock := func() time.Time { return time.Now().Add(-48 * time.Hour) }
	s := startTable(t, func(c *gateway.Config, _ *loaders.Options) {
		c.Schema = graph.NewExecutableSchema(graph.Config{Resolvers: &resolvers.Resolver{Clock: clock}})
	})
	ada := s.newUser(t, "ada")
	before := time.Now().Truncate(time.Second)
	s.newOrder(t, ada, "key")
	after := time.Now()
	key := must(claim.OrderKey(keys.NewID("User", rawID(t, ada)), "key"))
	value, _ := s.content(t)[key].Get(keys.AttributeExpiry)
	seconds, err := strconv.ParseInt(value.Text, 10, 64)
	if err != nil || value.Kind != item.Number {
		t.Fatalf("the claim expires at %v", value)
	}
	begin := time.Unix(seconds, 0).Add(-claim.Orders.Lifetime)
	if begin.Before(before) || begin.After(after) {
		t.Errorf("the claim expires at %v, and was written at %v", time.Unix(seconds, 0), after)
	}
}
