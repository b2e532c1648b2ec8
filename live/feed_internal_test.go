package live

import (
	"testing"

	"github.com/partita/partita/keys"
)

// TestQueueIsBounded: the memory of a queue that is never empty does not grow with what has been received.
func TestQueueIsBounded(t *testing.T) {
	f := &Feed{
		matcher: matcher{hub: &Hub{options: Options{Queue: 4}}}, ready: make(chan struct{}, 1),
		condition: &keys.Condition{Field: &keys.Field{Kind: keys.Query}},
	}
	f.push(queued{number: 1})
	for n := uint64(1); n <= 10_000; n++ {
		f.push(queued{number: n + 1})
		if _, ok, err := f.pop(); !ok || err != nil || f.last.number != n {
			t.Fatalf("event %d: got %d, %v, %v", n, f.last.number, ok, err)
		}
	}
	if cap(f.queue) > 32 {
		t.Errorf("the queue has room for %d", cap(f.queue))
	}
}
