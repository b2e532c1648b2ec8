package loaders

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/share"
	"github.com/partita/partita/item"
	"github.com/partita/partita/request"
)

// TestWhoIsLate: if the time of an operation is over, the error names what has taken most of it.
func TestWhoIsLate(t *testing.T) {
	const timeout = 10 * time.Second
	answers := func(after time.Duration) Source {
		return source{query: func(ctx context.Context, q request.Query) (request.Result, error) {
			select {
			case <-time.After(after):
				return request.Result{Items: []item.Item{itemAt(q.PK, "S")}}, nil
			case <-ctx.Done():
				return request.Result{}, fmt.Errorf("%w: %w", request.ErrTimeout, ctx.Err())
			}
		}}
	}
	for name, test := range map[string]struct {
		answers time.Duration // the table, after this time
		place   time.Duration // until when another caller has the place for a request
		turn    time.Duration // until when it has the turn on the CPUs
		want    string
	}{
		"the table":                             {answers: timeout + 1, want: readMessages[CodeTimeout]},
		"the table, after a short wait":         {answers: timeout, place: timeout / 4, want: readMessages[CodeTimeout]},
		"places":                                {place: timeout + 1, want: busyMessage},
		"places, and then a table that is slow": {answers: timeout, place: timeout * 3 / 4, want: busyMessage},
		"turns":                                 {answers: time.Second, turn: timeout + 1, want: busyMessage},
		"turns, after a slow table":             {answers: timeout * 3 / 4, turn: timeout, want: readMessages[CodeTimeout]},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithTimeout(t.Context(), timeout)
				defer cancel()
				x := executorOf(answers(test.answers), 1, places(1))
				x.turn = &share.Turn{CPUs: places(1), Arrived: time.Now()}
				x.table.arrived = x.turn.Arrived
				fatal.If(t, x.turn.Begin(ctx))
				var others sync.WaitGroup
				defer others.Wait()
				occupy := func(pool *share.Pool, until time.Duration) {
					others.Go(func() {
						if err := pool.Acquire(t.Context(), share.Caller{Viewer: "other"}); err != nil {
							t.Error(err)
							return
						}
						time.Sleep(until)
						pool.Release(share.Caller{Viewer: "other"})
					})
					synctest.Wait()
				}
				occupy(x.process, test.place)
				occupy(x.turn.CPUs, test.turn)
				x.run(ctx, wave(stocks, ranges(1)))
				reads := ranges(1) // of the next wave
				x.run(ctx, wave(stocks, reads))
				var failed *ReadError
				if !errors.As(reads[0].err, &failed) || failed.Code() != CodeTimeout || failed.Error() != test.want {
					t.Errorf("got %v, want %s", reads[0].err, test.want)
				}
			})
		})
	}
}
