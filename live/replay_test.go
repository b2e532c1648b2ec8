package live_test

import (
	"context"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/live"
)

// shards is a stream with several shards that has all changes. It is a live.Reader.
type shards struct {
	mu      sync.Mutex
	now     time.Time
	changes map[string][]*live.Change
	items   map[string]item.Item
	last    int
	replays int
	err     error
	// hold is received from before a replay passes anything, if it is not nil.
	hold chan struct{}
}

func newShards() *shards {
	return &shards{
		now: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), changes: map[string][]*live.Change{}, items: map[string]item.Item{},
	}
}

// write adds a change of a note, which is in the shard of its id.
func (s *shards) write(person, id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.last++
	it := note(person, id, strconv.Itoa(s.last), "red")
	shard := "shardId-0000000000000000000" + id + "-abc"
	s.changes[shard] = append(s.changes[shard], &live.Change{
		Key: keys.KeyOf(it), Old: s.items[person+id], New: it, At: s.now, Shard: shard, Sequence: strconv.Itoa(7 + s.last),
	})
	s.items[person+id] = it
}

// ends returns the number of changes of each shard.
func (s *shards) ends() map[string]int {
	all := map[string]int{}
	for shard, changes := range s.changes {
		all[shard] = len(changes)
	}
	return all
}

func (s *shards) Read(context.Context, live.Sink) error { return nil }

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

// TestResume reads a feed at one gateway until some event, and then at another one that has read other parts of the
// shards. The second one has exactly the rest.
func TestResume(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := newShards()
		write := func(name string) {
			for range rapid.IntRange(0, 8).Draw(t, name) {
				person := rapid.SampledFrom([]string{"ann", "ann", "bob"}).Draw(t, "person")
				s.write(person, rapid.SampledFrom([]string{"1", "2", "3"}).Draw(t, "id"))
				s.now = s.now.Add(time.Duration(rapid.SampledFrom([]int{0, 1, 100, 100_000}).Draw(t, "ms")) * time.Millisecond)
			}
		}
		o := live.Options{Reader: s, HistoryBytes: rapid.SampledFrom([]int{1, 1500, 1 << 20}).Draw(t, "history")}
		first := &reading{s, live.NewHub(design, o), map[string]int{}}
		defer first.hub.Close()
		first.hub.Current(s.now)
		f := startedAt(t, first.hub)
		write("first")
		first.some(t)
		if rapid.Bool().Draw(t, "current") {
			first.all()
		}
		write("more")
		first.some(t)

		received := map[*live.Change]bool{}
		position := ""
		for range rapid.IntRange(0, s.last).Draw(t, "events") {
			e, ok := waiting(f)
			if !ok {
				break
			}
			received[e.Change] = true
			position = e.Position()
		}
		if position == "" || rapid.Bool().Draw(t, "of the feed") {
			position = f.Position()
		}

		second := &reading{s, first.hub, first.read}
		if rapid.Bool().Draw(t, "another gateway") {
			second = &reading{s, live.NewHub(design, o), s.ends()}
			defer second.hub.Close()
		}
		write("missed")
		second.some(t)
		second.hub.Current(s.now)
		again, err := second.hub.Subscribe(conditionOf(t), position)
		if err != nil {
			t.Fatal(err)
		}
		write("later")
		second.some(t)
		second.all()

		want := map[string][]*live.Change{}
		count := 0
		for _, changes := range s.changes {
			for _, c := range changes {
				if c.Key.PK == "PERSON#ann" && !received[c] {
					want[string(c.Key.SK)] = append(want[string(c.Key.SK)], c)
					count++
				}
			}
		}
		for range count {
			ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
			e, err := again.Next(ctx)
			cancel()
			if err != nil {
				t.Fatal(err)
			}
			id := string(e.Key.SK)
			if len(want[id]) == 0 || want[id][0] != e.Change {
				t.Fatalf("item %s: got %s of %s, want %v", id, e.Sequence, e.Shard, want[id])
			}
			want[id] = want[id][1:]
		}
		second.hub.Current(s.now.Add(time.Minute))
		if e, ok := waiting(again); ok {
			t.Fatalf("%s of %s is a duplicate", e.Sequence, e.Shard)
		}
	})
}

func conditionOf(t *rapid.T) *keys.Condition {
	f := design.MustField("Query", "notes")
	c, err := f.Bind(func(string) keys.Value { return keys.StringValue("ann") }).Condition()
	if err != nil {
		t.Fatal(err)
	}
	return &c
}

func startedAt(t *rapid.T, h *live.Hub) *live.Feed {
	f, err := h.Subscribe(conditionOf(t), "")
	if err != nil {
		t.Fatal(err)
	}
	f.Begin(live.State{})
	return f
}
