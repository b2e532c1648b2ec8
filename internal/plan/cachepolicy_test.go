package plan_test

import (
	"fmt"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/partita/partita/internal/plan"
	"github.com/partita/partita/internal/plantest"
)

// TestCachePolicy compares the cache policies of operations.
func TestCachePolicy(t *testing.T) {
	plantest.Cases(t, "testdata/cachepolicy", func(t *testing.T, d *datadriven.TestData, schema *plan.Schema) string {
		policy := plantest.Bind(t, d, schema).CachePolicy()
		if policy.Private {
			return fmt.Sprintf("%d seconds, private\n", policy.MaxAge)
		}
		return fmt.Sprintf("%d seconds\n", policy.MaxAge)
	})
}
