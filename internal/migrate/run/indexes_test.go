package run_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/partita/partita/exit"
	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/migratetest"
	"github.com/partita/partita/internal/table/admin"
	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/keys/stored"
	"github.com/partita/partita/table"
)

// TestCreateIndexes creates an index that only the later design has, and waits until it is filled.
func TestCreateIndexes(t *testing.T) {
	t.Parallel()
	p := migratetest.Load(t, "padding")
	e := tabletest.Start(t, table.SchemaOf(p.From.Design))
	e.Proxy.Limit(tabletest.Limits{Filling: 1})
	later := e.Table.WithSchema(table.SchemaOf(p.To.Design))
	m := migrator(t, later)
	for range 2 {
		fatal.If(t, m.CreateIndexes(t.Context(), later.Schema()))
	}
	if err := admin.Verify(t.Context(), later); err != nil {
		t.Error(err)
	}
}

// TestTooManyIndexes: a table that DynamoDB adds no index to is an error that says what to do.
func TestTooManyIndexes(t *testing.T) {
	t.Parallel()
	full := table.Schema{}
	for i := range stored.MaxGlobalIndexes {
		full.Indexes = append(full.Indexes, fmt.Sprintf("GSI%d", i))
	}
	e := tabletest.Start(t, full)
	e.Proxy.Inject(tabletest.Faults{ErrorCode: "ValidationException", Only: func(r tabletest.Request) bool {
		return r.Operation == "UpdateTable" // The local engine adds any number.
	}})
	one := full
	one.Indexes = append(slices.Clone(full.Indexes), "one")
	err := migrator(t, e.Table).CreateIndexes(t.Context(), one)
	tabletest.WantExitError(t, err, exit.Config, "has 20 global indexes, and DynamoDB adds no more (",
		"delete an index that no program reads, or ask AWS for a higher quota")
}
