package stream_test

import (
	"flag"
	"testing"

	"go.uber.org/goleak"

	"github.com/partita/partita/internal/tabletest"
)

func TestMain(m *testing.M) {
	tabletest.Isolate()
	// The tests mostly wait.
	if err := flag.Set("test.parallel", "8"); err != nil {
		panic(err)
	}
	goleak.VerifyTestMain(m)
}

// must returns a value that a test needs.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
