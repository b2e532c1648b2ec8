package follow_test

import (
	"fmt"
	"testing"

	"github.com/partita/partita/internal/migrate"
	"github.com/partita/partita/internal/migratetest"
	"github.com/partita/partita/write"
)

// tagSchema has tags, which are created once for each idempotency key.
const tagSchema = `
type Query { tag(id: ID!): Tag @get(pk: "TAG#{id}", sk: "TAG") }
type Tag implements Node @item(pk: "TAG#{id}", sk: "TAG", maxBytes: 1024) @mutable(create: ["PUBLIC"]) {
  id: ID!
  name: String! @unique
}
`

// TestRequestsGettingTenants: what a creation costs while a table gets tenants, and what is estimated. In each state a
// retry with the same idempotency key creates nothing.
func TestRequestsGettingTenants(t *testing.T) {
	t.Parallel()
	from := migratetest.Version(t, tagSchema)
	p := migratetest.Pair{From: from, To: from.With(migrate.Tenancy{Kind: migrate.OfFirst, First: "acme"})}
	for _, state := range []migrate.State{migrate.Filling, migrate.Switched} {
		e := p.StartBehindProxy(t)
		o := migratetest.Operation{Name: "createTag", In: write.Input{Set: text("name", "x"), IdempotencyKey: "k"}}
		for _, tt := range []struct {
			state migrate.State
			want  string
		}{
			{state, "5 of 7 read, 12 of 16 written"},
			{migrate.Filling, "7 of 7 read, 0 of 16 written"},
			{migrate.Switched, "7 of 7 read, 0 of 16 written"},
		} {
			w := p.Writer(e, tt.state)
			e.Proxy.Reset()
			if rejected, err := o.By(t, w); err != nil || rejected != "" {
				t.Fatal(tt.state, rejected, err)
			}
			c, most := e.Proxy.Counts(), mostOf(w, o)
			got := fmt.Sprintf("%v of %v read, %v of %d written", c.ReadUnits, most.ReadUnits, c.WriteUnits, most.Units())
			if got != tt.want {
				t.Errorf("%s: %s, want %s", tt.state, got, tt.want)
			}
		}
	}
}
