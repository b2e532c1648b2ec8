package stream_test

import (
	"testing"

	"github.com/partita/partita/live/stream"
	"github.com/partita/partita/table/tabletest"
)

// TestChanges: each write is a change with the item before and after it, in the order of the writes.
func TestChanges(t *testing.T) {
	e := tabletest.Start(t, streamed)
	put(t, e, "old", 0)
	r := read(t, e.Table, stream.Options{Alone: true})
	for n := range 20 {
		put(t, e, "a", n)
	}
	r.awaitCurrent(t)
	wantValues(t, r.values(), numbers(0, 19))
	last := r.changes[19]
	if last.Key.PK != "a" || last.Key.SK != "A" || last.Old.Text("n") != "18" || last.Sequence == "" || last.At.IsZero() {
		t.Errorf("the change is %+v", last)
	}
	if r.changes[0].Old != nil {
		t.Errorf("the first change has an old item: %v", r.changes[0].Old)
	}
}
