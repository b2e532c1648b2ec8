package live_test

import (
	"context"
	"errors"
	"math"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/live"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// shards is a stream with several shards that has all changes. It is a live.Reader.
type shards struct {
	mu      sync.Mutex
	now     time.Time
	changes map[string][]*live.Change
	items   map[string]item.Item
	last    int
	// started is when no change was written yet.
	started time.Time
	// received are the changes that have been received.
	received map[*live.Change]bool
	replays  int
	err      error
	// hold is received from before a replay passes anything, if it is not nil.
	hold chan struct{}
}

func newShards() *shards {
	at := time.Now().Add(time.Minute).Truncate(time.Millisecond) // no change can be in a state that is read now
	return &shards{
		now: at, started: at, changes: map[string][]*live.Change{}, items: map[string]item.Item{},
		received: map[*live.Change]bool{},
	}
}

// write adds some changes.
func (s *shards) write(t *rapid.T, name string) {
	for range rapid.IntRange(0, 8).Draw(t, name) {
		person := rapid.SampledFrom([]string{"ann", "ann", "bob"}).Draw(t, "person")
		s.change(person, rapid.SampledFrom([]string{"1", "2", "3"}).Draw(t, "id"))
		s.now = s.now.Add(time.Duration(rapid.SampledFrom([]int{0, 1, 100, 100_000}).Draw(t, "ms")) * time.Millisecond)
	}
}

// change adds a change of a note, which is in the shard of its id.
func (s *shards) change(person, id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.last++
	it := note(person, id, strconv.Itoa(s.last), "red")
	shard := shardOf(id)
	s.changes[shard] = append(s.changes[shard], &live.Change{
		Key: keys.KeyOf(it), Old: s.items[person+id], New: it, At: s.now, Shard: shard, Sequence: strconv.Itoa(7 + s.last),
	})
	s.items[person+id] = it
}

func shardOf(id string) string { return "shardId-0000000000000000000" + id + "-abc" }

// ends returns the number of changes of each shard.
func (s *shards) ends() map[string]int {
	all := map[string]int{}
	for shard, changes := range s.changes {
		all[shard] = len(changes)
	}
	return all
}

func (s *shards) Read(context.Context, live.Sink) error { return nil }

func (*shards) Fetch([]*live.Away) ([]live.Items, error) { return nil, live.ErrGone }

// Replay implements live.Reader.
func (s *shards) Replay(ctx context.Context, after, until live.Position, deliver func([]*live.Change)) error {
	if s.hold != nil {
		select {
		case <-s.hold:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.replays++; s.err != nil {
		return s.err
	}
	for shard, changes := range s.changes {
		for _, c := range changes {
			from, hasFrom := after[shard]
			to, hasTo := until[shard]
			if hasFrom && compare(c.Sequence, from) <= 0 || hasTo && compare(c.Sequence, to) > 0 {
				continue
			}
			deliver([]*live.Change{c})
		}
	}
	return nil
}

func compare(a, b string) int {
	n, _ := strconv.Atoi(a)
	m, _ := strconv.Atoi(b)
	return n - m
}

// reading is how far a gateway has read the shards.
type reading struct {
	*shards
	hub  *live.Hub
	read map[string]int
}

func newReading(t *rapid.T, s *shards, o live.Options) *reading {
	r := &reading{s, live.NewHub(tableDesign, o), map[string]int{}}
	t.Cleanup(r.hub.Close)
	r.hub.Current(s.now)
	return r
}

// some delivers some changes, in any order of the shards.
func (r *reading) some(t *rapid.T) {
	for _, shard := range rapid.Permutation(slices.Sorted(mapKeys(r.changes))).Draw(t, "shards") {
		n := rapid.IntRange(r.read[shard], len(r.changes[shard])).Draw(t, "until")
		r.hub.Deliver(r.changes[shard][r.read[shard]:n])
		r.read[shard] = n
	}
}

// all delivers all changes.
func (r *reading) all() {
	for _, shard := range slices.Sorted(mapKeys(r.changes)) {
		r.hub.Deliver(r.changes[shard][r.read[shard]:])
		r.read[shard] = len(r.changes[shard])
	}
	r.hub.Current(r.now)
}

func mapKeys[V any](m map[string]V) func(func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

// TestResume reads a feed at one gateway until some event, and then at the same or another one that has read other
// parts of the shards. The second one has exactly the rest, also if another client resumes there at the same time.
func TestResume(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := newShards()
		o := live.Options{Reader: s}
		o.HistoryBytes = rapid.SampledFrom([]int{1, 1500, 1 << 20}).Draw(t, "history")
		first, replica := newReading(t, s, o), newReading(t, s, o)
		f := startedAt(t, first.hub)
		s.write(t, "first")
		first.some(t)
		replica.some(t)
		if rapid.Bool().Draw(t, "current") {
			first.all()
		}
		s.write(t, "more")
		first.some(t)
		older, olderRest := receive(t, f, s)
		newer, newerRest := receive(t, f, s)

		second := rapid.SampledFrom([]*reading{first, replica, nil}).Draw(t, "gateway")
		if second == nil {
			second = newReading(t, s, o)
			second.read = s.ends()
		}
		s.write(t, "missed")
		second.some(t)
		second.hub.Current(s.started)
		resumed := []*live.Feed{resume(t, second.hub, newer), resume(t, second.hub, older)}
		s.write(t, "later")
		second.some(t)
		second.all()

		expect(t, resumed[0], s, newerRest)
		expect(t, resumed[1], s, olderRest)
		second.hub.Current(s.now.Add(time.Minute))
		for _, f := range resumed {
			if e, ok := waiting(f); ok {
				t.Fatalf("%s of %s is a duplicate", e.Sequence, e.Shard)
			}
		}
	})
}

// receive receives some events. It returns a position after them, and the changes that have been received.
func receive(t *rapid.T, f *live.Feed, s *shards) (position string, received map[*live.Change]bool) {
	position, received = f.Position(), s.received
	s.received = map[*live.Change]bool{}
	for c := range received {
		s.received[c] = true
	}
	for range rapid.IntRange(0, s.last).Draw(t, "events") {
		e, ok := waiting(f)
		if !ok {
			break
		}
		if s.received[e.Change] {
			t.Fatalf("%s of %s is a duplicate", e.Sequence, e.Shard)
		}
		s.received[e.Change] = true
		position = e.Position()
	}
	if rapid.Bool().Draw(t, "of the feed") {
		position = f.Position()
	}
	return position, s.received
}

func resume(t *rapid.T, h *live.Hub, position string) *live.Feed {
	f := must(h.Subscribe(conditionOf(t), position))
	f.Replay(math.MaxInt)
	return f
}

// expect receives all changes but those that have been received before, those of each item in their order.
func expect(t *rapid.T, f *live.Feed, s *shards, received map[*live.Change]bool) {
	want, count := map[string][]*live.Change{}, 0
	for _, changes := range s.changes {
		for _, c := range changes {
			if c.Key.PK == "PERSON#ann" && !received[c] {
				want[string(c.Key.SK)] = append(want[string(c.Key.SK)], c)
				count++
			}
		}
	}
	for range count {
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		e, err := f.Next(ctx)
		cancel()
		fatal.If(t, err)
		id := string(e.Key.SK)
		if len(want[id]) == 0 || want[id][0] != e.Change {
			t.Fatalf("item %s: got %s of %s, want %v", id, e.Sequence, e.Shard, want[id])
		}
		want[id] = want[id][1:]
	}
}

func conditionOf(t *rapid.T) *design.Condition {
	f := tableDesign.MustField("Query", "notes")
	c := must(f.Bind(func(string) keys.Value { return keys.StringValue("ann") }).Condition())
	return &c
}

func startedAt(t *rapid.T, h *live.Hub) *live.Feed {
	f := must(h.Subscribe(conditionOf(t), ""))
	f.Begin(live.State{})
	return f
}

// TestReplayFails: a feed that resumes ends with the reason.
func TestReplayFails(t *testing.T) {
	for _, c := range []struct{ fails, want error }{
		{live.ErrExpired, live.ErrExpired}, {errors.New("no connection"), live.ErrUnavailable},
	} {
		s := newShards()
		o := live.Options{Reader: s}
		s.err = c.fails
		first, second := newHub(t, o), newHub(t, o)
		position := started(t, first, condition(t, "notes", "ann")).Position()
		f := subscribe(t, second, condition(t, "notes", "ann"), position)
		if err := ends(t, f); !errors.Is(err, c.want) {
			t.Errorf("%v: got %v", c.fails, err)
		}
	}
}

// TestReplayEnds: nothing is replayed for feeds that are closed, and Close waits for what is being replayed.
func TestReplayEnds(t *testing.T) {
	s := newShards()
	s.hold = make(chan struct{})
	o := live.Options{Reader: s}
	first, second := newHub(t, o), newHub(t, o)
	position := started(t, first, condition(t, "notes", "ann")).Position()
	f := subscribe(t, second, condition(t, "notes", "ann"), position)
	subscribe(t, second, condition(t, "notes", "ann"), position).Close()
	second.Close()
	if err := ends(t, f); !errors.Is(err, live.ErrUnavailable) {
		t.Errorf("got %v", err)
	}
	if s.replays > 0 {
		t.Errorf("%d replays", s.replays)
	}
}

// TestTooMuchWasMissed: a feed that has missed more events than it gets from memory gets them from the stream, as its
// reader receives them, or without one not at all.
func TestTooMuchWasMissed(t *testing.T) {
	s := newShards()
	few := live.Settings{Queue: 2}
	first, second := newHub(t, live.Options{Settings: few, Reader: s}), newHub(t, live.Options{Settings: few})
	position := started(t, first, condition(t, "notes", "ann")).Position()
	f := started(t, second, condition(t, "notes", "ann"))
	alone := f.Position()
	f.Close()
	for range 40 {
		s.change("ann", "1")
	}
	changes := s.changes[shardOf("1")]
	first.Deliver(changes)
	second.Deliver(changes)
	f = subscribe(t, first, condition(t, "notes", "ann"), position)
	for _, c := range changes {
		wantChange(t, f, c)
	}
	if used, _ := f.Replayed(); used < 20 {
		t.Errorf("%v requests: the replay has not waited for the reader", used)
	}
	if _, err := second.Subscribe(condition(t, "notes", "ann"), alone); !errors.Is(err, live.ErrExpired) {
		t.Errorf("without a stream: %v", err)
	}
}

// TestManyWereMissed: a feed that resumes with more events than the queue has room for gets further ones as well.
func TestManyWereMissed(t *testing.T) {
	for name, replayed := range map[string]bool{"from memory": false, "replayed": true} {
		t.Run(name, func(t *testing.T) {
			s := newShards()
			o := live.Options{Reader: s, Settings: live.Settings{Queue: 2}}
			first, second := newHub(t, o), newHub(t, o)
			position := started(t, first, condition(t, "notes", "ann")).Position()
			s.now = time.Now().Add(time.Minute) // the state certainly has none of the changes
			for range 20 {
				s.change("ann", "1")
			}
			changes := s.changes[shardOf("1")]
			resumedBy := first
			if first.Deliver(changes); replayed {
				resumedBy = second
			}
			f := subscribe(t, resumedBy, condition(t, "notes", "ann"), position)
			next(t, f) // the replay has ended
			s.change("ann", "1")
			s.change("ann", "1")
			resumedBy.Deliver(s.changes[shardOf("1")][20:])
			for range 21 {
				next(t, f)
			}
			none(t, f)
			untilLive(t, f)
			for range 3 {
				s.change("ann", "1")
			}
			resumedBy.Deliver(s.changes[shardOf("1")][22:])
			if err := ends(t, f); !errors.Is(err, live.ErrSlow) {
				t.Errorf("after more than the queue has room for: %v", err)
			}
		})
	}
}

// untilLive waits until a feed has changes as they are delivered. It returns how many requests the feed has used.
func untilLive(t *testing.T, f *live.Feed) (used float64) {
	t.Helper()
	for isReplayed := true; isReplayed; {
		none(t, f)
		var more float64
		more, isReplayed = f.Replayed()
		used += more
		runtime.Gosched()
	}
	return used
}

// TestForgottenChanges: a replica that has removed changes after the position from its history does not resume without
// them.
func TestForgottenChanges(t *testing.T) {
	first, s := newHub(t, live.Options{}), stream{}
	second := newHub(t, live.Options{Settings: live.Settings{HistoryBytes: 1}})
	now := time.Now()
	first.Current(now.Add(time.Minute))
	position := started(t, first, condition(t, "notes", "ann")).Position()
	for _, want := range []error{nil, live.ErrExpired} {
		change := s.change(nil, note("ann", "1", "a", "red"))
		change.At = now.Add(2 * time.Minute)
		second.Deliver([]*live.Change{change})
		if _, err := second.Subscribe(condition(t, "notes", "ann"), position); !errors.Is(err, want) {
			t.Errorf("got %v, want %v", err, want)
		}
	}
}
