package run_test

import (
	"testing"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/migratetest"
	"github.com/partita/partita/internal/table/admin"
	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/table"
)

// TestCreateIndexes creates an index that only the later design has.
func TestCreateIndexes(t *testing.T) {
	t.Parallel()
	p := migratetest.Load(t, "padding")
	later := tabletest.Start(t, table.SchemaOf(p.From.Design)).Table.WithSchema(table.SchemaOf(p.To.Design))
	m := migrator(t, later)
	for range 2 {
		fatal.If(t, m.CreateIndexes(t.Context(), later.Schema()))
	}
	if err := admin.Verify(t.Context(), later); err != nil {
		t.Error(err)
	}
}
