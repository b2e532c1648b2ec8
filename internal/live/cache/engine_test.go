package cache_test

import (
	"context"
	"log/slog"
	"math/rand/v2"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/live"
	"github.com/partita/partita/internal/live/cache"
	"github.com/partita/partita/internal/live/stream"
	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/item"
	"github.com/partita/partita/request"
	"github.com/partita/partita/table"
	"github.com/partita/partita/write"
)

// followed passes the stream to a cache, and up to when it has.
type followed struct {
	live.Sink
	current chan time.Time
}

func (f followed) Current(at time.Time) {
	f.Sink.Current(at)
	select {
	case f.current <- at:
	default:
	}
}

// TestStreamOfTheEngine: once the stream of a real table has been read up to a write of another program, and at once
// after a write of this one, the item is read as it was written, although others read it all the time.
func TestStreamOfTheEngine(t *testing.T) {
	e := tabletest.Start(t, table.Schema{Stream: true})
	shared := cache.New(cache.Options{Settings: roomy.Settings, Settle: time.Nanosecond, MaxLag: time.Hour})
	reads, sink := shared.Around(e.Table), followed{shared, make(chan time.Time)}
	reader := stream.New(e.Table, stream.Options{
		Settings: stream.Settings{Interval: 20 * time.Millisecond, Lease: 20 * time.Millisecond}, Alone: true,
		Logger: slog.New(slog.DiscardHandler),
	})
	ctx, stop := context.WithCancel(t.Context())
	var running sync.WaitGroup
	defer running.Wait()
	defer stop()
	running.Go(func() { _ = reader.Read(ctx, sink) })
	await := func() {
		written := time.Now()
		for !(<-sink.current).After(written) {
		}
	}
	await()
	all := keysOf("a", "b", "c", "d")
	for range 4 {
		running.Go(func() {
			for ctx.Err() == nil {
				if rand.IntN(2) == 0 {
					_, _ = reads.BatchGetItem(ctx, request.BatchGetItem{Keys: all})
				} else {
					_, _ = reads.GetItem(ctx, request.GetItem{Key: all[rand.IntN(len(all))]})
				}
			}
		})
	}
	for value := range 40 {
		k, source, isOwn := all[rand.IntN(len(all))], cache.Source(e.Table), value%2 == 0
		if isOwn {
			source = reads
		}
		put := write.Transaction{Actions: []write.Action{write.PutItem(stored(string(k.SK), strconv.Itoa(value)))}}
		if _, err := source.TransactWriteItems(ctx, put); err != nil {
			t.Fatal(err)
		}
		if !isOwn {
			await()
		}
		for range 20 {
			res, err := reads.GetItem(ctx, request.GetItem{Key: k})
			fatal.If(t, err)
			if got := valueOf(res.Items); got != strconv.Itoa(value) {
				t.Fatalf("%s has the value %q, want %d (own: %v)", k.SK, got, value, isOwn)
			}
		}
	}
	if shared.Reused()["item"] == 0 || shared.Evictions()["change"] == 0 || shared.Evictions()["write"] == 0 {
		t.Errorf("reused: %v, evictions: %v", shared.Reused(), shared.Evictions())
	}
}

func valueOf(items []item.Item) string {
	if len(items) == 0 {
		return ""
	}
	return items[0].Text("value")
}
