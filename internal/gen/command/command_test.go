package command_test

import (
	"testing"

	"github.com/partita/partita/internal/gentest"
)

func TestMain(m *testing.M) { gentest.Main(m) }

// TestResolvers runs the scripts about resolvers that a person writes or changes between two runs of the command.
func TestResolvers(t *testing.T) { gentest.RunScripts(t, 1) }
