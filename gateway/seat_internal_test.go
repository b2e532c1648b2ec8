package gateway

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/partita/partita/share"
)

// TestCallerLeavesACPU: a caller who is alone may use all CPUs, and beside another one all but one.
func TestCallerLeavesACPU(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const cpus = 4
		pool := newShares(Limits{}, cpus).cpus
		ctx, cancel := context.WithDeadline(t.Context(), time.Now())
		defer cancel()
		turns := func(c share.Caller) (n int) {
			for pool.Acquire(ctx, c) == nil {
				n++
			}
			for range n {
				pool.Release(c)
			}
			return n
		}
		eve := share.Caller{Viewer: "eve"}
		if n := turns(eve); n < cpus {
			t.Errorf("a caller who is alone has %d turns on %d CPUs", n, cpus)
		}
		turns(share.Caller{Viewer: "ada"})
		if n := turns(eve); n != cpus-1 {
			t.Errorf("beside another one, a caller has %d turns on %d CPUs", n, cpus)
		}
	})
}
