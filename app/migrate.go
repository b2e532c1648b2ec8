package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"time"

	"github.com/partita/partita/exit"
	"github.com/partita/partita/internal/gen/directives"
	"github.com/partita/partita/internal/live/stream"
	"github.com/partita/partita/internal/migrate"
	"github.com/partita/partita/internal/migrate/record"
	"github.com/partita/partita/internal/migrate/run"
	"github.com/partita/partita/internal/table/local"
	"github.com/partita/partita/table"
)

// migrateCommands are `partita migrate ...`.
type migrateCommands struct {
	Plan   migratePlanCommand   `cmd:"" help:"Print what takes the table to the design of the schema: steps, items, units, time. Changes nothing."`
	Run    migrateRunCommand    `cmd:"" help:"Take the table to the design of the schema while it is served, until reads have switched. Can be interrupted and run again."`
	Status migrateStatusCommand `cmd:"" help:"Print which design the table follows and how far a migration is, and change its rate."`
	Finish migrateFinishCommand `cmd:"" help:"Remove what only the former design needs. Cannot be undone."`
	Undo   migrateUndoCommand   `cmd:"" help:"Go back to the former design. Possible until finish."`
}

// migrationSettings are those of all commands of a migration.
type migrationSettings struct {
	folderArgument
	Table  local.Settings `embed:""`
	Format string         `enum:"text,json" default:"text" help:"Format of the output: text or json."`
}

// with runs a command on the table, with its record, which has Revision 0 if there is none.
func (s *migrationSettings) with(ctx context.Context, a *Application,
	command func(*table.Table, *slog.Logger, *record.Store, migrate.Record) error,
) error {
	return a.withTable(ctx, s.Table, func(t *table.Table, log *slog.Logger) error {
		store := record.Open(t)
		r, err := store.Get(ctx)
		if err != nil {
			return recordError(t, err)
		}
		return command(t, log, store, r)
	})
}

func recordError(t *table.Table, err error) error {
	if errors.Is(err, record.ErrLater) {
		return &exit.Error{Problem: err.Error(), Fix: "use that version", Code: exit.Config, Err: err}
	}
	return t.ExitError(err)
}

// version returns the schema of the application with its design.
func (a *Application) version() (migrate.Version, error) {
	if a.folder != nil {
		return migrate.NewVersion(a.folder.Schema), nil
	}
	schema, err := directives.Read(a.Schema.Schema())
	if err != nil {
		return migrate.Version{}, err
	}
	schema.Design = a.Design
	return migrate.NewVersion(schema), nil
}

// versions returns the version that the data follow, and the application's own. hasTenants is set if the settings say
// that the table has tenants.
func (a *Application) versions(r migrate.Record, hasTenants bool) (from, to migrate.Version, err error) {
	if from, err = migrate.ParseVersion(r.From); err != nil {
		return from, to, err
	}
	if to, err = a.version(); err != nil {
		return from, to, err
	}
	said, err := tenancyOfOwn(r, from, hasTenants)
	return from, to.With(said), err
}

// print writes a value as JSON, or its text.
func (s *migrationSettings) print(v any, text string) error {
	if s.Format == "json" {
		out := json.NewEncoder(os.Stdout)
		out.SetIndent("", "  ")
		out.SetEscapeHTML(false)
		return out.Encode(v)
	}
	_, err := fmt.Println(strings.TrimRight(text, "\n"))
	return err
}

// carryingOut are the settings of the commands that carry out a migration.
type carryingOut struct {
	migrationSettings
	UnitsPerSecond float64 `placeholder:"N" range:"0..1e9" help:"Use at most N read and write units a second, on average; 0 for no limit. See also status."`
	Parallel       int     `default:"16" range:"1..256" help:"How many objects are written at a time."`
	// quiet is that of finish.
	quiet time.Duration
}

// options returns those of the migrator, which shows how far it is.
func (c *carryingOut) options(ctx context.Context, a *Application, r *progressReport) run.Options {
	host, err := os.Hostname()
	if err != nil {
		host = "unknown host"
	}
	settings := a.Stream
	if c.Table.Local(ctx) {
		settings = streamHere
	}
	return run.Options{
		Name: fmt.Sprintf("process %d on %s", os.Getpid(), host), UnitsPerSecond: c.UnitsPerSecond, Parallel: c.Parallel,
		Quiet: c.quiet, Stream: settings,
		Log: r.log, Report: func(p run.Progress) { r.report(ctx, p) },
	}
}

// migrator runs a command with the right to carry out the migration.
func (c *carryingOut) migrator(
	ctx context.Context, a *Application, t *table.Table, log *slog.Logger, command func(*run.Migrator) error,
) error {
	shown, err := newProgressReport(os.Stderr, log)
	if err != nil {
		return err
	}
	defer shown.end()
	m, err := run.Open(ctx, t, c.options(ctx, a, shown))
	if held, is := errors.AsType[*record.HeldError](err); is {
		return &exit.Error{
			Problem: held.Error(), Fix: "wait for it, or see " + a.command("migrate status"), Code: exit.TryAgain, Err: err,
		}
	}
	if err != nil {
		return t.ExitError(err)
	}
	err = command(m)
	if blocked, is := errors.AsType[*run.BlockedError](err); is {
		err = errors.Join(err, c.print(blocked.Objects, blocked.Error()))
	}
	err = errors.Join(err, m.Close(ctx))
	switch {
	case errors.Is(err, context.Canceled):
		return &stoppedError{advice: "run the same command again to go on from here, from any machine", err: err}
	case err != nil:
		return a.migrationError(t, err)
	}
	return nil
}

// migrationError returns an error that says what to do.
func (a *Application) migrationError(t *table.Table, err error) error {
	var blocked *run.BlockedError
	var others *run.OthersError
	var unregistered *stream.Unregistered
	switch {
	case errors.As(err, &unregistered):
		return &exit.Error{
			Problem: unregistered.Error(),
			Fix:     fmt.Sprintf("replace all gateways by this version, and run %q again", a.command("migrate run")),
			Code:    exit.Config, Err: err,
		}
	case errors.As(err, &others):
		return &exit.Error{
			Problem: others.Error(),
			Fix: fmt.Sprintf("let it write the new items or stop it, and run %q again; %q follows it until then",
				a.command("migrate finish"), a.command("migrate run")+" --follow"),
			Code: exit.TryAgain, Err: err,
		}
	case errors.As(err, &blocked):
		return &exit.Error{
			Problem: count(len(blocked.Objects), "object stops the migration", "objects stop the migration"),
			Fix: fmt.Sprintf("correct them, or change the schema, and run %q again; %q goes back", a.command("migrate run"),
				a.command("migrate undo")),
			Code: exit.DataError, Err: blocked,
		}
	case errors.Is(err, migrate.ErrNoMigration):
		return &exit.Error{Problem: "there is no migration", Fix: "see " + a.command("migrate status"), Code: exit.Config}
	case errors.Is(err, migrate.ErrFinishing):
		return &exit.Error{
			Problem: "the migration is being finished and cannot be undone",
			Fix:     "run " + a.command("migrate finish") + ", then migrate to the former schema", Code: exit.Config,
		}
	case errors.Is(err, migrate.ErrMigrating):
		return &exit.Error{
			Problem: "a migration to another schema is not finished",
			Fix:     "run migrate finish or migrate undo with that schema first", Code: exit.Config,
		}
	}
	return t.ExitError(err)
}

type migrateRunCommand struct {
	carryingOut
	firstTenant
	Follow bool `help:"Stay afterwards, and follow other programs that write the former items, until interrupted."`
}

// Run carries out the migration until reads have switched.
func (c *migrateRunCommand) Run(ctx context.Context, a *Application) error {
	return c.with(ctx, a, func(t *table.Table, log *slog.Logger, store *record.Store, r migrate.Record) error {
		if r.Revision == 0 {
			adopted, err := c.adopt(ctx, a, t)
			if err != nil || c.Tenant == "" {
				return err
			}
			r = adopted
		}
		from, to, err := c.versions(ctx, a, t, r)
		if err != nil {
			return err
		}
		d := run.Compare(from, to)
		if blocked := d.Blocked(); len(blocked) > 0 && r.To != to.SDL {
			return partsError(blocked)
		}
		return c.migrator(ctx, a, t, log, func(m *run.Migrator) error { return c.run(ctx, a, t, m, d, to) })
	})
}

func (c *migrateRunCommand) run(
	ctx context.Context, a *Application, t *table.Table, m *run.Migrator, d migrate.Difference, to migrate.Version,
) error {
	if m.Record().IsStable() && !d.NeedsMigration() {
		if err := m.Replace(ctx, to); err != nil {
			return err
		}
		return c.print(m.Record(), "The table follows the design of the schema: nothing had to change.")
	}
	if err := m.CreateIndexes(ctx, t.Schema()); err != nil {
		return err
	}
	if err := m.Begin(ctx, to); err != nil {
		return err
	}
	if err := m.Run(ctx, migrate.Switched); err != nil {
		return err
	}
	err := c.print(m.Record(), fmt.Sprintf("Everything is stored by the new design, and reads use it. Both designs "+
		"are written until %q removes the former one; %q goes back.", a.command("migrate finish"), a.command("migrate undo")))
	if err != nil || !c.Follow {
		return err
	}
	return m.Follow(ctx)
}

// adopt stores the first record of a table that follows the design of the schema, and returns it. One that gets tenants
// has none yet.
func (c *migrateRunCommand) adopt(ctx context.Context, a *Application, t *table.Table) (migrate.Record, error) {
	v, err := a.version()
	if err != nil {
		return migrate.Record{}, err
	}
	if c.Tenant != "" {
		s := t.Schema()
		s.Owner = &table.Owner{}
		t = t.WithSchema(s)
	}
	said, err := tenancyOfOwn(migrate.Record{}, v, t.Schema().Tenants)
	if err != nil {
		return migrate.Record{}, err
	}
	v = v.With(said)
	out := &findings{w: os.Stdout}
	o := a.checkOptions()
	o.Found, o.ReadUnits = out.found, c.UnitsPerSecond
	report, adopted, err := run.Adopt(ctx, t, v, o)
	if err != nil {
		return migrate.Record{}, operatorError(t, err)
	}
	if !adopted {
		return migrate.Record{}, a.outcome(report)
	}
	return migrate.NewRecord(v), c.print(report, fmt.Sprintf("All %d items follow the design of the schema. The table "+
		"knows its design now.", report.Items))
}

// partsError is the error of a migration to which no steps lead.
func partsError(parts []migrate.Part) error {
	lines := make([]string, len(parts))
	for i, p := range parts {
		lines[i] = p.String()
	}
	return &exit.Error{Problem: "no steps lead to the design of the schema", Fix: strings.Join(lines, "\n"),
		Code: exit.DataError}
}

type migrateFinishCommand struct {
	carryingOut
	Quiet time.Duration `default:"10m" range:"0s..8760h" placeholder:"DURATION" help:"Finish only if no other program has written a former item for this time."`
}

// Run removes what only the former design needs.
func (c *migrateFinishCommand) Run(ctx context.Context, a *Application) error {
	c.quiet = c.Quiet
	return c.toward(ctx, a, migrate.Latter, "The migration is finished: only the new design is left.")
}

type migrateUndoCommand struct{ carryingOut }

// Run goes back to the former design.
func (c *migrateUndoCommand) Run(ctx context.Context, a *Application) error {
	return c.toward(ctx, a, migrate.Former, "The migration is undone: the table follows its former design.")
}

func (c *carryingOut) toward(ctx context.Context, a *Application, goal migrate.State, done string) error {
	return c.with(ctx, a, func(t *table.Table, log *slog.Logger, _ *record.Store, r migrate.Record) error {
		switch {
		case r.IsStable():
			return a.migrationError(t, migrate.ErrNoMigration)
		case goal == migrate.Latter && r.State < migrate.Switched:
			return &exit.Error{
				Problem: "reads have not switched to the new design",
				Fix:     "run " + a.command("migrate run") + " first", Code: exit.Config,
			}
		}
		return c.migrator(ctx, a, t, log, func(m *run.Migrator) error {
			if err := m.Run(ctx, goal); err != nil {
				return err
			}
			return c.print(m.Record(), done)
		})
	})
}
