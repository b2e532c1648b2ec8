package follow

import (
	"fmt"

	"github.com/partita/partita/internal/migrate"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/write"
)

// TooLarge returns the mutations of both versions that may need more actions than a transaction has while both designs
// are written. With one design alone, none does.
func TooLarge(from, to migrate.Version) []migrate.Part {
	var parts []migrate.Part
	known := map[string]bool{}
	for _, side := range []struct {
		migrate.Version
		state migrate.State
	}{{from, migrate.Filling}, {to, migrate.Switched}} {
		f := New(side.state, from, to)
		for _, m := range side.Mutations {
			if m.Kind == design.ActionMutation {
				continue // It is not ready meanwhile.
			}
			n := len(f.Workload(m, nil, write.WorkloadOf(side.Design, m, nil)).Writes)
			if n <= write.MaxActions || known[m.Name] {
				continue
			}
			known[m.Name] = true
			parts = append(parts, migrate.Part{
				Kind: migrate.MutationOf, Change: migrate.Changed, Type: m.Type, Name: m.Name, IsFree: true,
				To:      fmt.Sprintf("writes up to %d items while both designs are written", n),
				Blocked: fmt.Sprintf("a transaction has at most %d: change less of the type at a time", write.MaxActions),
			})
		}
	}
	return parts
}
