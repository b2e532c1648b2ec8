package sweep_test

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/write"
)

// TestDeleteAmongWriters: others add, change and delete what is below objects while these are deleted and swept, in a
// table that loses answers and cancels transactions. Nothing is left, and nothing becomes wrong.
func TestDeleteAmongWriters(t *testing.T) {
	t.Parallel()
	for name, faults := range map[string]tabletest.Faults{
		"conflicts":           {Seed: 3, Conflict: 0.1},
		"lost answers":        {Seed: 4, Lost: 0.1},
		"lost, without token": {Seed: 5, Lost: 0.1, NewTokens: true},
		"short pages":         {PageSize: 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := start(t)
			w.fill(t, "go", 8)
			w.Proxy.Inject(faults)
			var writers sync.WaitGroup
			run := func(name string, pairs ...any) {
				got, err := w.try(name, pairs...)
				isExpected := got == "" || strings.HasPrefix(got, "NOT_FOUND") || strings.HasPrefix(got, "ALREADY") ||
					strings.HasPrefix(got, "CONFLICT") || strings.HasPrefix(got, "INVALID this Message has 3 reactions")
				var doubt *write.ConditionError
				if !isExpected || err != nil && !errors.As(err, &doubt) {
					t.Errorf("%s %v: %s, %v", name, pairs, got, err)
				}
			}
			for i := range 8 {
				writers.Go(func() {
					run("createMessage", "channel", "go", "n", 100+i)
					run("createReaction", "channel", "go", "n", 100+i, "by", "dan", "emoji", "star")
					run("createPin", "channel", "go", "title", fmt.Sprint(i))
					run("deleteMessage", "id", messageID("go", fmt.Sprint(i)))
					run("createReaction", "channel", "go", "n", i, "by", "eve", "emoji", "star")
				})
			}
			writers.Go(func() { run("deleteChannel", "id", channelID("go"), "version", 1) })
			for range 2 {
				writers.Go(func() {
					if _, err := w.sweeper().Sweep(w.ctx()); err != nil {
						t.Error(err)
					}
				})
			}
			writers.Wait()
			w.wantClean(t)
			run("deleteChannel", "id", channelID("go"), "version", 1) // If its answer was lost, it has happened or not.
			w.sweep(t)
			if left := w.left(t); len(left) > 0 {
				t.Errorf("left are %s", strings.Join(left, ", "))
			}
		})
	}
}
