package stream_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/partita/partita/internal/live"
	"github.com/partita/partita/internal/storetest"
)

// TestLineage: the children of a shard are read after its end and from their beginning, and theirs after them.
func TestLineage(t *testing.T) {
	f, tb := startFake(t)
	f.add("closed", "")
	f.write("closed", -1)
	f.split("closed", "a", "b")
	f.write("a", 0)
	r := read(t, tb, alone)
	f.write("a", 1)
	f.split("a", "a1", "a2")
	f.write("a1", 2)
	f.split("a1", "a11")
	f.write("a11", 3)
	r.await(t, "the grandchild is read", func() bool { return len(r.changes) == 3 })
	f.write("b", 4)
	f.write("a2", 5)
	r.await(t, "the others are read", func() bool { return len(r.changes) == 5 })
	got := r.values()
	if slices.Sort(got[3:]); !slices.Equal(got, numbers(1, 5)) {
		t.Errorf("the changes are %q", got)
	}
	r.wantLost(t, 0)
}

// TestRestartAcrossShards: what was written to the descendants of a shard while nobody read is passed after it.
func TestRestartAcrossShards(t *testing.T) {
	f, tb := startFake(t)
	f.add("a", "")
	f.add("b", "")
	r := read(t, tb, alone)
	f.write("a", 1)
	f.write("b", 1)
	r.await(t, "both are read", func() bool { return len(r.changes) == 2 })
	r.awaitCurrent(t)
	r.stop()
	f.write("a", 2)
	f.split("a", "a1")
	f.write("a1", 3)
	f.split("a1", "a11")
	f.write("a11", 4)
	next := begin(t, tb, alone, newSink())
	next.await(t, "the descendants are read", func() bool { return len(next.changes) == 3 })
	wantValues(t, next.values(), numbers(2, 4))
	next.awaitCurrent(t)
	next.wantLost(t, 0)
}

// TestShardIsForgotten: if the stream no longer has the shard of the position, that is a loss.
func TestShardIsForgotten(t *testing.T) {
	f, tb := startFake(t)
	f.add("a", "")
	r := read(t, tb, alone)
	f.write("a", 1)
	r.await(t, "it is read", func() bool { return len(r.changes) == 1 })
	r.awaitCurrent(t)
	r.stop()
	f.split("a", "a1")
	f.forget("a")
	next := read(t, tb, alone)
	f.write("a1", 2)
	next.awaitCurrent(t)
	wantValues(t, next.values(), numbers(2, 2))
	next.wantLost(t, 1)
}

// TestTrimmedShard: records that are trimmed while nobody read are a loss; those behind them are passed.
func TestTrimmedShard(t *testing.T) {
	f, tb := startFake(t)
	f.add("a", "")
	r := read(t, tb, alone)
	f.write("a", 1)
	r.await(t, "it is read", func() bool { return len(r.changes) == 1 })
	r.awaitCurrent(t)
	r.stop()
	f.write("a", 2)
	f.trim("a")
	f.write("a", 3)
	next := read(t, tb, alone)
	next.awaitCurrent(t)
	wantValues(t, next.values(), numbers(3, 3))
	next.wantLost(t, 1)
}

// TestShardWithoutRecord: where a shard was read from the present on, without a record since, a restart is a loss.
func TestShardWithoutRecord(t *testing.T) {
	f, tb := startFake(t)
	f.add("a", "")
	r := read(t, tb, alone)
	r.stop()
	f.write("a", 1)
	next := read(t, tb, alone)
	f.write("a", 2)
	next.awaitCurrent(t)
	wantValues(t, next.values(), numbers(2, 2))
	next.wantLost(t, 1)
}

// TestOtherStream: if the table has another stream, the one before is read to its end. What was written in between is
// lost, for the replica that reads and for those that follow it.
func TestOtherStream(t *testing.T) {
	t.Parallel()
	f, tb := startFake(t)
	store := storetest.Start(t)
	f.add("a", "")
	all := []*reading{read(t, tb, steady(withStore(t, store))), read(t, tb, steady(withStore(t, store)))}
	f.write("a", 1)
	for _, r := range all {
		r.awaitCurrent(t)
	}
	f.write("a", 2)
	f.replace(t, tb)
	f.add("b", "")
	for _, r := range all {
		r.await(t, "the loss is reported", func() bool { return r.losses > 0 })
		r.awaitCurrent(t)
	}
	f.write("b", 3)
	for _, r := range all {
		r.awaitCurrent(t)
		wantValues(t, r.values(), numbers(1, 3))
		r.wantLost(t, 1)
	}
}

// TestReplayAcrossShards: a replay follows the descendants of shards, those that split while it runs included.
func TestReplayAcrossShards(t *testing.T) {
	f, tb := startFake(t)
	f.add("old", "")
	f.write("old", 0)
	f.split("old", "a", "b")
	r := read(t, tb, alone)
	f.write("a", 1)
	f.write("a", 2)
	f.write("b", 10)
	f.split("a", "a1", "a2")
	f.write("a1", 3)
	f.split("a1", "a11")
	f.write("a11", 4)
	f.write("a11", 5)
	r.await(t, "all are read", func() bool { return len(r.changes) == 6 })
	position := func(pairs ...string) live.Position {
		p := live.Position{}
		for i := 0; i < len(pairs); i += 2 {
			for _, c := range r.changes {
				if c.Shard == pairs[i] && c.New.Text("n") == pairs[i+1] {
					p[c.Shard] = c.Sequence
				}
			}
		}
		return p
	}
	for _, tt := range []struct {
		name         string
		after, until live.Position
		want         []string
	}{
		{"to a descendant", position("a", "1", "b", "10"), position("b", "10", "a11", "4"), numbers(2, 4)},
		{"all of it", position("a", "1", "b", "10"), nil, numbers(2, 5)},
		{
			"a shard that the second alone has", position("a", "2"), position("a11", "5", "b", "10"),
			[]string{"10", "3", "4", "5"},
		},
		{"within a descendant", position("a11", "4", "b", "10"), position("a11", "5", "b", "10"), numbers(5, 5)},
		{"nothing", position("a11", "5", "b", "10"), position("a11", "5", "b", "10"), nil},
	} {
		var changes []*live.Change
		err := r.Replay(t.Context(), tt.after, tt.until, func(more []*live.Change) { changes = append(changes, more...) })
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
		}
		got := valuesOf(changes)
		if tt.until["b"] != "" && tt.after["b"] == "" {
			slices.Sort(got)
		}
		if !slices.Equal(got, tt.want) && len(got)+len(tt.want) > 0 {
			t.Errorf("%s: the changes are %q, want %q", tt.name, got, tt.want)
		}
	}
	f.forget("a")
	err := r.Replay(t.Context(), live.Position{"a": "101"}, nil, func([]*live.Change) {})
	if !errors.Is(err, live.ErrExpired) {
		t.Errorf("a shard that the stream does not have: %v", err)
	}
}
