package loaders_test

import (
	"testing"

	"github.com/partita/partita/internal/gateway"
	"github.com/partita/partita/internal/testservice"
	"github.com/partita/partita/loaders"
)

// startPatiently returns a service in which resolvers that run at the same time share a batch on a busy machine, too.
func startPatiently(t *testing.T, options ...func(*loaders.Options)) *testservice.Service {
	t.Helper()
	return testservice.Start(t, func(_ *gateway.Config, o *loaders.Options) {
		o.BatchWait = testservice.PatientBatches
		for _, option := range options {
			option(o)
		}
	})
}

// TestRequests compares the requests, waves and units of each kind of operation, as a proxy in front of the local
// engine counts them.
func TestRequests(t *testing.T) {
	t.Parallel()
	startPatiently(t).Run(t, "testdata/requests")
}

// TestMeasured compares what each Read of a plan has consumed: as one of several in a BatchGetItem, as one that has
// joined a Query, in several requests, and in mutations.
func TestMeasured(t *testing.T) {
	t.Parallel()
	startPatiently(t).Run(t, "testdata/measured")
}
