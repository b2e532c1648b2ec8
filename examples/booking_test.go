package examples

import (
	"fmt"
	"strings"
	"testing"

	"github.com/partita/partita/internal/exampletest"
	"github.com/partita/partita/viewer"
	"github.com/partita/partita/write"
)

// TestBookingRoom: what is written without a read before it has room in an object of the largest size, so that nothing
// consumes more than its price.
func TestBookingRoom(t *testing.T) {
	t.Parallel()
	s := exampletest.Open(t, "booking").Serve(t)
	user, longest := "", 0
	for n := range 1024 {
		id := fmt.Sprintf("u%d", n)
		body := s.SendAs(t, viewer.Viewer{ID: id}, fmt.Sprintf(
			`mutation { openAccount(input: { name: "%s" }) { userErrors { code } } }`, strings.Repeat("x", n)))
		if !strings.Contains(body, `"userErrors":[]`) {
			break
		}
		user, longest = id, n
	}
	if longest < 700 || longest > 950 {
		t.Errorf("the longest name has %d characters", longest)
	}
	price := write.WorkloadOf(s.Schema.Design, s.Schema.Mutation("transfer"), &write.Input{}).Units()
	for _, amount := range []int{1, 999, 1_000_000_000} {
		body := s.SendAs(t, viewer.Viewer{ID: user}, fmt.Sprintf(
			`mutation { transfer(input: { toId: "Account:ada", amount: %d }) { userErrors { code } } }`, amount))
		if cost := fmt.Sprintf(`"writeUnits":%d,`, price); !strings.Contains(body, cost) {
			t.Errorf("the price is %d: %s", price, body)
		}
	}
}
