package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"github.com/partita/partita/internal/sweep"
	"github.com/partita/partita/internal/table/local"
	"github.com/partita/partita/request"
	"github.com/partita/partita/table"
)

type sweepCommand struct {
	folderArgument
	Table  local.Settings `embed:""`
	Tenant string         `placeholder:"TENANT" help:"The tenant of the objects, in a table with tenants."`
}

// Run removes what is left of deleted objects. It prints its summary also when it is interrupted.
func (c *sweepCommand) Run(ctx context.Context, a *Application) error {
	return a.WithTable(ctx, c.Table, func(t *table.Table, log *slog.Logger) error {
		if _, err := a.followsSchema(ctx, t); err != nil {
			return err
		}
		totals, err := a.sweeper(t, log).Sweep(request.WithTenant(ctx, c.Tenant))
		_, printErr := fmt.Printf("removed: %s; %g read units, %g write units\n",
			totals, totals.ReadUnits, totals.WriteUnits)
		if _, damaged := errors.AsType[*sweep.DamageError](err); err != nil && !damaged {
			err = t.ExitError(err)
		}
		return errors.Join(err, printErr)
	})
}
