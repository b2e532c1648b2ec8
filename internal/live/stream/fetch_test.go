package stream_test

import (
	"errors"
	"strconv"
	"testing"
	"time"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/live"
	"github.com/partita/partita/internal/live/stream"
	"github.com/partita/partita/internal/storetest"
	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/table"
)

// patient is a timeout that the store does not exceed.
const patient = time.Minute

// TestItemsStayInTheStore: a replica gets from the store the items that it needs, and the keys of all changes. Others
// can be fetched later.
func TestItemsStayInTheStore(t *testing.T) {
	t.Parallel()
	e, store := tabletest.Start(t, streamed), storetest.Start(t)
	shared := func() stream.Options { return steady(stream.Options{Store: storetest.Open(t, store.Address, patient)}) }
	holder := read(t, e.Again(t).Table, shared())
	put(t, e, "a", 0) // so that the position is exact
	holder.awaitCurrent(t)
	follower := create(e.Again(t).Table, shared(), newSink())
	follower.leaves = func(c *live.Change) bool { return c.Key.PK != "a" }
	fatal.If(t, follower.Yield(t.Context(), holder.Reader))
	follower.stop = run(t, follower.Reader, follower.sink)
	follower.awaitCurrent(t)
	eventually(t, "it does not read the stream itself", func() bool { return follower.Shards() == 0 })
	before, had := store.Calls(t, "getrange"), len(follower.values())
	for n := 1; n <= 20; n++ {
		put(t, e, "b", n)
	}
	put(t, e, "a", 21)
	follower.awaitCurrent(t)
	if sent := store.Calls(t, "getrange") - before; sent != 1 {
		t.Errorf("%d items are fetched, want that of a", sent)
	}
	changes := follower.changes[had:]
	if len(changes) != 21 || changes[20].New.Text("n") != "21" || changes[20].Away != nil {
		t.Fatalf("there are %d changes, the last one with %v", len(changes), changes[20].New)
	}
	items, err := follower.Fetch(live.AwayOf(changes[:20]))
	fatal.If(t, err)
	for i, c := range changes[:20] {
		was := ""
		if i > 0 {
			was = strconv.Itoa(i)
		}
		if got := items[i]; c.Key.PK != "b" || got.New.Text("n") != strconv.Itoa(i+1) || got.Old.Text("n") != was {
			t.Errorf("change %d of %v has %v and %v", i, c.Key, got.Old, got.New)
		}
	}
	store.Do(t, "FLUSHALL")
	if items, err := follower.Fetch(live.AwayOf(changes[:1])); !errors.Is(err, live.ErrGone) {
		t.Errorf("without the text it has %v, %v", items, err)
	}
}

// TestTextIsGone: changes whose items the store has lost are read from the stream of the table, also the first ones of
// a shard after the present.
func TestTextIsGone(t *testing.T) {
	t.Parallel()
	for name, isExact := range map[string]bool{"after a change": true, "after the present": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e, store := tabletest.Start(t, streamed), storetest.Start(t)
			way := storetest.NewForwarder(t, store.Address)
			holder := read(t, e.Again(t).Table, steady(stream.Options{Store: storetest.Open(t, store.Address, patient)}))
			if isExact {
				put(t, e, "a", 0)
				holder.awaitCurrent(t)
			}
			follower := follow(t, holder, e.Again(t).Table, withLateStore(t, way.Address))
			way.Forward("")
			put(t, e, "a", 1)
			put(t, e, "a", 2)
			holder.awaitCurrent(t)
			for _, key := range store.Do(t, "KEYS", "*:shards:*") {
				store.Do(t, "DEL", key)
			}
			way.Forward(store.Address)
			follower.awaitCurrent(t)
			wantValues(t, afterFirst(follower.values()), numbers(1, 2))
			follower.wantLost(t, 0)
		})
	}
}

// TestOtherSchema: replicas with another schema during an update fetch all items, because places are those of a schema.
func TestOtherSchema(t *testing.T) {
	t.Parallel()
	e, store := tabletest.Start(t, streamed), storetest.Start(t)
	holder := read(t, e.Again(t).Table, steady(stream.Options{Store: storetest.Open(t, store.Address, patient)}))
	put(t, e, "a", 0)
	holder.awaitCurrent(t)
	other := e.Again(t).Table.WithSchema(table.Schema{Stream: true, Indexes: []string{"GSI9"}})
	follower := create(other, steady(stream.Options{Store: storetest.Open(t, store.Address, patient)}), newSink())
	follower.leaves = func(*live.Change) bool { return true }
	fatal.If(t, follower.Yield(t.Context(), holder.Reader))
	follower.stop = run(t, follower.Reader, follower.sink)
	follower.awaitCurrent(t)
	eventually(t, "it does not read the stream itself", func() bool { return follower.Shards() == 0 })
	before := store.Calls(t, "getrange")
	for n := 1; n <= 5; n++ {
		put(t, e, "a", n)
	}
	follower.awaitCurrent(t)
	wantValues(t, afterFirst(follower.values()), numbers(1, 5))
	if sent := store.Calls(t, "getrange") - before; sent != 5 {
		t.Errorf("%d items are fetched, want all 5", sent)
	}
}
