package loaders_test

import (
	"testing"

	"github.com/partita/partita/internal/gateway"
	"github.com/partita/partita/internal/testservice"
	"github.com/partita/partita/loaders"
)

// TestWaveOfManyRequests: a wave counts as many times as it is waited for, in the estimate as well.
func TestWaveOfManyRequests(t *testing.T) {
	t.Parallel()
	const query = `{ a: bookByIsbn(isbn: "1") { title } b: bookByIsbn(isbn: "2") { title }
		c: bookByIsbn(isbn: "3") { title } d: bookByIsbn(isbn: "4") { title } e: bookByIsbn(isbn: "5") { title } }`
	for inFlight, want := range map[int]int{0: 1, 5: 1, 4: 2, 2: 3} {
		s := testservice.Start(t, func(_ *gateway.Config, o *loaders.Options) { o.MaxInFlightPerOperation = inFlight })
		a := s.Must(t, query, nil)
		if got := a.Extensions.Cost; got.Requests != 5 || got.Waves != want || a.Estimate.Waves != want {
			t.Errorf("%d in flight: %d requests in %d waves, estimated %d; want 5 in %d",
				inFlight, got.Requests, got.Waves, a.Estimate.Waves, want)
		}
	}
}
