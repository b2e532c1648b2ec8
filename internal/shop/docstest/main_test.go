package docstest

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/partita/partita/app"
	"github.com/partita/partita/demo"
	"github.com/partita/partita/graph/typed"
	"github.com/partita/partita/internal/migrate/record"
	"github.com/partita/partita/internal/processtest"
	"github.com/partita/partita/internal/shop"
	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/table"
)

func TestMain(m *testing.M) {
	tabletest.RunAtOnce(4)
	processtest.Main(m, func() {
		record.Every, record.Lease = 300*time.Millisecond, 4*time.Second // each step of a migration waits for a renewal
		app.Main(shop.Application())
	})
}

// checkout is the folder of this repository.
var checkout, _ = filepath.Abs("../../..")

// demoData is loaded once for all tests of a table with the demo data.
var demoData = &tabletest.Seed{Schema: tableSchema(), Items: demo.Items(), Stream: true}

func tableSchema() table.Schema { return table.SchemaOf(typed.Design) }
