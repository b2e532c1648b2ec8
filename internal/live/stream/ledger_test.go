package stream_test

import (
	"fmt"
	"log/slog"
	"maps"
	"math/rand/v2"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/partita/partita/internal/gatewaytest"
	"github.com/partita/partita/internal/live"
	"github.com/partita/partita/internal/live/stream"
	"github.com/partita/partita/internal/soak"
	"github.com/partita/partita/internal/storetest"
)

// TestLedger: replicas divide a stream whose shards split, while replicas come, leave, die or are cut off, and the
// store stops or loses what it has. Each replica gets the changes of each item in their order, none twice, and none is
// left out. No loss is reported, because the stream has all records.
func TestLedger(t *testing.T) {
	t.Parallel()
	for seed := range soak.Seeds(1) {
		t.Run(strconv.FormatUint(seed, 10), func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, seed)
			for range 3 {
				w.join()
			}
			steps := []func(){
				w.join, w.leave, w.kill, w.hang, w.cutOff, w.split, w.split, w.pauseStore, w.emptyStore, w.restartStore,
			}
			for i := range 2 * len(steps) {
				if i%len(steps) == 0 {
					w.rand.Shuffle(len(steps), func(i, j int) { steps[i], steps[j] = steps[j], steps[i] })
				}
				if w.rand.IntN(3) > 0 {
					w.awaitProgress(fmt.Sprint("before step ", i))
				}
				steps[i%len(steps)]()
			}
			w.end()
		})
	}
}

const (
	ledgerItems    = 12
	ledgerReplicas = 5 // at most
	// storeTimeout is the default of a gateway: a busy machine rarely exceeds it.
	storeTimeout = 100 * time.Millisecond
)

// world is a fake stream with a store, the replicas that read it, and who writes to it.
type world struct {
	*testing.T
	rand     *rand.Rand
	fake     *fakeStream
	store    *storetest.Server
	replicas []*replica
	joined   int
	shards   int
	stop     func()

	// later are the ends of what has been cut off or stopped, and isStopped reports whether the store is.
	later     sync.WaitGroup
	isStopped atomic.Bool

	mu sync.Mutex
	// written is how many changes of each item there are, and shard where its next one is written.
	written map[string]int
	shard   map[string]string
}

func newWorld(t *testing.T, seed uint64) *world {
	t.Helper()
	f, _ := startFake(t)
	f.pages, f.last = 100, 1_000_000
	w := &world{
		T: t, rand: rand.New(rand.NewPCG(seed, 1)), fake: f, store: storetest.Start(t),
		written: map[string]int{}, shard: map[string]string{},
	}
	for i := range ledgerItems {
		shard := fmt.Sprint("s", i%4)
		if i < 4 {
			f.add(shard, "")
		}
		w.shard[fmt.Sprint("item", i)] = shard
	}
	stopped, ended := make(chan struct{}), make(chan struct{})
	write := rand.New(rand.NewPCG(seed, 2))
	go func() {
		defer close(ended)
		for {
			select {
			case <-stopped:
				return
			case <-time.After(time.Duration(write.IntN(10)) * time.Millisecond):
			}
			w.write(fmt.Sprint("item", write.IntN(ledgerItems)))
		}
	}()
	w.stop = sync.OnceFunc(func() {
		close(stopped)
		<-ended
	})
	t.Cleanup(w.stop)
	t.Cleanup(w.later.Wait)
	return w
}

func (w *world) write(item string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.written[item]++
	w.fake.writeItem(w.shard[item], item, w.written[item])
}

// split lets an open shard have one or two children.
func (w *world) split() {
	w.mu.Lock()
	defer w.mu.Unlock()
	parent := w.shard[fmt.Sprint("item", w.rand.IntN(ledgerItems))]
	children := make([]string, 1+w.rand.IntN(2))
	for i := range children {
		w.shards++
		children[i] = fmt.Sprint("child", w.shards)
	}
	w.fake.split(parent, children...)
	for item, shard := range w.shard {
		if shard == parent {
			w.shard[item] = children[w.rand.IntN(len(children))]
		}
	}
}

// join starts a replica.
func (w *world) join() {
	if len(w.replicas) == ledgerReplicas {
		return
	}
	w.joined++
	r := &replica{
		world: w, name: fmt.Sprint("replica ", w.joined), log: &gatewaytest.Log{},
		seen: map[string]int{}, left: map[*live.Change]int{},
	}
	r.table = &switched{next: w.fake}
	r.way = storetest.NewForwarder(w.T, w.store.Address)
	o := stream.Options{
		Store:  storetest.Open(w.T, r.way.Address, storeTimeout),
		Logger: slog.New(slog.NewTextHandler(r.log, nil)),
	}
	o.Interval, o.Lease, o.Waiting = fast, lease, 1+w.rand.IntN(10_000)
	r.Reader = stream.New(w.fake.open(w.T, r.table), o)
	r.stop = run(w.T, r.Reader, r)
	w.replicas = append(w.replicas, r)
}

// take removes one of the replicas, unless there are few.
func (w *world) take() *replica {
	if len(w.replicas) < 3 {
		w.join()
		return nil
	}
	i := w.rand.IntN(len(w.replicas))
	r := w.replicas[i]
	w.replicas = append(w.replicas[:i:i], w.replicas[i+1:]...)
	return r
}

func (w *world) leave() {
	if r := w.take(); r != nil {
		r.stop()
	}
}

// kill ends a replica that tells nobody.
func (w *world) kill() {
	if r := w.take(); r != nil {
		r.table.die()
		r.way.Forward("")
		r.stop()
	}
}

// some returns one of the replicas.
func (w *world) some() *replica { return w.replicas[w.rand.IntN(len(w.replicas))] }

// hang cuts a replica off from the table.
func (w *world) hang() {
	r := w.some()
	r.table.turn(false)
	w.soon(func() { r.table.turn(true) })
}

// cutOff cuts a replica off from the store, which may lose what it has meanwhile.
func (w *world) cutOff() {
	r, isEmptied := w.some(), w.rand.IntN(2) == 0
	r.way.Forward("")
	w.soon(func() {
		if isEmptied {
			w.emptyStore()
		}
		r.way.Forward(w.store.Address)
	})
}

func (w *world) pauseStore() {
	if !w.isStopped.Swap(true) {
		w.store.Pause(w.T)
		w.soon(func() { w.store.Resume(w.T); w.isStopped.Store(false) })
	}
}

func (w *world) restartStore() {
	if !w.isStopped.Swap(true) {
		w.store.Kill()
		w.soon(func() { w.store.Restart(w.T); w.isStopped.Store(false) })
	}
}

func (w *world) emptyStore() {
	if !w.isStopped.Swap(true) {
		w.store.Do(w.T, "FLUSHALL")
		w.isStopped.Store(false)
	}
}

// soon calls a function after up to twice the time in which a replica expires, while the test goes on.
func (w *world) soon(f func()) {
	after := time.Duration(w.rand.IntN(8)) * lease
	w.later.Go(func() {
		time.Sleep(after)
		f()
	})
}

// awaitProgress returns when all replicas have passed what has been written up to now.
func (w *world) awaitProgress(when string) {
	w.Helper()
	w.mu.Lock()
	want := maps.Clone(w.written)
	w.mu.Unlock()
	for _, r := range w.replicas {
		for deadline := time.Now().Add(time.Minute); !r.has(want); time.Sleep(time.Millisecond) {
			if time.Now().After(deadline) {
				w.Fatalf("%s: %s has %v, want %v; its log:\n%s", when, r.name, r.seenNow(), want, r.log)
			}
		}
	}
}

// end writes once more to each item, and waits until all replicas have everything.
func (w *world) end() {
	w.Helper()
	w.stop()
	w.later.Wait()
	w.awaitProgress("without writes")
	for item := range w.shard {
		w.write(item)
	}
	w.awaitProgress("at the end")
	for _, r := range w.replicas {
		r.mu.Lock()
		if r.losses > 0 {
			w.Errorf("%s has lost changes %d times; its log:\n%s", r.name, r.losses, r.log)
		}
		r.mu.Unlock()
	}
}
