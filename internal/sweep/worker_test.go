package sweep_test

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/partita/partita/internal/sweep"
	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/request"
	"github.com/partita/partita/table"
	"github.com/partita/partita/write"
)

// TestDamage: an object that cannot be removed is reported, and does not keep the sweep from the others.
func TestDamage(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		stray item.Item
		want  string
	}{
		"an item of another type": {
			item.Item{
				{Name: keys.AttributePK, Value: item.StringValue("PINS#a")},
				{Name: keys.AttributeSK, Value: item.StringValue("PIN#x")},
				{Name: item.EntityType, Value: item.StringValue("Other")},
			}, "PINS#a PIN#x: the item is none of Channel.pins",
		},
		"an object that is not counted": {
			item.Item{
				{Name: keys.AttributePK, Value: item.StringValue("CHANNEL#a")},
				{Name: keys.AttributeSK, Value: item.StringValue("CHANNEL")},
				{Name: "messageCount", Value: item.NumberValue(7)},
			}, "nothing is left of it, and the counters of CHANNEL#a CHANNEL are not 0",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := read(t, chat)
			w := &world{tabletest.Start(t, table.SchemaOf(d)), d, t.Context}
			w.must(t, "createChannel", "name", "a")
			w.must(t, "createChannel", "name", "b")
			for _, name := range []string{"a", "b"} {
				w.must(t, "deleteChannel", "id", channelID(name), "version", 1)
			}
			if v, counts := tt.stray.Get("messageCount"); counts {
				_, err := w.Table.TransactWriteItems(w.ctx(), write.Transaction{Actions: []write.Action{{
					Kind: write.ActionUpdate, Key: keys.KeyOf(tt.stray), Type: "Channel",
					Set: item.Item{{Name: "messageCount", Value: v}},
				}}})
				if err != nil {
					t.Fatal(err)
				}
			} else {
				w.Load(t, tt.stray)
			}
			var log strings.Builder
			s := w.sweeper()
			s.Log = slog.New(slog.NewTextHandler(&log, nil))
			totals, err := s.Sweep(w.ctx())
			var damage *sweep.DamageError
			if !errors.As(err, &damage) || damage.ID != channelID("a") || damage.Problem != tt.want ||
				totals.Removed["Channel"] != 1 {
				t.Errorf("removed %s, %v", totals, err)
			}
			if !strings.Contains(log.String(), "level=ERROR") {
				t.Errorf("the log is %s", log.String())
			}
		})
	}
}

// removals reports each tombstone that is removed.
type removals struct {
	sweep.Source
	removed chan keys.PK
}

func (s removals) TransactWriteItems(ctx context.Context, w write.Transaction) (request.Result, error) {
	result, err := s.Source.TransactWriteItems(ctx, w)
	if a := w.Actions[0]; err == nil && len(w.Actions) == 1 && a.Kind == write.ActionDelete && a.Type != "" {
		s.removed <- a.Key.PK
	}
	return result, err
}

// TestWorker: it sweeps at once, and then when it is woken.
func TestWorker(t *testing.T) {
	t.Parallel()
	w := start(t)
	w.fill(t, "a", 1)
	w.fill(t, "b", 1)
	w.must(t, "deleteChannel", "id", channelID("a"), "version", 1)
	w.runWorker(t, false, func(worker *sweep.Worker, removed <-chan keys.PK) {
		wantRemoved(t, removed, "CHANNEL#a")
		w.must(t, "deleteChannel", "id", channelID("b"), "version", 1)
		worker.Wake(w.ctx())
		wantRemoved(t, removed, "CHANNEL#b")
	})
}

// TestWorkerWithTenants: it sweeps the objects of the tenants of which it knows.
func TestWorkerWithTenants(t *testing.T) {
	t.Parallel()
	d := read(t, chat)
	schema := table.SchemaOf(d)
	schema.Tenants = true
	as := func(tenant string) func() context.Context {
		return func() context.Context { return request.WithTenant(t.Context(), tenant) }
	}
	w := &world{tabletest.Start(t, schema), d, as("acme")}
	other := &world{w.Engine, d, as("other")}
	for _, of := range []*world{w, other} {
		of.fill(t, "a", 1)
		of.must(t, "deleteChannel", "id", channelID("a"), "version", 1)
	}
	w.runWorker(t, true, func(worker *sweep.Worker, removed <-chan keys.PK) {
		worker.Wake(w.ctx())
		wantRemoved(t, removed, "CHANNEL#a")
	})
	if totals := w.sweep(t); totals.Objects() != 0 {
		t.Errorf("left was %s", totals)
	}
	if totals := other.sweep(t); totals.Removed["Channel"] != 1 {
		t.Errorf("of the other tenant, %s was left", totals)
	}
}

func (w *world) runWorker(t *testing.T, hasTenants bool, during func(*sweep.Worker, <-chan keys.PK)) {
	t.Helper()
	s := w.sweeper()
	removed := make(chan keys.PK, 3)
	s.Source = removals{s.Source, removed}
	worker := sweep.NewWorker(s, time.Hour, hasTenants)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		worker.Run(ctx)
	}()
	during(worker, removed)
	cancel()
	<-ended
}

func wantRemoved(t *testing.T, removed <-chan keys.PK, want keys.PK) {
	t.Helper()
	select {
	case pk := <-removed:
		if pk != want {
			t.Errorf("%s is removed, want %s", pk, want)
		}
	case <-t.Context().Done():
		t.Fatal("nothing is removed")
	}
}
