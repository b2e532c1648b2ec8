package examples

import (
	"testing"

	"github.com/partita/partita/internal/exampletest"
)

// TestAccess: a stranger sees and changes nothing of an app by any way through its schema, by HTTP, by WebSockets, and
// as a subgraph.
func TestAccess(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"booking", "chat", "tracker", "wallet"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			exampletest.Open(t, name).CheckAccess(t)
		})
	}
}
