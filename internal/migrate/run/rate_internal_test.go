package run

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

// TestLimiter: units are consumed at the rate, which may change while somebody waits; none are during a pause.
func TestLimiter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		spent := func(l *limiter, units float64) time.Duration {
			begin := time.Now()
			if err := l.spend(t.Context(), units); err != nil {
				t.Fatal(err)
			}
			return time.Since(begin)
		}
		l := newLimiter(100)
		if took := spent(l, 1100); took < 9*time.Second || took > 11*time.Second {
			t.Errorf("1100 units at 100 a second took %s", took)
		}
		time.AfterFunc(5*time.Second, func() { l.set(-1, 0) })
		if took := spent(l, 1e6); took != 5*time.Second {
			t.Errorf("without a limit after 5 s it took %s", took)
		}
		l.set(0, 100)
		time.AfterFunc(time.Hour, func() { l.set(1000, 100) })
		if took := spent(l, 2000); took < time.Hour || took > time.Hour+3*time.Second {
			t.Errorf("a pause of an hour took %s", took)
		}
		lost := errors.New("lost")
		l.set(0, 0)
		time.AfterFunc(time.Minute, func() { l.fail(lost) })
		if err := l.spend(t.Context(), 1); !errors.Is(err, lost) {
			t.Errorf("the error is %v", err)
		}
	})
}
