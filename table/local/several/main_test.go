package several_test

import (
	"os"
	"testing"

	"github.com/partita/partita/table/tabletest"
)

func TestMain(m *testing.M) { os.Exit(tabletest.BothWays(m).Run()) }
