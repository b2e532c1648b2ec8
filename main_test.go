package main

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/partita/partita/demo"
	"github.com/partita/partita/graph/typed"
	"github.com/partita/partita/internal/processtest"
	"github.com/partita/partita/table"
	"github.com/partita/partita/table/admin"
	"github.com/partita/partita/table/tabletest"
)

func TestMain(m *testing.M) { processtest.Main(m, main) }

// demoData is loaded once for all tests of a table with the demo data.
var demoData = &tabletest.Seed{Schema: tableSchema(), Items: demo.Items()}

// startDemo runs the engine until the test ends, with the demo data and a stream. The stream is turned on afterwards: a
// write takes the engine the longer the more records its stream has, and 22,000 of them take a minute.
func startDemo(t *testing.T) *tabletest.Engine {
	t.Helper()
	e := tabletest.StartSeeded(t, demoData)
	if err := admin.EnsureStream(t.Context(), e.Table); err != nil {
		t.Fatal(err)
	}
	e.Proxy.Reset()
	return e
}

// TestScripts runs the command lines in testdata. DOCS is the folder of that name, DEMO an endpoint with the demo data
// in the table "partita", and ITEMS is the number of their items.
func TestScripts(t *testing.T) {
	items := 0
	for range demo.Items() {
		items++
	}
	docs, err := filepath.Abs("docs")
	if err != nil {
		t.Fatal(err)
	}
	processtest.RunScripts(t, tableSchema(), map[string]string{
		"DOCS": docs, "DEMO": startDemo(t).Proxy.URL(), "ITEMS": fmt.Sprint(items),
	})
}

func tableSchema() table.Schema { return table.SchemaOf(typed.Design) }
