// Package examples tests the folders below it, which have no Go.
package examples

import (
	"testing"

	"github.com/partita/partita/internal/exampletest"
)

// TestOperations sends the operations of each example. Answers, requests and units are those in operations.txt and in
// the tables of the README, and the table is consistent afterwards.
func TestOperations(t *testing.T) {
	for _, e := range exampletest.All(t, ".") {
		t.Run(e.Name(), func(t *testing.T) {
			t.Parallel()
			s := e.Serve(t)
			s.RunFirst(t)
			rows := s.Run(t)
			e.CheckReadme(t, rows)
			s.Check(t)
		})
	}
}
