package live_test

import (
	"context"
	"errors"
	"math"
	"testing"
	"time"

	"github.com/partita/partita/internal/live"
)

// pages is a live.Reader whose requests have no changes, and which the test answers one by one.
type pages struct {
	answer chan struct{}
	// began receives where replays begin.
	began chan live.Position
}

func newPages() *pages {
	return &pages{answer: make(chan struct{}), began: make(chan live.Position, 100)}
}

func (*pages) Read(context.Context, live.Sink) error { return nil }

func (*pages) Fetch([]*live.Away) ([]live.Items, error) { return nil, live.ErrGone }

func (p *pages) Replay(ctx context.Context, after, _ live.Position, deliver func([]*live.Change)) error {
	p.began <- after
	for {
		select {
		case _, more := <-p.answer:
			if !more {
				return nil
			}
			deliver(nil)
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// away returns a function that subscribes after a position whose changes the hub does not have.
func away(t *testing.T, r live.Reader) (resumed func(requests float64, ago time.Duration) *live.Feed) {
	t.Helper()
	hub := live.NewHub(tableDesign, live.Options{Reader: r})
	t.Cleanup(hub.Close)
	now := time.Now()
	hub.Current(now)
	return func(requests float64, ago time.Duration) *live.Feed {
		first := live.NewHub(tableDesign, live.Options{})
		defer first.Close()
		first.Current(now.Add(-ago))
		position := started(t, first, condition(t, "notes", "ann")).Position()
		f := must(hub.Subscribe(condition(t, "notes", "ann"), position))
		t.Cleanup(f.Close)
		f.Replay(requests)
		return f
	}
}

// TestReplayIsPaid: a feed gets nothing of the stream that has not been paid, and goes on where it was.
func TestReplayIsPaid(t *testing.T) {
	p := newPages()
	resumed := away(t, p)
	f := resumed(0, time.Hour)
	if _, err := f.Next(t.Context()); !errors.Is(err, live.ErrReplay) {
		t.Fatalf("without a payment: %v", err)
	}
	for range 2 {
		f.Replay(3)
		<-p.began // the request for the shards is the first one
		p.answer <- struct{}{}
		p.answer <- struct{}{}
		if _, err := f.Next(t.Context()); !errors.Is(err, live.ErrReplay) {
			t.Fatalf("after three requests: %v", err)
		}
		if used, mayBeMore := f.Replayed(); used != 3 || !mayBeMore {
			t.Errorf("%v requests, may be more: %v", used, mayBeMore)
		}
	}
	f.Replay(3)
	<-p.began
	close(p.answer)
	untilLive(t, f)
}

// TestReplayIsShared: feeds that wait at the same time pay a part of each request.
func TestReplayIsShared(t *testing.T) {
	p := newPages()
	resumed := away(t, p)
	alone := resumed(2, time.Hour)
	<-p.began
	shared := []*live.Feed{resumed(100, time.Hour), resumed(100, time.Hour), resumed(1, time.Hour), resumed(1, time.Hour)}
	p.answer <- struct{}{}
	if _, err := alone.Next(t.Context()); !errors.Is(err, live.ErrReplay) {
		t.Fatal(err)
	}
	<-p.began
	for range 7 {
		p.answer <- struct{}{}
	}
	close(p.answer)
	for i, want := range []float64{3, 3, 1, 1} { // two have paid for half of the eight requests
		used, mayBeMore := shared[i].Replayed()
		if want == 3 && mayBeMore {
			used += untilLive(t, shared[i])
		}
		if used != want {
			t.Errorf("feed %d has used %v requests, want %v", i, used, want)
		}
	}
}

// TestReplayMakesRoom: clients that were away for long do not keep others from what they have missed since.
func TestReplayMakesRoom(t *testing.T) {
	replays := 0
	resumed := away(t, replayFunc(func(ctx context.Context, deliver func([]*live.Change)) error {
		replays++
		for replays != 2 && ctx.Err() == nil { // the second one has little to read
			deliver(nil)
		}
		return ctx.Err()
	}))
	resumed(math.MaxInt, 20*time.Hour)
	short := resumed(math.MaxInt, time.Minute)
	resumed(math.MaxInt, 20*time.Hour)
	untilLive(t, short)
}

// TestReplayOfAQuietShard: a replay does not begin at the oldest record of a shard that had no change for hours before
// the position.
func TestReplayOfAQuietShard(t *testing.T) {
	s, p := newShards(), newPages()
	close(p.answer)
	first := newHub(t, live.Options{})
	s.change("bob", "1")
	s.now = s.now.Add(3 * time.Hour)
	s.change("bob", "2")
	quiet, busy := s.changes[shardOf("1")], s.changes[shardOf("2")]
	f := started(t, first, condition(t, "notes", "ann"))
	first.Deliver(quiet)
	first.Deliver(busy)
	first.Current(s.now)
	position := f.Position()
	s.later("bob", "1")
	late := live.NewHub(tableDesign, live.Options{Reader: p})
	t.Cleanup(late.Close)
	late.Current(s.now)
	late.Deliver(s.changes[shardOf("1")][1:]) // how far the shard was before is not known here
	subscribe(t, late, condition(t, "notes", "ann"), position)
	if after := <-p.began; after[shardOf("1")] != quiet[0].Sequence || after[shardOf("2")] != busy[0].Sequence {
		t.Errorf("it begins at %v", after)
	}
}

// TestReplayGoesOnInAQuietShard: a replay that is paid one request at a time gets through records before the position,
// of a shard that the position does not have.
func TestReplayGoesOnInAQuietShard(t *testing.T) {
	s := newShards()
	for range 5 {
		s.change("ann", "1")
	}
	s.now = s.now.Add(time.Hour)
	first := newHub(t, live.Options{})
	first.Current(s.now) // it has begun after the changes
	position := started(t, first, condition(t, "notes", "ann")).Position()
	want := s.later("ann", "1")
	h := live.NewHub(tableDesign, live.Options{Reader: s})
	t.Cleanup(h.Close)
	h.Current(s.now)
	h.Deliver([]*live.Change{want})
	f := must(h.Subscribe(condition(t, "notes", "ann"), position))
	t.Cleanup(f.Close)
	for range len(s.changes[shardOf("1")]) + 1 {
		e, err := f.Next(t.Context())
		switch {
		case err == nil && e.Change == want:
			return
		case !errors.Is(err, live.ErrReplay):
			t.Fatalf("got %v, %v", e, err)
		}
		f.Replay(2)
	}
	t.Error("the replay does not get any further")
}
