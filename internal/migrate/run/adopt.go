package run

import (
	"context"
	"time"

	"github.com/partita/partita/internal/migrate"
	"github.com/partita/partita/internal/migrate/record"
	"github.com/partita/partita/internal/table/admin"
	"github.com/partita/partita/table"
	"github.com/partita/partita/table/check"
)

// Adopt proves that a table without a record follows the design of a version, and stores its first record. It reports
// whether it has: the report has what is wrong otherwise. Nothing else is changed.
func Adopt(ctx context.Context, t *table.Table, v migrate.Version, o check.Options) (check.Report, bool, error) {
	report, err := check.Table(ctx, admin.Scanner{Table: t}, o)
	if err != nil || !report.Clean() {
		return report, false, err
	}
	if err := record.Open(t).Put(ctx, migrate.Record{}, migrate.NewRecord(v)); err != nil {
		return report, false, err
	}
	// Replicas look for a record now and then, and register when they find one. A migration must not begin before.
	select {
	case <-ctx.Done():
		return report, true, ctx.Err()
	case <-time.After(2 * record.Every):
		return report, true, nil
	}
}
