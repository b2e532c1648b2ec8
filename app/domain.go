package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"time"

	"github.com/partita/partita/gateway/logging"
	"github.com/partita/partita/resolvers"
	"github.com/partita/partita/resolvers/deletion"
	"github.com/partita/partita/table"
)

// This file is what the program knows of the shop in particular, beside package
// demo: another schema has other settings and commands here, or none.

// domainSettings are those of what runs beside the gateway.
type domainSettings struct {
	SweepInterval time.Duration `env:"SWEEP_INTERVAL" default:"1m" help:"How often to look for deleted users who are not removed yet; 0 leaves that to partita table sweep."`
}

// Validate refuses an interval that is none.
func (s domainSettings) Validate() error {
	if s.SweepInterval < 0 {
		return fmt.Errorf("--sweep-interval must not be negative, not %v", s.SweepInterval)
	}
	return nil
}

// start begins what runs beside the gateway, until stop, which waits for what is on
// its way, and makes the resolvers. Deleted users are swept.
func (s domainSettings) start(ctx context.Context, t *table.Table, log *slog.Logger) (r *resolvers.Resolver, stop func()) {
	if s.SweepInterval == 0 {
		return s.resolver(), func() {}
	}
	worker := deletion.NewWorker(&deletion.Sweeper{Source: t, Log: log}, s.SweepInterval)
	ctx, cancel := context.WithCancel(ctx)
	var running sync.WaitGroup
	running.Go(func() { worker.Run(ctx) })
	return &resolvers.Resolver{Deleted: worker.Wake}, func() {
		cancel()
		running.Wait()
	}
}

// resolver is for a gateway that nothing runs beside.
func (domainSettings) resolver() *resolvers.Resolver { return &resolvers.Resolver{} }

// domainTableCommands are further ones of `partita table`.
type domainTableCommands struct {
	Sweep sweepCommand `cmd:"" help:"Remove what is left of deleted users, as serve does beside its work."`
}

// sweepCommand is `partita table sweep`.
type sweepCommand struct {
	Table table.Settings `embed:""`
}

// Run removes what is left of deleted users. Its summary is true also when it is
// interrupted.
func (c *sweepCommand) Run(ctx context.Context) error {
	log, err := logging.New(os.Stderr, "text")
	if err != nil {
		return err
	}
	return withVerified(ctx, c.Table, func(t *table.Table) error {
		totals, err := (&deletion.Sweeper{Source: t, Log: log}).Sweep(ctx)
		_, printErr := fmt.Printf("%d users, %d orders and %d follows removed; %g read units, %g write units\n",
			totals.Users, totals.Orders, totals.Edges, totals.ReadUnits, totals.WriteUnits)
		if _, damaged := errors.AsType[*deletion.DamageError](err); err != nil && !damaged {
			err = t.ExitError(err)
		}
		return errors.Join(err, printErr)
	})
}
