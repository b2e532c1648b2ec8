package table_test

import (
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"golang.org/x/sync/errgroup"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/request"
)

// TestReadsAtTheLimit: reads of a partition key that is asked for more than it can take are sent as fast as it takes
// them: all are answered, and few are throttled.
func TestReadsAtTheLimit(t *testing.T) {
	t.Parallel()
	e := tabletest.Start(t, schema)
	e.Load(t, tabletest.Stored("A", "1", "text", strings.Repeat("x", 7<<10))) // 2 units, and nobody knows before
	e.Table.LimitReads(300)
	e.Proxy.Limit(tabletest.Limits{ReadUnits: 200, Contended: true})
	read := func(wanted int64) tabletest.Counts {
		var answered atomic.Int64
		var group errgroup.Group
		for range 20 {
			group.Go(func() error {
				for answered.Load() < wanted {
					r := request.GetItem{Key: keys.Key{PK: "A", SK: "1"}, Consistent: true}
					if got, err := e.Table.GetItem(t.Context(), r); err != nil || len(got.Items) != 1 {
						return fmt.Errorf("got %d items, %w", len(got.Items), err)
					}
					answered.Add(1)
				}
				return nil
			})
		}
		fatal.If(t, group.Wait())
		return e.Proxy.Drain()
	}
	read(200) // what the key had left, and until the limit is found
	if n := read(100); n.Throttled*4 > n.Requests["GetItem"] {
		t.Errorf("%d of %d reads were throttled", n.Throttled, n.Requests["GetItem"])
	}
}
