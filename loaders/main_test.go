package loaders_test

import (
	"testing"

	"go.uber.org/goleak"

	"github.com/partita/partita/internal/tabletest"
)

func TestMain(m *testing.M) {
	tabletest.RunAtOnce(4)
	goleak.VerifyTestMain(m)
}
