package stream_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/partita/partita/internal/live"
	"github.com/partita/partita/internal/live/stream"
	"github.com/partita/partita/internal/storetest"
)

// counted is a replica's way to the table, which counts its requests for the records of each shard.
type counted struct {
	next http.Handler

	mu    sync.Mutex
	reads map[string]int
}

func (c *counted) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // the client has gone
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	var in struct{ ShardIterator string }
	if strings.HasSuffix(r.Header.Get("X-Amz-Target"), ".GetRecords") && json.Unmarshal(body, &in) == nil {
		shard, _, _ := strings.Cut(in.ShardIterator, " ")
		c.mu.Lock()
		c.reads[shard]++
		c.mu.Unlock()
	}
	c.next.ServeHTTP(w, r)
}

// begin forgets what was counted.
func (c *counted) begin() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.reads = map[string]int{}
}

func (c *counted) shards() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Sorted(maps.Keys(c.reads))
}

// team are replicas that divide a stream.
type team struct {
	*testing.T
	fake  *fakeStream
	store *storetest.Server
	all   []*reading
	ways  []*counted
}

func (m *team) join() {
	m.Helper()
	way := &counted{next: m.fake}
	way.begin()
	r := read(m.T, m.fake.open(m.T, way), steady(withStore(m.T, m.store)))
	m.all, m.ways = append(m.all, r), append(m.ways, way)
}

// await waits until each of the replicas reads so many shards, and each shard is read by one of them.
func (m *team) await(shards int) {
	m.Helper()
	eventually(m.T, "the shards are divided", func() bool { return m.isDivided(shards) })
}

func (m *team) isDivided(shards int) bool {
	m.Helper()
	for _, way := range m.ways {
		way.begin()
	}
	for _, r := range m.all {
		r.awaitCurrent(m.T) // somebody has read each shard since
	}
	readers := map[string]int{}
	for _, way := range m.ways {
		read := way.shards()
		if len(read) != shards {
			return false
		}
		for _, shard := range read {
			readers[shard]++
		}
	}
	return len(readers) == shards*len(m.all)
}

// TestShares: three replicas read four of twelve shards each, and each of them passes the changes of all. A replica
// that joins gets its share, and when one leaves, the others read its shards: at once, because they renew only after an
// hour.
func TestShares(t *testing.T) {
	t.Parallel()
	f, _ := startFake(t)
	f.pages = 100
	for i := range 12 {
		f.add(fmt.Sprint("s", i), "")
	}
	m := &team{T: t, fake: f, store: storetest.Start(t)}
	for range 3 {
		m.join()
	}
	m.await(4)
	for i := range 12 {
		f.write(fmt.Sprint("s", i), i)
	}
	for _, r := range m.all {
		r.await(t, "all changes are passed", func() bool { return len(r.changes) == 12 })
	}
	m.join()
	m.await(3)
	left := m.all[0]
	m.all, m.ways = m.all[1:], m.ways[1:]
	left.stop()
	m.await(4)
	for i := range 12 {
		f.write(fmt.Sprint("s", i), 12+i)
	}
	for _, r := range m.all {
		r.awaitCurrent(t)
		got := r.values()
		slices.SortFunc(got, live.CompareSequences)
		wantValues(t, got[max(len(got)-12, 0):], numbers(12, 23))
		r.wantLost(t, 0)
	}
}

// TestIdleShards: of shards without a record since the first replica has begun, another one that takes them, and one
// that has missed what the store had, know where they are read. Nothing is lost.
func TestIdleShards(t *testing.T) {
	t.Parallel()
	f, _ := startFake(t)
	f.pages = 100
	for i := range 6 {
		f.add(fmt.Sprint("s", i), "")
		f.write(fmt.Sprint("s", i), -1)
	}
	store := storetest.Start(t)
	way := storetest.NewForwarder(t, store.Address)
	o := stream.Options{Store: storetest.Open(t, way.Address, impatient)}
	slow := withStore(t, store)
	o.Lease, slow.Lease = 500*time.Millisecond, 500*time.Millisecond
	first := read(t, f.open(t, f), slow)
	table := &switched{next: f}
	dying := read(t, f.open(t, table), slow)
	third := read(t, f.open(t, f), o)
	eventually(t, "each replica reads two shards", func() bool {
		return min(first.Shards(), dying.Shards(), third.Shards()) >= 2
	})
	table.die()
	dying.stop()
	way.Forward("")
	for i := range 6 {
		f.write(fmt.Sprint("s", i), i)
	}
	first.await(t, "one has the changes", func() bool { return len(first.changes) == 6 })
	store.Do(t, "FLUSHALL")
	way.Forward(store.Address)
	for _, r := range []*reading{first, third} {
		r.awaitCurrent(t)
		got := r.values()
		slices.Sort(got)
		wantValues(t, got, numbers(0, 5))
		r.wantLost(t, 0)
	}
}

// TestTrimmedAmongReplicas: records that are trimmed before the replica of their shard has read them are lost for all.
func TestTrimmedAmongReplicas(t *testing.T) {
	t.Parallel()
	f, tb := startFake(t)
	f.add("a", "")
	f.write("a", -1)
	store, slow := storetest.Start(t), &gate{next: f}
	holder := read(t, f.open(t, slow), steady(withStore(t, store)))
	f.write("a", 0)
	holder.awaitCurrent(t)
	follower := follow(t, holder, tb, steady(withStore(t, store)))
	slow.deny("GetRecords")
	f.write("a", 1)
	f.trim("a")
	f.split("a", "a1")
	slow.deny("")
	f.write("a1", 2)
	for _, r := range []*reading{holder, follower} {
		r.await(t, "the loss is reported", func() bool { return r.losses > 0 && r.last() == "2" })
		r.awaitCurrent(t)
		wantValues(t, afterFirst(r.values()), numbers(2, 2))
		r.wantLost(t, 1)
	}
}

// TestVersionsSideBySide: while an update replaces replicas of an earlier version, which read all shards by the first
// lease, or while it is undone, the replicas of neither version disturb the others. Each version continues where it has
// ended.
func TestVersionsSideBySide(t *testing.T) {
	t.Parallel()
	f, tb := startFake(t)
	f.pages = 100
	shards := []string{"s0", "s1", "s2", "s3"}
	for _, shard := range shards {
		f.add(shard, "")
		f.write(shard, -1)
	}
	store, n := storetest.Start(t), 0
	write := func(to ...*reading) {
		t.Helper()
		for _, shard := range shards {
			f.write(shard, n)
			n++
		}
		for _, r := range to {
			r.awaitCurrent(t)
		}
	}
	want := func(r *reading, from, to int) {
		t.Helper()
		got := r.values()
		slices.SortFunc(got, live.CompareSequences)
		wantValues(t, got, numbers(from, to))
		r.wantLost(t, 0)
	}
	earlier := read(t, f.open(t, f), steady(stream.Options{})) // without a store, as one that holds the lease
	write(earlier)
	m := &team{T: t, fake: f, store: store}
	m.join()
	m.join()
	m.await(2)
	write(append(m.all, earlier)...)
	f.split("s3", "s4")
	shards[3] = "s4"
	write(append(m.all, earlier)...)
	earlier.stop()
	write(m.all...)
	undone := read(t, tb, steady(stream.Options{}))
	write(append(m.all, undone)...)
	m.all[0].stop()
	m.all[1].stop()
	write(undone)
	again := read(t, f.open(t, f), steady(withStore(t, store)))
	write(again, undone)
	want(earlier, 0, 11)
	want(m.all[0], 4, 19)
	want(m.all[1], 4, 19)
	want(undone, 12, 27)
	want(again, 20, 27)
}
