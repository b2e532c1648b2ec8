package crowd

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// TestLedgerOfEvents: the ledger of TestLive accepts what a subscriber should receive, whenever its connection was cut
// and whether it went on or began again, and notices an event that is lost, received twice, or out of order.
func TestLedgerOfEvents(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		steps := drawSteps(t)
		chains := drawChains(t, steps["o"])
		s := &subscription{scope: scope{field: liveOrders}, chains: chains, position: "p"}
		if err := s.check(steps); err != nil {
			t.Fatalf("what is correct: %v", err)
		}
		at := rapid.IntRange(0, len(chains)-1).Draw(t, "chain")
		broken := *chains[at]
		events := slices.Clone(broken.events)
		if len(events) == 0 {
			return
		}
		i := rapid.IntRange(0, len(events)-1).Draw(t, "event")
		isLast := at == len(chains)-1 && i == len(events)-1
		switch what := rapid.SampledFrom([]string{"lost", "twice", "swapped"}).Draw(t, "what"); {
		case what == "lost" && (i < len(events)-1 || isLast): // before a cut, an event may not have been received
			events = slices.Delete(events, i, i+1)
		case what == "swapped" && i > 0:
			events[i], events[i-1] = events[i-1], events[i]
		default:
			events = slices.Insert(events, i, events[i])
		}
		broken.events = events
		s.chains = slices.Clone(chains)
		s.chains[at] = &broken
		if err := s.check(steps); err == nil {
			t.Fatalf("chain %d with %v of %v is not noticed", at, events, texts(steps["o"]))
		}
	})
}

// drawSteps returns the steps of one object that enters, changes and leaves a range again and again, one each second.
func drawSteps(t *rapid.T) map[string][]step {
	var steps []step
	isThere := false
	for i := range rapid.IntRange(1, 12).Draw(t, "steps") {
		s := step{change: added, value: fmt.Sprint(i), sent: second(i), answered: second(i).Add(time.Millisecond)}
		if isThere {
			s.change = rapid.SampledFrom([]string{changed, removed}).Draw(t, "change")
		}
		if isThere = s.change != removed; !isThere {
			s.value = ""
		}
		steps = append(steps, s)
	}
	return map[string][]step{"o": steps}
}

// drawChains returns what a subscriber receives that began again some times.
func drawChains(t *rapid.T, steps []step) (chains []*chain) {
	for at := rapid.IntRange(0, len(steps)).Draw(t, "begin"); ; {
		c := &chain{asked: second(at).Add(-time.Millisecond), first: map[string]string{}, isWhole: true}
		c.began = c.asked
		if at > 0 && steps[at-1].change != removed {
			c.first["o"] = steps[at-1].value
		}
		end := rapid.IntRange(at, len(steps)).Draw(t, "end")
		isLast := rapid.Bool().Draw(t, "last")
		if isLast {
			end = len(steps)
		}
		for _, s := range steps[at:end] {
			c.events = append(c.events, received{"o", s.change, s.value})
		}
		if chains = append(chains, c); isLast {
			return chains
		}
		at = rapid.IntRange(end, len(steps)).Draw(t, "again")
	}
}

func second(i int) time.Time { return time.Unix(int64(i), 0) }
