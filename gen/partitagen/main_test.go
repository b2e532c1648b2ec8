package main

import (
	"testing"

	"github.com/partita/partita/internal/gentest"
)

func TestMain(m *testing.M) { gentest.Main(m) }

// TestCommand runs the scripts about the command and the files that it writes.
func TestCommand(t *testing.T) { gentest.RunScripts(t, 2) }
