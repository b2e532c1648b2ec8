package loaders_test

import (
	"testing"

	"github.com/partita/partita/internal/gateway"
	"github.com/partita/partita/internal/testservice"
	"github.com/partita/partita/loaders"
)

// TestRequests compares the requests, waves and units of each kind of operation, as a proxy in front of the local
// engine counts them.
func TestRequests(t *testing.T) {
	t.Parallel()
	testservice.Start(t, func(_ *gateway.Config, o *loaders.Options) {
		o.BatchWait = testservice.PatientBatches
	}).Run(t, "testdata/requests")
}

// TestMeasured compares what each Read of a plan has consumed: as one of several in a BatchGetItem, as one that has
// joined a Query, in several requests, and in mutations.
func TestMeasured(t *testing.T) {
	t.Parallel()
	testservice.Start(t, func(_ *gateway.Config, o *loaders.Options) {
		o.BatchWait = testservice.PatientBatches
	}).Run(t, "testdata/measured")
}
