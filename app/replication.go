package app

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"

	"github.com/partita/partita/exit"
	"github.com/partita/partita/internal/table/admin"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/write"
)

// globalTables is the page on what holds in a global table.
const globalTables = "docs/how-to/global-tables.md"

// maxCollectionBytes is how large a collection may be in a table with local indexes, the entries included.
//
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/LSI.html#LSI.ItemCollections.SizeLimit
const maxCollectionBytes = 10 << 30

// checkFacts returns an error if the mutations need what the table does not have. It logs what they rely on that the
// table may not keep.
func (a *Application) checkFacts(ctx context.Context, table string, f admin.Facts, log *slog.Logger) error {
	if a.Schema.Schema().Mutation == nil {
		return nil
	}
	if f.Bytes >= maxCollectionBytes/2 && len(f.LocalIndexes) > 0 {
		log.WarnContext(ctx, "a collection of a table with local indexes has at most 10 GB: what would let it grow fails",
			"table", table, "indexes", f.LocalIndexes, "tableBytes", f.Bytes)
	}
	switch {
	case f.IsStrong:
		return a.checkStrong(ctx, table, log)
	case f.IsGlobal:
		log.WarnContext(ctx, "the table is replicated: counters, unique values and versions hold if one Region writes",
			"table", table, "replicas", f.Regions, "see", globalTables)
	}
	return nil
}

// checkStrong is checkFacts for a table with multi-Region strong consistency, which has neither transactions nor a time
// to live.
func (a *Application) checkStrong(ctx context.Context, table string, log *slog.Logger) error {
	if names := a.transactions(); len(names) > 0 {
		return &exit.Error{
			Problem: fmt.Sprintf("table %q has multi-Region strong consistency, and with that no transactions, which %s need",
				table, strings.Join(names, ", ")),
			Fix: "use a table of one Region, or a global table with eventual consistency that one Region writes to: see " +
				globalTables,
			Code: exit.Config,
		}
	}
	if names := a.handWritten(); len(names) > 0 {
		log.WarnContext(ctx, "the table has multi-Region strong consistency: transactions of hand-written mutations fail",
			"table", table, "mutations", names, "see", globalTables)
	}
	if a.Design.ExpiryAttribute() != "" {
		log.WarnContext(ctx, "the table has multi-Region strong consistency: DynamoDB deletes no expired items",
			"table", table, "see", globalTables)
	}
	return nil
}

// transactions returns the names of the mutations without Go that may send a transaction.
func (a *Application) transactions() []string {
	var names []string
	for _, m := range a.Design.Mutations {
		if !write.WorkloadOf(a.Design, m, nil).IsSingle() {
			names = append(names, m.Name)
		}
	}
	return names
}

// handWritten returns the names of the mutations in Go.
func (a *Application) handWritten() []string {
	var names []string
	for _, f := range a.Schema.Schema().Mutation.Fields {
		isDeclared := slices.ContainsFunc(a.Design.Mutations, func(m *design.Mutation) bool { return m.Name == f.Name })
		if !isDeclared && !strings.HasPrefix(f.Name, "__") {
			names = append(names, f.Name)
		}
	}
	return names
}
