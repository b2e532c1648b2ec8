package deletion

import (
	"context"
	"log/slog"
	"time"

	"github.com/partita/partita/keys"
)

// Worker sweeps beside a gateway.
type Worker struct {
	sweeper  *Sweeper
	interval time.Duration
	woken    chan keys.ID
}

// maxWaiting is how many deletions wait for a Worker that is busy. Those beyond
// are found in the table at its next round.
const maxWaiting = 100

// NewWorker makes a Worker that goes through the table each interval, which must
// be positive.
func NewWorker(s *Sweeper, interval time.Duration) *Worker {
	return &Worker{sweeper: s, interval: interval, woken: make(chan keys.ID, maxWaiting)}
}

// Wake reports a user who has just been deleted. It never waits.
func (w *Worker) Wake(user keys.ID) {
	select {
	case w.woken <- user:
	default:
	}
}

// Run sweeps at once, for each user that Wake reports, and each interval, until the
// context ends; a step on its way is finished then. What fails is tried again the
// next time.
func (w *Worker) Run(ctx context.Context) {
	ticker := time.NewTicker(w.interval)
	defer ticker.Stop()
	_, err := w.sweeper.Sweep(ctx)
	for {
		w.report(ctx, err)
		select {
		case <-ctx.Done():
			return
		case user := <-w.woken:
			_, err = w.sweeper.SweepUser(ctx, user)
		case <-ticker.C:
			_, err = w.sweeper.Sweep(ctx)
		}
	}
}

// report logs what the sweep itself has not: that the table does not answer.
func (w *Worker) report(ctx context.Context, err error) {
	if err == nil || ctx.Err() != nil || isDamage(err) {
		return
	}
	w.sweeper.Log.LogAttrs(ctx, slog.LevelWarn, "the sweep of deleted users was interrupted and goes on later",
		slog.String("error", err.Error()))
}
