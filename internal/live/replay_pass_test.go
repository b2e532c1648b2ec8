package live_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/partita/partita/internal/live"
)

// replayFunc is the Replay of a live.Reader.
type replayFunc func(ctx context.Context, deliver func([]*live.Change)) error

func (replayFunc) Read(context.Context, live.Sink) error { return nil }

func (replayFunc) Fetch([]*live.Away) ([]live.Items, error) { return nil, live.ErrGone }

func (r replayFunc) Replay(ctx context.Context, _, _ live.Position, deliver func([]*live.Change)) error {
	return r(ctx, deliver)
}

// TestReplayIsPassedAtOnce: a replay through a slow table takes longer than clients wait. A feed has the events of each
// page as soon as that is read, and can resume after them if the replay fails. Changes that come meanwhile do not end
// the feed, although its reader cannot receive them yet.
func TestReplayIsPassedAtOnce(t *testing.T) {
	for name, fails := range map[string]error{"succeeds": nil, "fails": errors.New("no connection")} {
		t.Run(name, func(t *testing.T) {
			s := newShards()
			for range 6 {
				s.change("ann", "1")
			}
			changes := s.changes[shardOf("1")]
			goOn := make(chan struct{})
			second := newHub(t, live.Options{Settings: live.Settings{Queue: 3}, Reader: replayFunc(
				func(ctx context.Context, deliver func([]*live.Change)) error {
					deliver(changes[:2])
					select {
					case <-goOn:
					case <-ctx.Done():
						return ctx.Err()
					}
					deliver(changes[2:3])
					return fails
				})})
			position := started(t, newHub(t, live.Options{}), condition(t, "notes", "ann")).Position()
			f := subscribe(t, second, condition(t, "notes", "ann"), position)
			wantChange(t, f, changes[0])
			position = wantChange(t, f, changes[1]).Position()
			second.Deliver(changes[2:])
			none(t, f)
			close(goOn)
			if fails == nil {
				for _, c := range changes[2:] {
					wantChange(t, f, c)
				}
				none(t, f)
				return
			}
			if err := ends(t, f); !errors.Is(err, live.ErrUnavailable) {
				t.Errorf("got %v", err)
			}
			all := replayFunc(func(_ context.Context, deliver func([]*live.Change)) error {
				deliver(changes)
				return nil
			})
			f = subscribe(t, newHub(t, live.Options{Reader: all}), condition(t, "notes", "ann"), position)
			for _, c := range changes[2:] {
				wantChange(t, f, c)
			}
		})
	}
}

func wantChange(t *testing.T, f *live.Feed, want *live.Change) live.Event {
	t.Helper()
	e := next(t, f)
	if e.Change != want {
		t.Fatalf("got the change %s of %s, want %s of %s", e.Sequence, e.Shard, want.Sequence, want.Shard)
	}
	return e
}

// TestSharedReplay: a replay for two feeds begins before the position of one of them. The positions of its events are
// not before its own in any shard.
func TestSharedReplay(t *testing.T) {
	s := newShards()
	s.change("ann", "1")
	s.change("ann", "1")
	s.change("ann", "2")
	s.change("ann", "2")
	one, two := s.changes[shardOf("1")], s.changes[shardOf("2")]

	h := newHub(t, live.Options{})
	f := started(t, h, condition(t, "notes", "ann"))
	early := f.Position()
	h.Deliver(one)
	h.Deliver(two[:1])
	for range 3 {
		next(t, f)
	}
	late := f.Position()

	goOn := make(chan struct{})
	hub := newHub(t, live.Options{Reader: replayFunc(func(_ context.Context, deliver func([]*live.Change)) error {
		<-goOn
		deliver(one[:1]) // the second one is late's, and comes after its event
		deliver(two)
		deliver(one[1:])
		return nil
	})})
	subscribe(t, hub, condition(t, "notes", "bob"), early) // the others wait for this one's, and share the next
	subscribe(t, hub, condition(t, "notes", "ann"), early)
	f = subscribe(t, hub, condition(t, "notes", "ann"), late)
	close(goOn)
	position := wantChange(t, f, two[1]).Position()
	none(t, f)

	again := newHub(t, live.Options{Reader: s})
	f = subscribe(t, again, condition(t, "notes", "ann"), position)
	again.Deliver([]*live.Change{s.later("ann", "1")})
	if e := next(t, f); e.Change != s.changes[shardOf("1")][2] {
		t.Errorf("%s of %s is a duplicate", e.Sequence, e.Shard)
	}
}

// later adds a change of a note, and returns it.
func (s *shards) later(person, id string) *live.Change {
	s.now = s.now.Add(time.Second)
	s.change(person, id)
	changes := s.changes[shardOf(id)]
	return changes[len(changes)-1]
}
