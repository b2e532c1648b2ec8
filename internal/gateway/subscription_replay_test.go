package gateway_test

import (
	"context"
	"encoding/json"
	"sync/atomic"
	"testing"
	"time"

	"github.com/partita/partita/internal/gateway"
	"github.com/partita/partita/internal/gateway/operation"
	"github.com/partita/partita/internal/live"
	"github.com/partita/partita/internal/testservice"
	"github.com/partita/partita/viewer"
)

// pages is a live.Reader of a stream whose pages have no changes.
type pages struct {
	requests atomic.Int64
	// most is how many pages there are; 0 if they have no end.
	most int64
	// paid is called when all that was paid has been sent.
	paid func()
}

func (*pages) Read(context.Context, live.Sink) error { return nil }

func (*pages) Fetch([]*live.Away) ([]live.Items, error) { return nil, live.ErrGone }

func (p *pages) Replay(ctx context.Context, _, _ live.Position, deliver func([]*live.Change)) error {
	for ctx.Err() == nil && (p.most == 0 || p.requests.Load() < p.most) {
		n := p.requests.Add(1)
		if deliver(nil); n == paidRequests && p.paid != nil {
			p.paid()
		}
	}
	return ctx.Err()
}

// paidRequests are the requests that a subscription pays at a time, without the one for the shards.
const paidRequests = 15

const replayed = `subscription { book(id: "Book:b001") { title } }`

// startReplayed starts a library with budgets, and returns a position that is older than its history.
func startReplayed(t *testing.T, p *pages, b operation.Budget) (l *library, position string) {
	t.Helper()
	l = startLibrary(t, setup{
		hub:    live.Options{Reader: p, Settings: live.Settings{HistoryBytes: 1}},
		config: func(c *gateway.Config) { c.Consumption.Budget = b },
	}, book(1, "One")...)
	s := l.subscribe(t, viewer.Viewer{ID: "first"}, replayed)
	s.wants(t, `
GetItem BOOK#b001 BOOK#b001, consistent
1 units
{"book":{"title":"One"}}`)
	for _, title := range []string{"Two", "Three"} {
		l.Put(t, book(1, title)...)
	}
	return l, s.position
}

// available returns what the budget of a viewer has after a first state.
func (l *library) available(t *testing.T, v viewer.Viewer) float64 {
	t.Helper()
	body, _ := l.subscribe(t, v, replayed).Next()
	var a liveAnswer
	if err := json.Unmarshal([]byte(body), &a); err != nil || a.Extensions.Cost.ThrottleStatus == nil {
		t.Fatalf("%v: %s", err, body)
	}
	return a.Extensions.Cost.ThrottleStatus.CurrentlyAvailable
}

// resumeUntil resumes until a context ends, without an event.
func (l *library) resumeUntil(ctx context.Context, t *testing.T, v viewer.Viewer, position string) {
	t.Helper()
	s, failed := l.subscriptions.Subscribe(ctx, v, testservice.Encoded(replayed), nil, position)
	if s == nil {
		t.Fatal(failed)
	}
	defer s.Close()
	if body, isEnd := s.Next(); !isEnd {
		t.Errorf("an event: %s", body)
	}
}

// TestReplaysHaveAPrice: a caller who resumes again and again with an old position has no more of the stream read than
// the budget has. Others do not pay for that.
func TestReplaysHaveAPrice(t *testing.T) {
	p := &pages{}
	l, position := startReplayed(t, p, operation.Budget{Maximum: 20, Restore: 0.001})
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	p.paid = cancel
	l.resumeUntil(ctx, t, testservice.Ada, position)
	for range 2 {
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		defer cancel()
		l.resumeUntil(ctx, t, testservice.Ada, position)
	}
	if n := p.requests.Load(); n != paidRequests {
		t.Errorf("%d requests to the stream", n)
	}
	if n := l.available(t, testservice.Ada); n > 3 {
		t.Errorf("the budget has %v", n)
	}
	if n := l.available(t, testservice.Other); n < 18 {
		t.Errorf("the budget of another caller has %v", n)
	}
}

// TestUnusedReplaysAreReturned: what a replay does not need is returned to the budget.
func TestUnusedReplaysAreReturned(t *testing.T) {
	l, position := startReplayed(t, &pages{most: 2}, operation.Budget{Maximum: 20, Restore: 0.001})
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	l.resumeUntil(ctx, t, testservice.Ada, position)
	if n := l.available(t, testservice.Ada); n < 15 {
		t.Errorf("the budget has %v", n)
	}
}
