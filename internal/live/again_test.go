package live_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/partita/partita/internal/live"
	_ "github.com/partita/partita/internal/soak" // the cases of rapid
	"github.com/partita/partita/item"
)

// behind returns shards, a hub that has delivered changes in two of them, the position of a feed that has received
// these, and a hub that has delivered none.
func behind(t *testing.T, o live.Options) (s *shards, ahead, late *live.Hub, position string) {
	t.Helper()
	s = newShards()
	o.Reader = s
	ahead, late = newHub(t, o), newHub(t, o)
	ahead.Current(s.now)
	f := started(t, ahead, condition(t, "notes", "ann"))
	s.change("ann", "1")
	s.change("ann", "2")
	ahead.Deliver(s.changes[shardOf("1")])
	ahead.Deliver(s.changes[shardOf("2")])
	next(t, f)
	return s, ahead, late, next(t, f).Position()
}

// TestResumeBehindAgain: a client resumes at a replica that is behind another one, receives an event there, and resumes
// after it, wherever. It has had what the replica has not delivered yet.
func TestResumeBehindAgain(t *testing.T) {
	for _, name := range []string{"at the same replica", "at another one", "by a replay"} {
		t.Run(name, func(t *testing.T) {
			s, ahead, late, position := behind(t, live.Options{})
			f := subscribe(t, late, condition(t, "notes", "ann"), position)
			s.change("ann", "1")
			one, two := s.changes[shardOf("1")], s.changes[shardOf("2")]
			late.Deliver(one)
			position = wantChange(t, f, one[1]).Position()
			if of := f.Position(); name != "by a replay" && of != "" {
				position = of
			}
			again := late
			switch name {
			case "at another one":
				again = ahead
				ahead.Deliver(one[1:])
			case "by a replay":
				again = newHub(t, live.Options{Reader: s})
			}
			f = subscribe(t, again, condition(t, "notes", "ann"), position)
			if again == late {
				late.Deliver(two)
			}
			s.now = s.now.Add(time.Second)
			s.change("ann", "2")
			again.Deliver(s.changes[shardOf("2")][1:])
			wantChange(t, f, s.changes[shardOf("2")][1])
			none(t, f)
		})
	}
}

// TestBehindForLong: a replica that is behind for longer than a position is compared delivers nothing twice, although
// it has been reported that the stream was read until then.
func TestBehindForLong(t *testing.T) {
	s, _, late, position := behind(t, live.Options{})
	one, two := s.changes[shardOf("1")], s.changes[shardOf("2")]
	late.Deliver([]*live.Change{s.earlier("1"), s.earlier("2")})
	f := subscribe(t, late, condition(t, "notes", "ann"), position)
	late.Current(s.now.Add(time.Hour))
	late.Deliver(one)
	late.Deliver(two)
	none(t, f)
	late.Current(s.now.Add(2 * time.Hour))
	s.change("ann", "2")
	late.Deliver(s.changes[shardOf("2")][1:])
	wantChange(t, f, s.changes[shardOf("2")][1])
}

// earlier returns a change of another person that is before all of a shard.
func (s *shards) earlier(id string) *live.Change {
	it := note("bob", id, "0", "red")
	return &live.Change{New: it, At: s.started.Add(-time.Hour), Shard: shardOf(id), Sequence: "1"}
}

// TestReplayBeforeThePosition: a replay for several feeds begins before the position of one of them, in a shard that
// this position does not have. The positions after its events are not before its own there.
func TestReplayBeforeThePosition(t *testing.T) {
	s := newShards()
	h := newHub(t, live.Options{})
	f := started(t, h, condition(t, "notes", "ann"))
	h.Current(s.now)
	s.change("ann", "1")
	s.change("ann", "1")
	one := s.changes[shardOf("1")]
	// The shard of the two changes is a quiet one at the time of the position, beside many others.
	late := quietPosition(t, h, s, f, one)
	s.change("ann", "2")
	two := s.changes[shardOf("2")]

	resumed := func(changes ...[]*live.Change) *live.Feed {
		h := live.NewHub(tableDesign, live.Options{Reader: replayFunc(
			func(_ context.Context, deliver func([]*live.Change)) error {
				for _, c := range changes {
					deliver(c)
				}
				return nil
			})})
		t.Cleanup(h.Close)
		h.Current(s.now)
		return subscribe(t, h, condition(t, "notes", "ann"), late)
	}
	late = wantChange(t, resumed(one[:1], two), two[0]).Position()
	s.change("ann", "2")
	two = s.changes[shardOf("2")]
	wantChange(t, resumed(one, two), two[1])
}

// quietPosition returns a position that does not have the shard of some changes, although they were received.
func quietPosition(t *testing.T, h *live.Hub, s *shards, f *live.Feed, changes []*live.Change) string {
	t.Helper()
	h.Deliver(changes)
	for range changes {
		next(t, f)
	}
	s.now = s.now.Add(time.Hour)
	for _, id := range []string{"20", "21", "22", "23", "24", "25", "26", "27", "28"} {
		s.change("bob", id)
		h.Deliver(s.changes[shardOf(id)])
		delete(s.changes, shardOf(id))
	}
	h.Current(s.now)
	return f.Position()
}

// TestLatePositions: an event that was expected to be in the first state is delivered after others. A client that
// resumes after it does not get those again, and one that resumes before it does not lose it.
func TestLatePositions(t *testing.T) {
	h, s := newHub(t, live.Options{}), stream{}
	f := started(t, h, condition(t, "ofColour", "red"), note("ann", "1", "old1", "red"), note("ann", "2", "old1", "red"))
	deliver := func(id, was, is string) *live.Change {
		var old item.Item
		if was != "" {
			old = note("ann", id, was, "red")
		}
		c := s.change(old, note("ann", id, is, "red"))
		c.At = time.Now().Add(time.Minute) // it is certain that the state does not have it
		h.Deliver([]*live.Change{c})
		return c
	}
	lost := []*live.Change{deliver("1", "b1", "c1"), deliver("2", "b1", "c1")} // the index has not had b1
	other := deliver("3", "", "c1")
	before := wantChange(t, f, other).Position()
	h.Current(time.Now().Add(time.Minute))
	first, second := next(t, f), next(t, f)
	if first.Change == second.Change || first.Change != lost[0] && first.Change != lost[1] {
		t.Errorf("got %v and %v", first.Change, second.Change)
	}
	for name, position := range map[string]string{"before": before, "between": first.Position()} {
		f := subscribe(t, h, condition(t, "ofColour", "red"), position)
		if err := ends(t, f); !errors.Is(err, live.ErrUnsettled) {
			t.Errorf("%s: got %v", name, err)
		}
	}
	f = subscribe(t, h, condition(t, "ofColour", "red"), second.Position())
	none(t, f)
	wantChange(t, f, deliver("3", "c1", "d1"))
}

// TestResumeAndAgain resumes several times, at gateways that have read different parts of the shards. All events of the
// clients together are the changes, none twice.
func TestResumeAndAgain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := newShards()
		o := live.Options{Reader: s}
		o.HistoryBytes = rapid.SampledFrom([]int{1, 1500, 1 << 20}).Draw(t, "history")
		gateways := []*reading{newReading(t, s, o), newReading(t, s, o), newReading(t, s, o)}
		f := startedAt(t, gateways[0].hub)
		for range rapid.IntRange(1, 5).Draw(t, "resumes") {
			s.write(t, "written")
			for _, g := range gateways {
				switch rapid.SampledFrom([]string{"nothing", "some", "some", "all"}).Draw(t, "read") {
				case "some":
					g.some(t)
				case "all":
					g.all()
				}
			}
			position, _ := receive(t, f, s)
			f.Close()
			f = resume(t, rapid.SampledFrom(gateways).Draw(t, "gateway").hub, position)
		}
		s.write(t, "last")
		for _, g := range gateways {
			g.all()
		}
		expect(t, f, s, s.received)
		for _, g := range gateways {
			g.hub.Current(s.now.Add(time.Minute))
		}
		if e, ok := waiting(f); ok {
			t.Fatalf("%s of %s is a duplicate", e.Sequence, e.Shard)
		}
	})
}
