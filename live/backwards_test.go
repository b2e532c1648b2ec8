package live_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/partita/partita/live"
)

// TestCurrentGoesBack: another replica reads the stream, and its clock is behind. A change that may be in a first state
// is not lost, although those held before have been released.
func TestCurrentGoesBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h, s := newHub(t, live.Options{}), stream{}
		time.Sleep(time.Second)
		one, two := note("ann", "1", "a", "red"), note("ann", "2", "a", "red")
		changes := []*live.Change{s.change(nil, one), s.change(nil, two)}
		f := started(t, h, condition(t, "notes", "ann"))
		h.Deliver(changes[:1])
		none(t, f)
		h.Current(time.Now())
		wantChange(t, f, changes[0])
		h.Current(time.Now().Add(-time.Millisecond))
		h.Deliver(changes[1:])
		h.Current(time.Now())
		wantChange(t, f, changes[1])
	})
}
