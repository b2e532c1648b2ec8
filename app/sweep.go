package app

import (
	"context"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/partita/partita/internal/sweep"
	"github.com/partita/partita/table"
)

// sweeping is the sweep beside a gateway, with its settings.
type sweeping struct {
	SweepInterval time.Duration `env:"SWEEP_INTERVAL" default:"1m" range:"0s..24h" help:"How often to look for deleted objects of which something is left; 0 leaves that to partita table sweep."`

	worker atomic.Pointer[sweep.Worker]
}

// wake reports that the operation of a context has deleted an object and left what is below it.
func (s *sweeping) wake(ctx context.Context) {
	if w := s.worker.Load(); w != nil {
		w.Wake(ctx)
	}
}

// start sweeps the table by the design of an application. The function that it returns ends this; a step on its way is
// finished then.
func (s *sweeping) start(ctx context.Context, a *Application, t *table.Table, log *slog.Logger) (stop func()) {
	if s.SweepInterval == 0 || !a.Design.HasBelow() {
		return func() {}
	}
	worker := sweep.NewWorker(a.sweeper(t, log), s.SweepInterval, t.Schema().Tenants)
	s.worker.Store(worker)
	ctx, cancel := context.WithCancel(ctx)
	var running sync.WaitGroup
	running.Go(func() { worker.Run(ctx) })
	return func() {
		s.worker.Store(nil)
		cancel()
		running.Wait()
	}
}

func (a *Application) sweeper(t *table.Table, log *slog.Logger) *sweep.Sweeper {
	return &sweep.Sweeper{Design: a.Design, Source: t, Log: log}
}
