package main

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/partita/partita/demo"
	"github.com/partita/partita/graph/typed"
	"github.com/partita/partita/internal/processtest"
	"github.com/partita/partita/table"
)

func TestMain(m *testing.M) { processtest.Main(m, main) }

// TestScripts runs the command lines in testdata. DOCS is the folder of that name, and ITEMS is the number of items of
// the demo data.
func TestScripts(t *testing.T) {
	items := 0
	for range demo.Items() {
		items++
	}
	docs, err := filepath.Abs("docs")
	if err != nil {
		t.Fatal(err)
	}
	processtest.RunScripts(t, tableSchema(), map[string]string{"DOCS": docs, "ITEMS": fmt.Sprint(items)})
}

func tableSchema() table.Schema { return table.SchemaOf(typed.Design) }
