package app

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"

	"github.com/partita/partita/exit"
	"github.com/partita/partita/internal/folder"
	"github.com/partita/partita/internal/gateway/logging"
	"github.com/partita/partita/internal/migrate/record"
	"github.com/partita/partita/internal/table/admin"
	"github.com/partita/partita/internal/table/local"
	"github.com/partita/partita/item"
	"github.com/partita/partita/table"
)

// misfit adds to the error for a table that does not fit the schema what to do about one of the local engine.
func misfit(err error, isLocal bool) error {
	if e, is := errors.AsType[*exit.Error](err); is && isLocal && e.Code == exit.Config {
		changed := *e
		changed.Fix = "start again with --reset, which makes a new table with the first data"
		return &changed
	}
	return err
}

// withTable runs an operator's command on the table, which need not exist.
func (a *Application) withTable(
	ctx context.Context, s local.Settings, command func(*table.Table, *slog.Logger) error,
) error {
	log, err := logging.New(os.Stderr, "text")
	if err != nil {
		return err
	}
	t, err := local.Open(ctx, a.tableSettings(s), a.tableSchema(), log)
	if err != nil {
		return err
	}
	return errors.Join(command(t.Table, log), t.Close())
}

// TableSettings are the settings of a command on the table: a field of its struct with the tag `embed:""`.
type TableSettings = local.Settings

// WithTable runs an operator's command on the table, which must exist and fit the schema. The logger writes to standard
// error.
func (a *Application) WithTable(
	ctx context.Context, s TableSettings, command func(*table.Table, *slog.Logger) error,
) error {
	return a.withTable(ctx, s, func(t *table.Table, log *slog.Logger) error {
		if err := admin.Verify(ctx, t); err != nil {
			return err
		}
		return command(t, log)
	})
}

// openTable opens the table that is served, which must exist and fit the schema. It also returns the table's id.
func (a *Application) openTable(
	ctx context.Context, s local.Settings, log *slog.Logger,
) (t *local.Table, id string, err error) {
	t, err = local.Open(ctx, a.tableSettings(s), a.tableSchema(), log)
	if err != nil {
		return nil, "", err
	}
	facts, err := admin.Describe(ctx, t.Table)
	if err != nil && (facts.ID == "" || !hasRecord(ctx, t.Table)) {
		return nil, "", errors.Join(misfit(err, s.Local(ctx)), t.Close())
	}
	if err := a.checkFacts(ctx, t.Name(), facts, log); err != nil {
		return nil, "", errors.Join(err, t.Close())
	}
	if t.Settings().IsCompatible() && len(a.Design.Mutations) > 0 {
		if err := admin.CheckMutations(ctx, t.Table); err != nil {
			return nil, "", errors.Join(err, t.Close())
		}
	}
	if t.IsNew() {
		if err := a.putRecord(ctx, t.Table); err != nil {
			return nil, "", errors.Join(t.ExitError(err), t.Close())
		}
	}
	return t, facts.ID, nil
}

// hasRecord reports whether a table has a record of its design, which then says what it must fit.
func hasRecord(ctx context.Context, t *table.Table) bool {
	r, err := record.Open(t).Get(ctx)
	return err == nil && r.Revision != 0
}

// tableSettings adds what the application knows of its table.
func (a *Application) tableSettings(s local.Settings) local.Settings {
	s.CreateCommand = a.command("table create")
	if a.folder != nil && s.DataDir == "" {
		s.DataDir = filepath.Join(a.folder.Dir, folder.DataDir)
	}
	return s
}

// seeded adds the items of a new table of the local engine.
func (a *Application) seeded(s local.Settings) local.Settings {
	s.Seed = a.Demo.seed
	if a.folder != nil {
		s.SeedFile = a.folder.Data
	}
	return s
}

// seed yields the items of a new table of the local engine: none if there are no demo data.
func (d Demo) seed(yield func(item.Item) bool) {
	if d.Items != nil {
		d.Items(yield)
	}
}
