package crowd

import (
	"errors"
	"maps"
	"os"
	"slices"
	"testing"

	"github.com/partita/partita/internal/crowdtest"
	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/processtest"
	"github.com/partita/partita/internal/tabletest"
)

// TestKilledBeforeTheAnswer: if a gateway writes an order and is killed before it answers, the same request through
// another gateway returns that order.
func TestKilledBeforeTheAnswer(t *testing.T) {
	t.Parallel()
	for name, after := range map[string]tabletest.Faults{
		"at once": {},
		// DynamoDB remembers a token for ten minutes, the table a key for a day.
		"later": {NewTokens: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := tabletest.Start(t, tableSchema())
			endpoint := "DYNAMODB_ENDPOINT=" + e.Proxy.URL()
			p := processtest.Start(t, endpoint)
			s := crowdtest.NewService()
			s.Up(p.URL)
			crowd, err := newCrowd(t.Context(), s, 1)
			fatal.If(t, err)
			w := crowd.writers[0]
			w.own = w.users[0]

			// The answer to the first request is lost, and the second waits.
			writes := processtest.IsOperation("TransactWriteItems")
			e.Proxy.Reset()
			e.Proxy.Inject(tabletest.Faults{Lost: 1, Only: writes})
			second := e.Proxy.Hold(func(r tabletest.Request) bool {
				return writes(r) && e.Proxy.Counts().Requests["TransactWriteItems"] > 1
			})
			unanswered := make(chan error, 1)
			go func() {
				unanswered <- w.Attempt(t.Context(), mutation(sendPlaceOrder, w.order("key", 2)), &payload{})
			}()
			<-second.Arrived()
			p.Signal(t, os.Kill)
			p.WantExit(t, "signal: killed", "")
			var lost *crowdtest.LostError
			if err := <-unanswered; !errors.As(err, &lost) {
				t.Fatalf("the caller got %v", err)
			}
			second.Release()
			e.Proxy.Inject(after)
			written := readContents(t, processtest.Export(t, endpoint)).Orders
			if len(written) != 1 {
				t.Fatalf("the table has %v, want the one order", written)
			}
			first := slices.Collect(maps.Keys(written))[0]

			p = processtest.Start(t, endpoint)
			s.Down()
			s.Up(p.URL)
			for range 2 {
				r := w.mustSend(t, w.order("key", 2))
				if r.codes() != "" || raw(t, r.Order.ID) != first {
					t.Errorf("the key gave %+v, want the order %s", r, first)
				}
				if r = w.mustSend(t, w.order("key", 3)); r.codes() != "KEY_REUSED" || r.Order.ID != "" {
					t.Errorf("another order under the key gave %+v", r)
				}
			}
			w.orders["key"] = &purchase{id: w.mustSend(t, w.order("key", 2)).Order.ID, status: "PENDING", lines: 2,
				version: 1}
			crowd.check(t, processtest.Export(t, endpoint))
		})
	}
}

func (w *writer) mustSend(t *testing.T, in input) (p payload) {
	t.Helper()
	fatal.If(t, w.Attempt(t.Context(), mutation(sendPlaceOrder, in), &p))
	return p
}
