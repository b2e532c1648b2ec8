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

	"github.com/partita/partita/internal/live/stream"
	"github.com/partita/partita/internal/storetest"
)

// counted is a replica's way to the table, which counts its requests.
type counted struct {
	next http.Handler

	mu     sync.Mutex
	isDead bool
	// reads are the requests for records of each shard, and renewals those that write.
	reads    map[string]int
	renewals int
}

func (c *counted) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // the client has gone
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	c.mu.Lock()
	isDead := c.isDead
	switch _, operation, _ := strings.Cut(r.Header.Get("X-Amz-Target"), "."); operation {
	case "GetRecords":
		var in struct{ ShardIterator string }
		if json.Unmarshal(body, &in) == nil {
			shard, _, _ := strings.Cut(in.ShardIterator, " ")
			c.reads[shard]++
		}
	case "UpdateItem":
		c.renewals++
	}
	c.mu.Unlock()
	if isDead {
		http.Error(w, `{"__type":"AccessDeniedException","message":"made by the test"}`, http.StatusBadRequest)
		return
	}
	c.next.ServeHTTP(w, r)
}

// begin forgets what was counted.
func (c *counted) begin() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.reads, c.renewals = map[string]int{}, 0
}

func (c *counted) shards() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Sorted(maps.Keys(c.reads))
}

func (c *counted) renewed() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.renewals
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
	o := withStore(m.T, m.store)
	o.Lease = time.Second
	m.all, m.ways = append(m.all, read(m.T, m.fake.open(m.T, way), o)), append(m.ways, way)
}

// remove removes the first replica.
func (m *team) remove() (*reading, *counted) {
	r, way := m.all[0], m.ways[0]
	m.all, m.ways = m.all[1:], m.ways[1:]
	return r, way
}

// await waits until each of the replicas reads so many shards.
func (m *team) await(shards int) {
	m.Helper()
	for {
		var have []int
		for _, r := range m.all {
			have = append(have, r.Shards())
		}
		if !slices.ContainsFunc(have, func(n int) bool { return n != shards }) {
			return
		}
		if m.Context().Err() != nil {
			m.Fatalf("they read %v shards, want %d each", have, shards)
		}
		time.Sleep(time.Millisecond)
	}
}

// wantReads checks that each shard is read by one of the replicas, and each of them reads so many.
func (m *team) wantReads(shards int) {
	m.Helper()
	for _, way := range m.ways {
		way.begin()
	}
	for range 2 {
		for _, r := range m.all {
			r.awaitCurrent(m.T)
		}
	}
	readers := map[string]int{}
	for i, way := range m.ways {
		read := way.shards()
		if len(read) != shards {
			m.Errorf("replica %d reads %q, want %d", i, read, shards)
		}
		for _, shard := range read {
			readers[shard]++
		}
	}
	for i := range 12 {
		if n := readers[fmt.Sprint("s", i)]; n != 1 {
			m.Errorf("shard %d is read by %d replicas", i, n)
		}
	}
}

// TestShares: three replicas read four of twelve shards each, and each of them passes the changes of all. A replica
// that joins gets its share, and when one leaves, or dies, the others read its shards: at once, or when it has expired.
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
	m.wantReads(4)
	for i := range 12 {
		f.write(fmt.Sprint("s", i), i)
	}
	for _, r := range m.all {
		r.await(t, "all changes are passed", func() bool { return len(r.changes) == 12 })
		r.wantLost(t, 0)
	}
	m.join()
	m.await(3)
	m.wantReads(3)

	left, _ := m.remove()
	for _, way := range m.ways {
		way.begin()
	}
	left.stop()
	m.await(4)
	for i, way := range m.ways {
		if n := way.renewed(); n > 2 { // one of them because the time has come
			t.Errorf("replica %d was renewed %d times before it has read the shards of one that left", i, n)
		}
	}

	dead, way := m.remove()
	way.mu.Lock()
	way.isDead = true
	way.mu.Unlock()
	for _, way := range m.ways {
		way.begin()
	}
	dead.stop()
	m.await(6)
	for i, way := range m.ways {
		if n := way.renewed(); n < 3 || n > 6 {
			t.Errorf("replica %d was renewed %d times before it has read the shards of one that died", i, n)
		}
	}
	m.wantReads(6)
	for i := range 12 {
		f.write(fmt.Sprint("s", i), i)
	}
	for _, r := range m.all {
		r.awaitCurrent(t)
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
	for min(first.Shards(), dying.Shards(), third.Shards()) < 2 && t.Context().Err() == nil {
		time.Sleep(time.Millisecond)
	}
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
