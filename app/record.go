package app

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/partita/partita/exit"
	"github.com/partita/partita/internal/migrate"
	"github.com/partita/partita/internal/migrate/follow"
	"github.com/partita/partita/internal/migrate/record"
	"github.com/partita/partita/table"
)

// putRecord stores the design in a table that was just created. Another process may have done it.
func (a *Application) putRecord(ctx context.Context, t *table.Table) error {
	v, err := a.version()
	if err != nil {
		return err
	}
	said, err := tenancyOfOwn(migrate.Record{}, v, t.Schema().Tenants)
	if err != nil {
		return err
	}
	v = v.With(said)
	if err := record.Open(t).Put(ctx, migrate.Record{}, migrate.NewRecord(v)); !errors.Is(err, record.ErrChanged) {
		return err
	}
	return nil
}

// followsSchema reports whether the table has a record of its design. The error names what differs from the design of
// the schema, or that a migration is not finished: what is right by one of two designs is wrong by the other.
func (a *Application) followsSchema(ctx context.Context, t *table.Table) (hasRecord bool, err error) {
	r, err := record.Open(t).Get(ctx)
	switch {
	case err != nil:
		return false, recordError(t, err)
	case r.Revision == 0:
		return false, nil
	case !r.IsStable():
		return true, &exit.Error{
			Problem: fmt.Sprintf("a migration of table %s is not finished (%s)", t.Name(), r.State),
			Fix:     fmt.Sprintf("see %q", a.command("migrate status")), Code: exit.Config,
		}
	}
	from, to, err := a.versions(r, t.Schema().Tenants)
	if err != nil {
		return true, err
	}
	if parts := neededParts(migrate.Compare(from, to)); len(parts) > 0 {
		return true, &exit.Error{
			Problem: fmt.Sprintf("table %s follows another design than that of the schema: %s", t.Name(),
				strings.Join(parts, "; ")),
			Fix: fmt.Sprintf("run %q, or name the schema that it follows", a.command("migrate run")), Code: exit.Config,
		}
	}
	return true, nil
}

// neededParts returns the parts of a difference for which something that is stored has to change.
func neededParts(d migrate.Difference) []string {
	var parts []string
	for _, p := range d.Parts {
		if !p.IsFree {
			parts = append(parts, p.String())
		}
	}
	return parts
}

// follow sets the design of an application to its API over what a record says is stored, for callers who have tenants
// or have none, and reports whether that is what the application declares. It returns what writes the other side of a
// migration; nil without one.
func (a *Application) follow(
	r migrate.Record, hasTenants bool, progress func() string,
) (_ table.Follower, isOwn bool, err error) {
	if r.Revision == 0 {
		return nil, true, nil
	}
	from, own, err := a.versions(r, hasTenants)
	if err != nil {
		return nil, false, err
	}
	if r.IsStable() {
		a.tenancy = a.tenancyOf(from, from, from, hasTenants)
		isOwn, err = a.graft(own, from, from, r, progress)
		return nil, isOwn && a.tenancy.notReady == "", err
	}
	to, err := migrate.ParseVersion(r.To)
	if err != nil {
		return nil, false, err
	}
	follower := follow.New(r.State, from, to)
	follower.IsProven = r.IsProven
	a.tenancy = a.tenancyOf(from, to, [...]migrate.Version{from, to}[r.State.Reads()], hasTenants)
	a.tenancy.progress = progress
	_, err = a.graft(own, from, to, r, progress)
	return follower, false, err
}

func (a *Application) graft(
	own, from, to migrate.Version, r migrate.Record, progress func() string,
) (isOwn bool, err error) {
	stored, o := from, migrate.GraftOptions{InPlaceReady: r.State.InPlaceReady()}
	if !r.IsStable() {
		difference := migrate.Compare(from, to)
		o.Migration = &difference
	}
	if r.State.Reads() == migrate.To {
		stored = to
		if r.History, err = migrate.HistoryAfter(r.History, from, to); err != nil {
			return false, err
		}
	}
	own = own.With(stored.Tenancy)
	design, notReady, err := migrate.Graft(own, stored, o)
	if err != nil {
		return false, err
	}
	isOwn = design == own.Design && r.IsStable()
	switch {
	case design != own.Design && a.folder != nil:
		design = design.WithoutGo()
	case design == own.Design: // what it needs is stored as it declares
		design = a.Design
	}
	if !r.IsStable() {
		design = design.WithBothForms()
	}
	if design, err = migrate.WithHistory(design, own, stored, r.History); err != nil {
		return false, err
	}
	a.Design = design.WithNotReady(notReady, progress)
	return isOwn, nil
}
