package app

import (
	"context"
	"fmt"

	"github.com/partita/partita/exit"
	"github.com/partita/partita/internal/migrate"
	"github.com/partita/partita/internal/migrate/record"
	"github.com/partita/partita/internal/migrate/run"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/table"
	"github.com/partita/partita/viewer"
)

// tenancy is how a process serves a table, by what the record says of tenants.
type tenancy struct {
	// owner and first are those of table.Schema.
	owner *table.Owner
	first string
	// notReady is why nobody is served; "" if somebody is.
	notReady string
	progress func() string
}

// tenancyOf returns that of a process whose callers have tenants, or have none, over the side that is read.
func (a *Application) tenancyOf(from, to, read migrate.Version, hasTenants bool) tenancy {
	switch kind := from.Tenancy.Kind; {
	case migrate.GetsTenants(from, to) && hasTenants:
		return tenancy{owner: &table.Owner{Name: to.Tenancy.First, Prefix: read.Prefix()}}
	case migrate.GetsTenants(from, to): // All callers are those of the first tenant until they are asked for it.
		return tenancy{owner: &table.Owner{Prefix: read.Prefix()}}
	case kind == migrate.WithoutTenants && hasTenants:
		return tenancy{owner: &table.Owner{Name: table.Nobody}, notReady: fmt.Sprintf("the table has no tenants: run `%s`, "+
			"with the one to whom all that is stored belongs", a.command("migrate run")+" --tenant=NAME")}
	case kind == migrate.WithTenants && !hasTenants:
		return tenancy{owner: &table.Owner{Name: table.Nobody}, notReady: "the table has tenants: set TENANT_CLAIM to the " +
			"claim of a token that names them"}
	}
	return tenancy{first: from.Tenancy.First}
}

// schema returns the schema of the table as it is served.
func (t tenancy) schema(of table.Schema) table.Schema {
	of.Owner, of.First = t.owner, t.first
	return of
}

// ready returns why nothing is ready for a viewer, or nil.
func (t tenancy) ready(v viewer.Viewer) error {
	switch {
	case t.notReady != "":
		return design.NewNotReadyError(t.notReady, nil)
	case t.owner != nil && t.owner.Name != "" && v.Tenant != t.owner.Name:
		return design.NewNotReadyError("the table gets tenants, and all that is stored is another one's until then",
			t.progress)
	}
	return nil
}

// tenancyOfOwn returns what the application's own version says: what the settings say, as far as the record, with the
// side to which it goes, does not say more.
func tenancyOfOwn(r migrate.Record, from migrate.Version, hasTenants bool) (migrate.Tenancy, error) {
	if !hasTenants {
		return migrate.Tenancy{Kind: migrate.WithoutTenants}, nil
	}
	if !r.IsStable() {
		to, err := migrate.ParseVersion(r.To)
		if err != nil || to.Tenancy.Kind == migrate.OfFirst {
			return to.Tenancy, err
		}
	}
	return migrate.Tenancy{Kind: migrate.WithTenants, First: from.Tenancy.First}, nil
}

// checkTenancy returns an error for a table that has no tenants by its record, where the settings say that it has.
func (a *Application) checkTenancy(ctx context.Context, t *table.Table) error {
	r, err := record.Open(t).Get(ctx)
	if err != nil {
		return recordError(t, err)
	}
	if r.IsStable() && t.Schema().Tenants && r.Tenancy().Kind == migrate.WithoutTenants {
		return a.untenanted(t)
	}
	return nil
}

// untenanted is the error for settings by which a table has tenants that has none.
func (a *Application) untenanted(t *table.Table) error {
	return &exit.Error{
		Problem: fmt.Sprintf("table %s has no tenants, and nobody has said whose all that is stored is", t.Name()),
		Fix: fmt.Sprintf("run %q, with the tenant to whom it belongs, or leave out TENANT_CLAIM",
			a.command("migrate run")+" --tenant=NAME"),
		Code: exit.Config,
	}
}

// firstTenant is the setting of the commands that begin a migration.
type firstTenant struct {
	Tenant string `placeholder:"TENANT" help:"When the table gets tenants: the one to whom all that is stored belongs. Needed for plan, and for the first run."`
}

// versions returns the version that the data follow, and the one to which a migration goes.
func (f firstTenant) versions(
	ctx context.Context, a *Application, t *table.Table, r migrate.Record,
) (from, to migrate.Version, err error) {
	hasTenants := t.Schema().Tenants
	if from, to, err = a.versions(r, hasTenants); err != nil {
		return from, to, err
	}
	if from.Tenancy.Kind == migrate.Unsaid {
		said, err := run.Tenancy(ctx, t, from)
		if err != nil {
			return from, to, err
		}
		from = from.With(said)
	}
	if f.Tenant != "" {
		to, err = f.of(a, t, from, to)
	} else if r.IsStable() && from.Tenancy.Kind == migrate.WithoutTenants && hasTenants {
		err = a.untenanted(t)
	}
	return from, to, err
}

// of returns the version to which the table goes if it gets tenants.
func (f firstTenant) of(a *Application, t *table.Table, from, to migrate.Version) (migrate.Version, error) {
	if !t.Schema().Tenants {
		return to, &exit.Error{
			Problem: "--tenant is of a table that gets tenants, and TENANT_CLAIM is not set",
			Fix:     "set TENANT_CLAIM (--tenant-claim) to the claim that names them, as for the gateway", Code: exit.Config,
		}
	}
	if err := a.Design.Layout.CheckTenant(f.Tenant); err != nil {
		return to, &exit.Error{
			Problem: fmt.Sprintf("%q cannot be the name of a tenant (%v)", f.Tenant, err), Fix: "name another one",
			Code: exit.Config, Err: err,
		}
	}
	if from.Tenancy.Kind == migrate.WithTenants {
		return to, nil
	}
	return to.With(migrate.Tenancy{Kind: migrate.OfFirst, First: f.Tenant}), nil
}
