package table

import (
	"context"
	"testing"
	"testing/synctest"

	"github.com/partita/partita/keys"
	"github.com/partita/partita/write"
)

// TestTurns: who wants the same items gets them one after the other in the order
// of asking, whatever the order of the items, and who gives up stops nobody.
func TestTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, b := keys.Key{PK: "a", SK: "x"}, keys.Key{PK: "b", SK: "x"}
		var all turns
		if hot := all.hotAmong([]write.Action{{Key: a}}); hot != nil {
			t.Errorf("hot before anything: %v", hot)
		}
		release, err := all.take(t.Context(), []keys.Key{b, a})
		if err != nil {
			t.Fatal(err)
		}
		if hot := all.hotAmong([]write.Action{{Key: keys.Key{PK: "c"}}, {Key: b}}); len(hot) != 1 || hot[0] != b {
			t.Errorf("hot: %v, want %v", hot, b)
		}

		var order []int
		wait := func(ctx context.Context, i int, items ...keys.Key) {
			go func() {
				release, err := all.take(ctx, items)
				if err != nil {
					order = append(order, -i)
					return
				}
				order = append(order, i)
				release()
			}()
			synctest.Wait()
		}
		wait(t.Context(), 1, a, b)
		impatient, cancel := context.WithCancel(t.Context())
		wait(impatient, 2, a)
		wait(t.Context(), 3, b, a)
		cancel()
		synctest.Wait()
		release()
		synctest.Wait()
		if want := []int{-2, 1, 3}; len(order) != 3 || order[0] != want[0] || order[1] != want[1] || order[2] != want[2] {
			t.Errorf("got the order %v, want %v", order, want)
		}
		if len(all.hot) != 0 {
			t.Errorf("still hot: %v", all.hot)
		}
	})
}
