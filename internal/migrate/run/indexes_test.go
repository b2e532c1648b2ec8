package run_test

import (
	"testing"

	"github.com/partita/partita/internal/migrate/run"
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
	waiting := 0
	for range 2 {
		if err := run.CreateIndexes(t.Context(), later, func(string) { waiting++ }); err != nil {
			t.Fatal(err)
		}
	}
	if err := admin.Verify(t.Context(), later); err != nil || waiting == 0 {
		t.Error(waiting, err)
	}
}
