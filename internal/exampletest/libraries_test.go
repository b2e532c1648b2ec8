package exampletest_test

import (
	"testing"

	"github.com/partita/partita/internal/exampletest"
)

// TestLibraries reads items with the keys of ElectroDB and OneTable, and of types that share partitions, and reads and
// writes objects with everything that a schema can say of the keys and values of another program: each answer has the
// objects that are meant, and the table is consistent.
func TestLibraries(t *testing.T) {
	for _, e := range exampletest.All(t, "testdata") {
		t.Run(e.Name, func(t *testing.T) {
			t.Parallel()
			s := e.Serve(t)
			s.RunFirst(t)
			s.Run(t)
			s.Check(t)
		})
	}
}
