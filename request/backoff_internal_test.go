package request

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
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

// TestPause: a pause ends at its ceiling at the latest, or with its context.
func TestPause(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begin := time.Now()
		if err := Pause(t.Context(), 3); err != nil || time.Since(begin) >= backoffCeiling(3) {
			t.Errorf("got %v after %v", err, time.Since(begin))
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		// The random time may be so short that a pause ends before its context is looked at.
		for range 100 {
			if err := Pause(ctx, 7); err != nil {
				if !errors.Is(err, context.Canceled) {
					t.Errorf("got %v", err)
				}
				return
			}
		}
		t.Error("no pause ended with its context")
	})
}
