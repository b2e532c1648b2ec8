package local_test

import (
	"log/slog"
	"os"
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
	if dir := os.Getenv(gatewayDir); dir != "" {
		runGateway(dir)
		return
	}
	tabletest.Isolate()
	goleak.VerifyTestMain(m)
}

// must returns a value that a test needs.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
