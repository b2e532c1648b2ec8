package exampletest_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"github.com/partita/partita/internal/exampletest"
	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/viewer"
)

// TestTransitionsOfMany: many callers move the same ticket, by actions and by updates. What was accepted is one way
// through the values: it becomes DOING once more than OPEN again at most, and final once.
func TestTransitionsOfMany(t *testing.T) {
	t.Parallel()
	s := exampletest.Open(t, "testdata/transitions").Serve(t)
	s.Engine.Proxy.Inject(tabletest.Faults{Throttled: 0.05, Conflict: 0.05})
	var mu sync.Mutex
	accepted := map[string]int{}
	move := func(mutation, status string) {
		body := s.SendAs(t, viewer.Viewer{}, fmt.Sprintf(
			`mutation { %s(input: { id: "Ticket:a", status: %s }) { userErrors { code } } }`, mutation, status))
		if strings.Contains(body, `"userErrors":[]`) {
			mu.Lock()
			accepted[status]++
			mu.Unlock()
		}
	}
	move("move", "DOING") // or the first that is accepted might be the last
	var callers sync.WaitGroup
	for n := range 24 {
		random := rand.New(rand.NewPCG(uint64(n), 7))
		callers.Go(func() {
			for range 8 {
				status := []string{"DOING", "DOING", "DOING", "OPEN", "OPEN", "OPEN", "DONE", "DROPPED"}[random.IntN(8)]
				mutation := "move"
				if n%2 == 0 && status != "OPEN" && status != "DOING" { // an update to what it is already is accepted as well
					mutation = "updateTicket"
				}
				move(mutation, status)
			}
		})
	}
	callers.Wait()
	open := accepted["DOING"] - accepted["OPEN"]
	isFinal := accepted["DONE"] > 0 != (accepted["DROPPED"] > 0)
	if open < 0 || open > 1 || !isFinal || accepted["DOING"] == 0 {
		t.Errorf("accepted %v", accepted)
	}
	s.Engine.Proxy.Inject(tabletest.Faults{})
	s.Check(t)
}
