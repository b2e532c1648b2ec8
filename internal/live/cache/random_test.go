package cache_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/partita/partita/internal/live"
	"github.com/partita/partita/internal/live/cache"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/request"
	"github.com/partita/partita/write"
)

const (
	// replicas is how long the table's eventually consistent reads may be behind, less than Options.Settle.
	replicas = time.Second
	// shared is how old a state may be: a flight that an operation joins began up to a second ago, and may be behind.
	shared = time.Second + replicas
	// external is how old one may be that was changed elsewhere: Options.MaxLag.
	external = 3 * time.Second
	// writing is how long a write takes at most.
	writing = 40 * time.Millisecond
)

// history is a table in memory that has all states of its items, and a stream. Requests take time, and eventually
// consistent reads return a state of any time within replicas.
type history struct {
	random *rand.Rand
	sink   live.Sink

	mu     sync.Mutex
	states map[keys.Key][]state
	// stream are the changes that have not been delivered.
	stream []*live.Change
	sent   int
}

// state is a value of an item, and when it was written.
type state struct {
	value int
	at    time.Time
	// isOwn is set if the gateway has written it.
	isOwn bool
}

// put writes the next state of an item.
func (h *history) put(k keys.Key, isOwn bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	now := time.Now()
	h.states[k] = append(h.states[k], state{len(h.states[k]), now, isOwn})
	h.stream = append(h.stream, &live.Change{Key: k, At: now})
}

// pause waits for a random time.
func (h *history) pause(most time.Duration) {
	h.mu.Lock()
	d := time.Duration(h.random.Int64N(int64(most)))
	h.mu.Unlock()
	time.Sleep(d)
}

// item returns the state of an item now, or of a time within replicas.
func (h *history) item(k keys.Key, consistent bool) item.Item {
	h.mu.Lock()
	defer h.mu.Unlock()
	at := time.Now()
	if !consistent {
		at = at.Add(-time.Duration(h.random.Int64N(int64(replicas))))
	}
	states := h.states[k]
	for _, s := range slices.Backward(states) {
		if !s.at.After(at) {
			return stored(string(k.SK), strconv.Itoa(s.value))
		}
	}
	return nil
}

func (h *history) read(wanted []keys.Key, consistent bool) request.Result {
	h.mu.Lock()
	h.sent++
	slow := h.random.IntN(20) == 0
	h.mu.Unlock()
	h.pause(20 * time.Millisecond)
	var res request.Result
	for _, k := range wanted {
		if it := h.item(k, consistent); it != nil {
			res.Items = append(res.Items, it)
		}
	}
	if slow {
		h.pause(6 * time.Second)
	}
	h.pause(20 * time.Millisecond)
	return res
}

func (h *history) GetItem(_ context.Context, r request.GetItem) (request.Result, error) {
	return h.read([]keys.Key{r.Key}, r.Consistent), nil
}

func (h *history) BatchGetItem(_ context.Context, r request.BatchGetItem) (request.Result, error) {
	return h.read(r.Keys, r.Consistent), nil
}

func (h *history) Query(context.Context, request.Query) (request.Result, error) {
	panic("no Queries are sent")
}

func (h *history) TransactWriteItems(_ context.Context, w write.Transaction) (request.Result, error) {
	h.pause(20 * time.Millisecond)
	for _, a := range w.Actions {
		h.put(a.Key, true)
	}
	h.pause(20 * time.Millisecond)
	return request.Result{}, nil
}

func (h *history) Now() time.Time { return time.Now() }

// follow delivers the stream, with delays and outages.
func (h *history) follow(ctx context.Context) {
	for ctx.Err() == nil {
		if h.mu.Lock(); h.random.IntN(50) == 0 {
			h.mu.Unlock()
			h.pause(10 * time.Second)
			h.mu.Lock()
		}
		at, changes := time.Now(), h.stream
		h.stream = nil
		h.mu.Unlock()
		h.pause(300 * time.Millisecond)
		h.sink.Deliver(changes)
		h.sink.Current(at)
	}
}

// check returns an error if a value was not that of an item at any time since the bounds.
func (h *history) check(k keys.Key, items []item.Item, began time.Time, consistent bool) error {
	value := -1
	for _, it := range items {
		if keys.KeyOf(it) == k {
			value, _ = strconv.Atoi(it.Text("value"))
		}
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	states := h.states[k]
	for _, next := range states[min(value+1, len(states)):] {
		most := external
		switch {
		case consistent:
			most = 0
		case next.isOwn:
			most = shared + writing // a write that has not ended
		}
		if age := began.Sub(next.at); age > most {
			return fmt.Errorf("%s has the value %d, which was changed %v before the Read began (own: %v, strong: %v)",
				k.SK, value, age, next.isOwn, consistent)
		}
	}
	return nil
}

// TestRandomReads: with writers in the gateway and elsewhere, no Read returns a state that was changed longer ago than
// the bound, and strongly consistent ones none that was changed at all.
func TestRandomReads(t *testing.T) {
	reused, kept := 0, int64(0)
	for seed := range uint64(20) {
		synctest.Test(t, func(t *testing.T) {
			h := &history{random: rand.New(rand.NewPCG(seed, 0)), states: map[keys.Key][]state{}}
			items := cache.New(roomy)
			h.sink = items
			reads := items.Around(h)
			ctx, stop := context.WithTimeout(t.Context(), 3*time.Minute)
			defer stop()
			all := keysOf("a", "b", "c", "d", "e", "f", "g", "h")
			var mu sync.Mutex
			var running sync.WaitGroup
			running.Go(func() { h.follow(ctx) })
			for client := range 12 {
				running.Go(func() {
					random := rand.New(rand.NewPCG(seed, uint64(client+1)))
					for ctx.Err() == nil {
						time.Sleep(time.Duration(random.Int64N(int64(time.Second))))
						k := all[min(random.IntN(len(all)), random.IntN(len(all)))]
						began, consistent := time.Now(), random.IntN(10) == 0
						var res request.Result
						var err error
						switch n := random.IntN(40); {
						case n == 0:
							h.put(k, false)
							continue
						case n == 1:
							w := write.Transaction{Actions: []write.Action{{Key: k}}}
							_, err = reads.TransactWriteItems(ctx, w)
						case n < 15:
							res, err = reads.BatchGetItem(ctx, request.BatchGetItem{Keys: all, Consistent: consistent})
						default:
							res, err = reads.GetItem(ctx, request.GetItem{Key: k, Consistent: consistent})
						}
						if err == nil && res.Items != nil {
							err = h.check(k, res.Items, began, consistent)
						}
						if err != nil && ctx.Err() == nil {
							t.Errorf("seed %d: %v", seed, err)
							stop()
						}
						mu.Lock()
						reused += res.Reused
						mu.Unlock()
					}
				})
			}
			running.Wait()
			kept += items.Reused()["item"]
		})
	}
	if joined := int64(reused) - kept; kept < 1000 || joined < 50 {
		t.Errorf("only %d items of the cache and %d flights were used", kept, joined)
	}
	t.Logf("%d items of the cache were used, and %d flights", kept, int64(reused)-kept)
}
