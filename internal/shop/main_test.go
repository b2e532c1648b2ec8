package shop_test

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/partita/partita/app"
	"github.com/partita/partita/demo"
	"github.com/partita/partita/graph/typed"
	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/processtest"
	"github.com/partita/partita/internal/shop"
	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/table"
)

func TestMain(m *testing.M) { processtest.Main(m, func() { app.Main(shop.Application()) }) }

// demoData is loaded once for all tests of a table with the demo data.
var demoData = &tabletest.Seed{Schema: tableSchema(), Items: demo.Items(), Stream: true}

// TestScripts runs the command lines in testdata. DOCS is the folder of that name, DEMO an endpoint with the demo data
// in the table "partita", and ITEMS is the number of their items.
func TestScripts(t *testing.T) {
	items := 0
	for range demo.Items() {
		items++
	}
	docs, err := filepath.Abs("../../docs")
	fatal.If(t, err)
	processtest.RunScripts(t, tableSchema(), map[string]string{
		"DOCS": docs, "DEMO": tabletest.StartSeeded(t, demoData).Proxy.URL(), "ITEMS": fmt.Sprint(items),
	})
}

func tableSchema() table.Schema { return table.SchemaOf(typed.Design) }
