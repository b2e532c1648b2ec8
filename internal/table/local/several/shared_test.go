package several_test

import (
	"testing"

	"github.com/partita/partita/internal/exampletest"
)

// TestSharedAttributes: an object enters and leaves indexes that share attributes. What one of them needs remains.
func TestSharedAttributes(t *testing.T) {
	s := exampletest.Open(t, "testdata/shared").Serve(t)
	s.RunIn(t, "testdata/shared")
	s.Check(t)
}
