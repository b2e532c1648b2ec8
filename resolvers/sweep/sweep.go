// Package sweep runs the shop's sweep of deleted users: beside the gateway, and as the command `partita table sweep`.
package sweep

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/partita/partita/app"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/request"
	"github.com/partita/partita/resolvers/deletion"
	"github.com/partita/partita/table"
)

// Background sweeps beside the gateway. It implements [app.Background].
type Background struct {
	SweepInterval time.Duration `env:"SWEEP_INTERVAL" default:"1m" range:"0s..24h" help:"How often to look for deleted users who are not removed yet; 0 leaves that to partita table sweep."`

	worker atomic.Pointer[deletion.Worker]
}

// Start implements [app.Background].
func (b *Background) Start(ctx context.Context, t *table.Table, log *slog.Logger) (stop func()) {
	if b.SweepInterval == 0 {
		return func() {}
	}
	if t.Schema().Tenants { // which ones there are is not known
		log.WarnContext(ctx, "deleted users are not removed beside the gateway: run table sweep --tenant for each tenant")
		return func() {}
	}
	worker := deletion.NewWorker(&deletion.Sweeper{Source: t, Log: log}, b.SweepInterval)
	b.worker.Store(worker)
	ctx, cancel := context.WithCancel(ctx)
	var running sync.WaitGroup
	running.Go(func() { worker.Run(ctx) })
	return func() {
		cancel()
		running.Wait()
	}
}

// Wake starts the removal of a user who has just been deleted. It does nothing if no sweep is running.
func (b *Background) Wake(user keys.ID) {
	if worker := b.worker.Load(); worker != nil {
		worker.Wake(user)
	}
}

// Commands are the shop's commands of `partita table`.
type Commands struct {
	Sweep command `cmd:"" help:"Remove what is left of deleted users, as serve does beside its work."`
}

type command struct {
	Table  app.TableSettings `embed:""`
	Tenant string            `placeholder:"TENANT" help:"The tenant of the users, in a table with tenants."`
}

// Run removes what is left of deleted users. It prints its summary also when it is interrupted.
func (c *command) Run(ctx context.Context, a *app.Application) error {
	return a.WithTable(ctx, c.Table, func(t *table.Table, log *slog.Logger) error {
		ctx := request.WithTenant(ctx, c.Tenant)
		totals, err := (&deletion.Sweeper{Source: t, Log: log}).Sweep(ctx)
		_, printErr := fmt.Printf("%d users, %d orders and %d follows removed; %g read units, %g write units\n",
			totals.Users, totals.Orders, totals.Edges, totals.ReadUnits, totals.WriteUnits)
		if _, damaged := errors.AsType[*deletion.DamageError](err); err != nil && !damaged {
			err = t.ExitError(err)
		}
		return errors.Join(err, printErr)
	})
}
