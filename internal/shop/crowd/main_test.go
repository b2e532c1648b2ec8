package crowd

import (
	"testing"
	"time"

	"github.com/partita/partita/app"
	"github.com/partita/partita/demo"
	"github.com/partita/partita/graph/typed"
	"github.com/partita/partita/internal/processtest"
	"github.com/partita/partita/internal/shop"
	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/table"
)

func TestMain(m *testing.M) {
	processtest.Main(m, func() {
		a := shop.Application()
		a.Stream.Lease = 500 * time.Millisecond // another replica continues after two seconds
		app.Main(a)
	})
}

// demoData is loaded once for all tests of a table with the demo data.
var demoData = &tabletest.Seed{Schema: tableSchema(), Items: demo.Items(), Stream: true}

func tableSchema() table.Schema { return table.SchemaOf(typed.Design) }
