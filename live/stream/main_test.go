package stream_test

import (
	"testing"

	"go.uber.org/goleak"

	"github.com/partita/partita/table/tabletest"
)

func TestMain(m *testing.M) {
	tabletest.Isolate()
	goleak.VerifyTestMain(m)
}
