package testservice_test

import (
	"testing"

	"github.com/partita/partita/internal/testservice"
)

// TestExecutorsAgree compares the executors for random operations of the library's schema.
func TestExecutorsAgree(t *testing.T) {
	t.Parallel()
	testservice.Schema().Check(t)
}

// TestExecutorsAgreeOnValues compares the executors for odd values of each attribute.
func TestExecutorsAgreeOnValues(t *testing.T) {
	t.Parallel()
	testservice.Schema().CheckValues(t)
}

// TestExecutorsAgreeOnMutations compares the executors for random mutations without hand-written Go.
func TestExecutorsAgreeOnMutations(t *testing.T) {
	t.Parallel()
	testservice.Schema().CheckMutations(t)
}

// TestExecutorsAgreeOnEntities compares the executors for random operations of the library as a subgraph, and its
// entities with what nodes returns.
func TestExecutorsAgreeOnEntities(t *testing.T) {
	t.Parallel()
	testservice.Schema().CheckEntities(t)
	subgraph, _ := testservice.Schema().Subgraph()
	subgraph.Check(t)
}
