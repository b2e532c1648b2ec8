package loaders_test

import (
	"testing"

	"github.com/partita/partita/internal/testservice"
)

// TestRequests compares the requests, waves and units of each kind of operation, as a proxy in front of the local
// engine counts them.
func TestRequests(t *testing.T) {
	t.Parallel()
	testservice.Start(t).Run(t, "testdata/requests")
}
