package cache

import (
	"context"
	"errors"
	"math/rand/v2"
	"strconv"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/partita/partita/keys"
	"github.com/partita/partita/request"
)

// slow is a source whose requests take random times, and fail at random.
type slow struct{ Source }

func (slow) GetItem(ctx context.Context, _ request.GetItem) (request.Result, error) {
	return request.Result{}, respond(ctx)
}

func (slow) BatchGetItem(ctx context.Context, r request.BatchGetItem) (request.Result, error) {
	n := rand.IntN(len(r.Keys) + 1)
	return request.Result{Unprocessed: r.Keys[n:]}, respond(ctx)
}

func (slow) Query(ctx context.Context, _ request.Query) (request.Result, error) {
	return request.Result{}, respond(ctx)
}

func respond(ctx context.Context) error {
	select {
	case <-time.After(rand.N(time.Second)):
	case <-ctx.Done():
		return ctx.Err()
	}
	if rand.IntN(5) == 0 {
		return request.ErrThrottled
	}
	return nil
}

// TestNoFlightRemains: whatever operations wait for, leave or fail, no flight is left, and nobody fails because of the
// context of another one.
func TestNoFlightRemains(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := New(Options{})
		reads := c.Around(slow{})
		for round := range 500 { // each with keys of its own, so that nothing that is left is used again
			pk := keys.PK(strconv.Itoa(round))
			var running sync.WaitGroup
			for range 8 {
				running.Go(func() {
					ctx, cancel := context.WithTimeout(t.Context(), rand.N(time.Second))
					defer cancel()
					if err := readAny(ctx, reads, pk); err != nil && ctx.Err() == nil && !errors.Is(err, request.ErrThrottled) {
						t.Error(err)
					}
				})
			}
			running.Wait()
		}
		if gets, queries := len(c.gets.byID), len(c.queries.byID); gets > 0 || queries > 0 {
			t.Errorf("%d and %d flights are left", gets, queries)
		}
		if c.counts.joined.Load() == 0 {
			t.Error("no Read was shared")
		}
	})
}

// readAny sends any Read of a partition.
func readAny(ctx context.Context, reads *Reads, pk keys.PK) error {
	all := []keys.Key{{PK: pk, SK: "a"}, {PK: pk, SK: "b"}, {PK: pk, SK: "c"}}
	rand.Shuffle(len(all), func(i, k int) { all[i], all[k] = all[k], all[i] })
	var err error
	switch rand.IntN(5) {
	case 0:
		_, err = reads.Query(ctx, request.Query{PK: pk})
	case 1, 2:
		_, err = reads.GetItem(ctx, request.GetItem{Key: all[0]})
	default:
		_, err = reads.BatchGetItem(ctx, request.BatchGetItem{Keys: all[:1+rand.IntN(len(all))]})
	}
	return err
}
