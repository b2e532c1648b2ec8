package operation

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/synctest"
	"time"

	"github.com/partita/partita/internal/share"
	"github.com/partita/partita/viewer"
)

// TestCallerLeavesACPU: a caller who is alone may use all CPUs, and beside another one all but one.
func TestCallerLeavesACPU(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const cpus = 4
		pool := NewShares(Limits{}, cpus).cpus
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

// TestCallersOfTenants: viewers of two tenants are two callers, also with the same id.
func TestCallersOfTenants(t *testing.T) {
	r := httptest.NewRequest(http.MethodPost, "/graphql", nil)
	seen := map[share.Caller]bool{}
	for _, v := range []viewer.Viewer{
		{ID: "u1"}, {ID: "u1", Tenant: "acme"}, {ID: "u1", Tenant: "zeta"}, {ID: "u2", Tenant: "acme"},
	} {
		seen[CallerOf(v, r, nil)] = true
	}
	if len(seen) != 4 {
		t.Errorf("the callers are %v", seen)
	}
}
