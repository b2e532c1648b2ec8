package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"sync"

	"github.com/partita/partita/gateway"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/resolvers/deletion"
	"github.com/partita/partita/table"
)

// sweepCommand is `partita table sweep`.
type sweepCommand struct {
	Table table.Settings `embed:""`
}

// Run removes what is left of deleted users. Its summary is true also when it is
// interrupted.
func (c *sweepCommand) Run(ctx context.Context) error {
	log, err := gateway.NewLogger(os.Stderr, "text")
	if err != nil {
		return err
	}
	return withVerified(ctx, c.Table, func(t *table.Table) error {
		totals, err := (&deletion.Sweeper{Source: t, Log: log}).Sweep(ctx)
		_, printErr := fmt.Printf("%d users, %d orders and %d follows removed; %g read units, %g write units\n",
			totals.Users, totals.Orders, totals.Edges, totals.ReadUnits, totals.WriteUnits)
		if _, damaged := errors.AsType[*deletion.DamageError](err); err != nil && !damaged {
			err = t.StartError(err)
		}
		return errors.Join(err, printErr)
	})
}

// startSweeps sweeps beside the gateway until stop, which waits for the step on its
// way. deleted tells it of a user; it is nil when the sweep is turned off.
func (c *serveCommand) startSweeps(ctx context.Context, t *table.Table, log *slog.Logger) (deleted func(keys.ID), stop func()) {
	if c.SweepInterval == 0 {
		return nil, func() {}
	}
	worker := deletion.NewWorker(&deletion.Sweeper{Source: t, Log: log}, c.SweepInterval)
	ctx, cancel := context.WithCancel(ctx)
	var running sync.WaitGroup
	running.Go(func() { worker.Run(ctx) })
	return worker.Wake, func() {
		cancel()
		running.Wait()
	}
}
