package table_test

import (
	"log/slog"
	"testing"

	"go.uber.org/goleak"

	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/table"
)

// discard is the log of these tests.
var discard = slog.New(slog.DiscardHandler)

// schema is one table with one index.
var schema = table.Schema{Indexes: []string{"GSI1"}}

func TestMain(m *testing.M) {
	tabletest.Isolate()
	goleak.VerifyTestMain(tabletest.BothWays(m))
}

// primaryKeys returns "PK SK" of each item.
func primaryKeys(items []item.Item) []string {
	out := make([]string, len(items))
	for i, it := range items {
		out[i] = it.Text(keys.AttributePK) + " " + it.Text(keys.AttributeSK)
	}
	return out
}

// must returns a value that a test needs.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
