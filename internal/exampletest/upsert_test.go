package exampletest_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/partita/partita/internal/exampletest"
	"github.com/partita/partita/viewer"
)

// busy matches the answer to a mutation that met too many others, or a table that gave up: it is sent again.
var busy = regexp.MustCompile(`"CONFLICT"|"errors":`)

// TestUpsertsOfMany: many callers create or update the same objects at the same time. There is one of each then, with
// the sum of what all have added, and the counters of its parent agree.
func TestUpsertsOfMany(t *testing.T) {
	t.Parallel()
	const callers = 24
	s := many(t, "testdata/upsert", callers, func(s *exampletest.Service, n int) {
		voter := viewer.Viewer{ID: fmt.Sprint("voter", n%3)}
		send := func(format string, values ...any) {
			for body := busy.String(); busy.MatchString(body); {
				body = s.SendAs(t, voter, "mutation { "+fmt.Sprintf(format, values...)+" { userErrors { code } } }")
			}
		}
		send(`vote(input: { pollId: "Poll:p", choice: %s })`, [...]string{"YES", "NO"}[n%2])
		if n%4 == 0 {
			send(`withdraw(input: { pollId: "Poll:p" })`)
		}
		send(`vote(input: { pollId: "Poll:p", choice: YES })`)
		send(`visit(input: { page: "home", day: "2026-02-01", count: 2, idempotencyKey: "%d" })`, n)
		send(`set(input: { name: "theme", value: "%d" })`, n)
	})
	items := s.Items(t)
	sum := fmt.Sprintf("{count {Number %d ", 2*callers)
	for text, want := range map[string]int{"SK {String VOTE#voter": 3, "SETTING#theme": 3, sum: 1} {
		if n := strings.Count(items, text); n != want {
			t.Errorf("%s is there %d times, want %d:\n%s", text, n, want, items)
		}
	}
}
