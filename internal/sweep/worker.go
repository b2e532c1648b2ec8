package sweep

import (
	"context"
	"log/slog"
	"slices"
	"time"

	"github.com/partita/partita/request"
)

// Worker sweeps beside a gateway.
type Worker struct {
	sweeper  *Sweeper
	interval time.Duration
	// tenants are those whose objects are known to have been deleted, and "" in a table without tenants.
	tenants []string
	woken   chan string
}

// maxWaiting is how many deletions wait for a Worker that is busy. What is beyond that is found in the list later.
const maxWaiting = 100

// NewWorker makes a Worker that goes through the list each interval, which must be positive. In a table with tenants it
// does so for those of which Wake reports something: which others there are is not known.
func NewWorker(s *Sweeper, interval time.Duration, hasTenants bool) *Worker {
	w := &Worker{sweeper: s, interval: interval, woken: make(chan string, maxWaiting)}
	if !hasTenants {
		w.tenants = []string{""}
	}
	return w
}

// Wake reports that the operation of a context has deleted an object. It never waits.
func (w *Worker) Wake(ctx context.Context) {
	select {
	case w.woken <- request.TenantOf(ctx):
	default:
	}
}

// Run sweeps at once, when Wake reports something, and each interval, until the context ends; a step on its way is
// finished then. What fails is tried again the next time.
func (w *Worker) Run(ctx context.Context) {
	ticker := time.NewTicker(w.interval)
	defer ticker.Stop()
	w.sweep(ctx, w.tenants...)
	for {
		select {
		case <-ctx.Done():
			return
		case tenant := <-w.woken:
			if !slices.Contains(w.tenants, tenant) {
				w.tenants = append(w.tenants, tenant)
			}
			w.sweep(ctx, tenant)
		case <-ticker.C:
			w.sweep(ctx, w.tenants...)
		}
	}
}

// sweep logs what the Sweeper itself has not: that the table does not answer.
func (w *Worker) sweep(ctx context.Context, tenants ...string) {
	for _, tenant := range tenants {
		_, err := w.sweeper.Sweep(request.WithTenant(ctx, tenant))
		if err == nil || ctx.Err() != nil || isDamage(err) {
			continue
		}
		w.sweeper.Log.LogAttrs(ctx, slog.LevelWarn, "the sweep of deleted objects was interrupted and goes on later",
			slog.String("error", err.Error()))
	}
}
