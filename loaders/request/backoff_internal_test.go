package request

import (
	"testing"
	"time"
)

func TestBackoff(t *testing.T) {
	for attempt, ceiling := range map[int]time.Duration{
		1: 25 * time.Millisecond, 2: 50 * time.Millisecond, 3: 100 * time.Millisecond,
		6: 800 * time.Millisecond, 7: time.Second, 1000: time.Second,
	} {
		if got := backoffCeiling(attempt); got != ceiling {
			t.Errorf("attempt %d: ceiling %v, want %v", attempt, got, ceiling)
		}
		var low, high bool
		for range 1000 {
			d := Backoff(attempt)
			if d < 0 || d >= ceiling {
				t.Fatalf("attempt %d: %v", attempt, d)
			}
			low = low || d < ceiling/4
			high = high || d > ceiling*3/4
		}
		if !low || !high {
			t.Errorf("attempt %d: the jitter is not full", attempt)
		}
	}
}
