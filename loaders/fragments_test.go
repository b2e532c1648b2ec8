package loaders_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/partita/partita/internal/gateway"
	"github.com/partita/partita/internal/testservice"
	"github.com/partita/partita/loaders"
)

// TestSharedFragments: a fragment that is merged with other fields at one place and not at another costs as much as
// the same operation without fragments.
func TestSharedFragments(t *testing.T) {
	t.Parallel()
	startPatiently(t).Run(t, "testdata/fragments")
}

// TestFragmentsThatDouble: a document in which each fragment spreads the next one twice has exponentially many
// paths. Each selection is walked once.
func TestFragmentsThatDouble(t *testing.T) {
	t.Parallel()
	s := testservice.Start(t, func(c *gateway.Config, _ *loaders.Options) {
		c.MaxFields, c.MaxAliases, c.MaxDepth = math.MaxInt, math.MaxInt, math.MaxInt
	})
	const levels = 40
	var query strings.Builder
	query.WriteString(`{ loan(id: "Loan:l004") { ...F0 } }`)
	for i := range levels {
		next := fmt.Sprintf("reminders(first: 0) { nodes { loan { ...F%d } } }", i+1)
		fmt.Fprintf(&query, " fragment F%d on Loan { a: %s b: %s }", i, next, next)
	}
	fmt.Fprintf(&query, " fragment F%d on Loan { id }", levels)
	s.Must(t, query.String(), nil)
}
