package app

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strings"

	"github.com/partita/partita/internal/migrate"
	"github.com/partita/partita/internal/migrate/record"
	"github.com/partita/partita/internal/migrate/run"
	"github.com/partita/partita/table"
)

type migrateStatusCommand struct {
	migrationSettings
	UnitsPerSecond *float64 `placeholder:"N" range:"0..1e9" help:"Let the migration use at most N units a second from now on, until a command of it is started with another rate: 0 pauses it."`
}

// status is what `partita migrate status` prints as JSON.
type status struct {
	State    string           `json:"state"`
	Goal     string           `json:"goal,omitempty"`
	Parts    []migrate.Part   `json:"parts,omitempty"`
	Replicas []record.Replica `json:"replicas,omitempty"`
	Migrator string           `json:"migrator,omitempty"`
	Progress *run.Progress    `json:"progress,omitempty"`
}

// Run prints how far the migration is.
func (c *migrateStatusCommand) Run(ctx context.Context, a *Application) error {
	return c.with(ctx, a, func(t *table.Table, _ *slog.Logger, store *record.Store, r migrate.Record) error {
		if c.UnitsPerSecond != nil {
			if err := store.SetRate(ctx, *c.UnitsPerSecond); err != nil {
				return t.ExitError(err)
			}
		}
		s, text, err := a.status(ctx, store, r, t.Schema().Tenants)
		if err != nil {
			return err
		}
		return c.print(s, text)
	})
}

// blockedText returns how many objects each code has.
func blockedText(by map[run.Code]int) string {
	var texts []string
	for _, code := range slices.Sorted(maps.Keys(by)) {
		texts = append(texts, fmt.Sprintf("%s %d", code, by[code]))
	}
	return strings.Join(texts, ", ")
}

// commandToward returns the command that takes a migration to a goal.
func commandToward(goal migrate.State) string {
	switch goal {
	case migrate.Former:
		return "migrate undo"
	case migrate.Latter:
		return "migrate finish"
	default:
		return "migrate run"
	}
}

// status returns the status of a table by its record.
func (a *Application) status(
	ctx context.Context, store *record.Store, r migrate.Record, hasTenants bool,
) (s status, text string, err error) {
	s = status{State: r.State.String()}
	if r.Revision == 0 {
		s.State = "NO_RECORD"
		return s, "The table has no record of its design. " + a.command("migrate run") + " writes it.", nil
	}
	from, to, err := a.versions(r, hasTenants)
	if err != nil {
		return s, "", err
	}
	if s.Replicas, err = store.Replicas(ctx); err != nil {
		return s, "", err
	}
	if !r.IsStable() {
		if to, err = migrate.ParseVersion(r.To); err != nil {
			return s, "", err
		}
		if err := s.readMigration(ctx, store, r); err != nil {
			return s, "", err
		}
	}
	s.Parts = migrate.Compare(from, to).Parts
	return s, s.text(a, r), nil
}

func (s *status) readMigration(ctx context.Context, store *record.Store, r migrate.Record) error {
	m, err := store.Migration(ctx)
	if err != nil {
		return err
	}
	s.Goal = r.Goal.String()
	if m.Holder != "" {
		s.Migrator = m.Name
	}
	var p run.Progress
	if json.Unmarshal([]byte(m.Progress), &p) == nil { // that of another version may be something else
		s.Progress = &p
	}
	return nil
}

func (s *status) text(a *Application, r migrate.Record) string {
	var b strings.Builder
	switch {
	case r.IsStable() && len(s.Parts) == 0:
		b.WriteString("The table follows the design of the schema.\n")
	case r.IsStable():
		fmt.Fprintf(&b, "The table follows another design than that of the schema; %s takes it there:\n",
			a.command("migrate run"))
	case r.State == migrate.Switched && r.Goal == r.State:
		fmt.Fprintf(&b, "The table is %s: reads use the new design, and both are written. Next is %s, or %s.\n", r.State,
			a.command("migrate finish"), a.command("migrate undo"))
	default:
		fmt.Fprintf(&b, "The table is %s on its way to %s", r.State, r.Goal)
		if p := s.Progress; p != nil {
			fmt.Fprintf(&b, ": %s, pass %d, items %d, objects %d, written %d, read units %g, write units %g", p.Phase, p.Pass,
				p.Items, p.Objects, p.Written, p.ReadUnits, p.WriteUnits)
		}
		if s.Migrator == "" {
			b.WriteString(". No process is at work: run the command again")
		}
		b.WriteString(".\n")
	}
	if p := s.Progress; p != nil {
		for _, o := range p.Others {
			fmt.Fprintf(&b, "Another program has written the former form of %s.\n", o)
		}
		if p.Blocked > 0 {
			fmt.Fprintf(&b, "Objects that stop it: %s. %s lists them with their keys.\n", blockedText(p.BlockedBy),
				a.command(commandToward(r.Goal)))
		}
	}
	for _, p := range s.Parts {
		fmt.Fprintf(&b, "  %s\n", p)
	}
	for _, replica := range s.Replicas {
		fmt.Fprintf(&b, "replica %s of version %s acts by revision %d of %d\n", replica.ID, replica.Program, replica.Revision,
			r.Revision)
	}
	return b.String()
}
