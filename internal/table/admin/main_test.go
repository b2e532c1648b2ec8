package admin_test

import (
	"log/slog"
	"testing"

	"go.uber.org/goleak"

	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/table"
)

// discard is the log of these tests.
var discard = slog.New(slog.DiscardHandler)

// schema is one table with one index.
var schema = table.Schema{Indexes: []string{"GSI1"}}

func TestMain(m *testing.M) {
	tabletest.Isolate()
	goleak.VerifyTestMain(m)
}

func open(tb testing.TB, s table.Settings) *table.Table {
	tb.Helper()
	opened := must(table.Open(tb.Context(), s, schema, discard))
	tb.Cleanup(func() { opened.Close() })
	return opened
}

// must returns a value that a test needs.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
