package stream_test

import (
	"testing"

	"go.uber.org/goleak"

	"github.com/partita/partita/internal/tabletest"
)

func TestMain(m *testing.M) {
	tabletest.Isolate()
	tabletest.RunAtOnce(8)
	goleak.VerifyTestMain(m)
}

// must returns a value that a test needs.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
