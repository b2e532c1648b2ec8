package run

import (
	"context"

	"github.com/partita/partita/internal/migrate"
	"github.com/partita/partita/internal/table/admin"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/table"
)

// tenancySample is how many items are read for what a record does not say.
const tenancySample = 100

// Tenancy returns whether a table has tenants whose record does not say it, by the first items; Unsaid if none of these
// has a key of the design.
func Tenancy(ctx context.Context, t *table.Table, v migrate.Version) (migrate.Tenancy, error) {
	raw := table.SchemaOf(&design.Design{Layout: v.Layout})
	raw.Owner = &table.Owner{}
	page, err := (admin.Scanner{Table: t.WithSchema(raw)}).Scan(ctx, admin.Scan{Limit: tenancySample})
	if err != nil {
		return migrate.Tenancy{}, err
	}
	found := migrate.Tenancy{}
	for _, it := range page.Items {
		key := v.Layout.KeyOf(it)
		if v.TypeOf(key) != nil {
			return migrate.Tenancy{Kind: migrate.WithoutTenants}, nil
		}
		if tenant, is := v.Layout.CutTenant(key.PK); is && v.TypeOf(keys.Key{PK: tenant.Cut(key.PK), SK: key.SK}) != nil {
			found.Kind = migrate.WithTenants
		}
	}
	return found, nil
}
