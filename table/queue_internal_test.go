package table

import (
	"context"
	"testing"
	"testing/synctest"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/write"
)

// TestQueues checks that transactions on the same items pass the queues one after the other, in the
// order of their arrival and whatever the order of their items. One whose context ends does not
// stop the others.
func TestQueues(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, b := keys.Key{PK: "a", SK: "x"}, keys.Key{PK: "b", SK: "x"}
		var all queues
		if found := all.existing([]write.Action{{Key: a}}); found != nil {
			t.Errorf("queues before anything: %v", found)
		}
		release, err := all.wait(t.Context(), []keys.Key{b, a})
		fatal.If(t, err)
		if found := all.existing([]write.Action{{Key: keys.Key{PK: "c"}}, {Key: b}}); len(found) != 1 || found[0] != b {
			t.Errorf("queues of %v, want %v", found, b)
		}

		var order []int
		wait := func(ctx context.Context, i int, items ...keys.Key) {
			go func() {
				release, err := all.wait(ctx, items)
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
		if len(all.byKey) != 0 {
			t.Errorf("queues are left: %v", all.byKey)
		}
	})
}
