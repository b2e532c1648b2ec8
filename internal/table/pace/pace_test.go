package pace_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/partita/partita/internal/share"
	"github.com/partita/partita/internal/table/pace"
	"github.com/partita/partita/request"
)

// server takes some units a second for a key, as DynamoDB does. What is not used can be used in the next second.
type server struct {
	mu                 sync.Mutex
	limit, left        float64
	filled             time.Time
	accepted, rejected float64
}

func (s *server) take(units float64) bool {
	time.Sleep(4 * time.Millisecond)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.left = min(s.limit, s.left+s.limit*time.Since(s.filled).Seconds())
	s.filled = time.Now()
	if s.left <= 0 {
		s.rejected += units
		return false
	}
	s.left -= units
	s.accepted += units
	return true
}

// process is a process of a gateway.
type process struct {
	*pace.Lanes
	server *server
	parts  []pace.Part
	// factor is how many times the parts a request consumes.
	factor float64
	mu     sync.Mutex
	// accepted are the units by caller.
	accepted map[string]float64
}

var key = pace.Key{Partition: "USER#1"}

func newProcess(s *server, units float64) *process {
	return &process{
		Lanes: pace.New(pace.WriteUnits), server: s, parts: []pace.Part{{Key: key, Units: units}}, factor: 1,
		accepted: map[string]float64{},
	}
}

// write sends one write until it is accepted.
func (p *process) write(ctx context.Context, caller string) {
	for attempt := 1; ctx.Err() == nil; attempt++ {
		if _, err := p.Pass(ctx, p.parts); err != nil {
			return
		}
		if p.server.take(p.parts[0].Units * p.factor) {
			p.Accepted(p.parts, p.factor)
			p.mu.Lock()
			p.accepted[caller] += p.parts[0].Units * p.factor
			p.mu.Unlock()
			return
		}
		p.Throttled(key)
		_ = request.Pause(ctx, attempt)
	}
}

// run lets callers of a process write as much as they can, each with so many writes at a time.
func (p *process) run(ctx context.Context, all *sync.WaitGroup, inFlight map[string]int) {
	for caller, n := range inFlight {
		ctx := share.NewContext(ctx, &share.Turn{Caller: share.Caller{Viewer: caller}})
		for range n {
			all.Go(func() {
				for ctx.Err() == nil {
					p.write(ctx, caller)
				}
			})
		}
	}
}

// TestLimit: whatever the limit is and what writes consume, it is used, few writes are in vain, and each caller has its
// part of what is accepted.
func TestLimit(t *testing.T) {
	for _, tt := range []struct{ limit, units, factor float64 }{
		{1000, 4, 1}, {1000, 40, 1}, {100, 2, 1}, {1000, 0.5, 80},
	} {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			s := &server{limit: tt.limit, left: tt.limit, filled: time.Now()}
			p := newProcess(s, tt.units)
			p.factor = tt.factor
			callers := map[string]int{"greedy": 40}
			for i := range 9 {
				callers[fmt.Sprint("caller", i)] = 4
			}
			var all sync.WaitGroup
			p.run(ctx, &all, callers)
			all.Wait()
			name := fmt.Sprintf("%v units, %v times, of %v a second", tt.units, tt.factor, tt.limit)
			if used := s.accepted / tt.limit / 60; used < 0.9 {
				t.Errorf("%s: %.1f %% of the limit are used", name, 100*used)
			}
			if wasted := s.rejected / (s.accepted + s.rejected); wasted > 0.08 || s.rejected == 0 {
				t.Errorf("%s: %.1f %% of the units are wasted", name, 100*wasted)
			}
			for caller, n := range p.accepted {
				if n < 0.9*s.accepted/10 {
					t.Errorf("%s: %s has %.1f %%", name, caller, 100*n/s.accepted)
				}
			}
		})
	}
}

// TestSeveralProcesses: processes that know nothing of each other divide a key, also if one of them comes later.
func TestSeveralProcesses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
		defer cancel()
		s := &server{limit: 1000, left: 1000, filled: time.Now()}
		processes := []*process{newProcess(s, 2), newProcess(s, 2), newProcess(s, 2)}
		var all sync.WaitGroup
		for _, p := range processes[:2] {
			p.run(ctx, &all, map[string]int{"caller": 20})
		}
		time.Sleep(time.Minute)
		processes[2].run(ctx, &all, map[string]int{"caller": 20})
		time.Sleep(time.Minute)
		for _, p := range processes {
			p.mu.Lock()
			p.accepted["caller"] = 0
			p.mu.Unlock()
		}
		all.Wait()
		if wasted := s.rejected / (s.accepted + s.rejected); wasted > 0.06 || s.accepted < 0.9*180*s.limit {
			t.Errorf("%.1f %% used, %.1f %% wasted", 100*s.accepted/180/s.limit, 100*wasted)
		}
		for i, p := range processes {
			if part := p.accepted["caller"] / 60 / s.limit; part < 0.25 || part > 0.42 {
				t.Errorf("process %d has %.1f %%", i, 100*part)
			}
		}
	})
}

// TestManyProcesses: also if a key has little for each of many processes, it is used, and few writes are in vain.
func TestManyProcesses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		s := &server{limit: 1000, left: 1000, filled: time.Now()}
		var all sync.WaitGroup
		for range 50 {
			newProcess(s, 4).run(ctx, &all, map[string]int{"caller": 2})
		}
		time.Sleep(30 * time.Second)
		s.mu.Lock()
		s.accepted, s.rejected = 0, 0
		s.mu.Unlock()
		all.Wait()
		if wasted := s.rejected / (s.accepted + s.rejected); wasted > 0.1 || s.accepted < 0.9*30*s.limit {
			t.Errorf("%.1f %% used, %.1f %% wasted", 100*s.accepted/30/s.limit, 100*wasted)
		}
	})
}

// TestOutage: a key that takes nothing for a second is soon used again.
func TestOutage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 8*time.Second)
		defer cancel()
		s := &server{limit: 1000, left: -1000, filled: time.Now()}
		var all sync.WaitGroup
		for range 3 {
			newProcess(s, 2).run(ctx, &all, map[string]int{"caller": 10})
		}
		all.Wait()
		if used := s.accepted / 7 / s.limit; used < 0.7 {
			t.Errorf("%.1f %% of the limit are used", 100*used)
		}
	})
}

// TestTooLate: a write that has no turn in time is throttled, one that nobody waits for is cancelled, and others are
// not affected.
func TestTooLate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newProcess(nil, 3000)
		p.Throttled(key)
		pass := func(ctx context.Context) (time.Duration, error) { return p.Pass(ctx, p.parts) }
		if waited, err := pass(t.Context()); waited != 0 || err != nil {
			t.Errorf("the first waits %v, %v", waited, err)
		}
		late, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if waited, err := pass(late); waited != time.Second || !errors.Is(err, request.ErrThrottled) {
			t.Errorf("after %v: %v", waited, err)
		}
		gone, leave := context.WithCancel(t.Context())
		leave()
		if _, err := pass(gone); !errors.Is(err, context.Canceled) || errors.Is(err, request.ErrThrottled) {
			t.Errorf("cancelled: %v", err)
		}
		if waited, err := p.Pass(t.Context(), []pace.Part{{Key: pace.Key{Partition: "USER#2"}, Units: 1}}); waited != 0 ||
			err != nil {
			t.Errorf("another key waits %v, %v", waited, err)
		}
	})
}

// TestForgotten: the memory for keys is limited, and those that are not throttled any more are forgotten.
func TestForgotten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := pace.New(pace.WriteUnits)
		hasLane := func(i int) bool {
			parts := []pace.Part{{Key: pace.Key{Index: "GSI1", Partition: fmt.Sprint(i)}, Units: 1e6}}
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			_, _ = l.Pass(ctx, parts)
			_, err := l.Pass(ctx, parts)
			return err != nil
		}
		throttle := func(i int) { l.Throttled(pace.Key{Index: "GSI1", Partition: fmt.Sprint(i)}) }
		for i := range 257 {
			throttle(i)
		}
		if !hasLane(0) || !hasLane(255) || hasLane(256) {
			t.Error("not 256 keys have lanes")
		}
		time.Sleep(time.Minute)
		throttle(256)
		if hasLane(0) || !hasLane(256) {
			t.Error("a key that was not throttled for a minute has a lane, or a new one has none")
		}
	})
}
