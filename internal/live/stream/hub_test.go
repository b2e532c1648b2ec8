package stream_test

import (
	"log/slog"
	"strconv"
	"testing"
	"time"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/live"
	"github.com/partita/partita/internal/live/stream"
	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// TestClientResumesAfterARestart: the next process replays what a client has missed, also of the time before it began.
func TestClientResumesAfterARestart(t *testing.T) {
	design := design.MustDesign(nil,
		[]*design.Type{{Name: "Thing", Identity: []string{"id"}, Item: keys.Shape{
			PK: keys.MustTemplate("{id}"), SK: keys.MustTemplate("{id}"),
		}}},
		[]*design.Field{{
			Parent: "Query", Name: "thing", Kind: design.Get, PK: keys.MustTemplate("{id}"), SK: keys.MustTemplate("{id}"),
			Arguments: []keys.Argument{{Name: "id", Kind: keys.String}},
		}})
	condition := must(design.MustField("Query", "thing").Bind(func(string) keys.Value { return keys.StringValue("a") }).
		Condition())
	e := tabletest.Start(t, streamed)
	// start starts a process, and returns its hub when it is current.
	start := func() (h *live.Hub, stop func()) {
		o := alone
		o.Interval, o.Lease, o.Logger = fast, fast, slog.New(slog.DiscardHandler)
		r := stream.New(e.Table, o)
		h = live.NewHub(design, live.Options{Reader: r})
		current := newSink()
		end := run(t, r, both{h, current})
		t.Cleanup(h.Close)
		current.awaitCurrent(t)
		return h, func() { h.Close(); end() }
	}
	write := func(n int) {
		e.Load(t, tabletest.Stored("a", "a", "entityType", "Thing", "n", strconv.Itoa(n)))
	}
	next := func(f *live.Feed) live.Event {
		ready, limit := make(chan struct{}, 256), time.After(time.Minute)
		f.Notify(func() { ready <- struct{}{} })
		for {
			event, isAny, err := f.Poll()
			if fatal.If(t, err); isAny {
				return event
			}
			select {
			case <-ready:
			case <-limit:
				t.Fatal("there is no event")
			}
		}
	}

	h, stop := start()
	f, err := h.Subscribe(&condition, "")
	fatal.If(t, err)
	f.Begin(live.State{})
	position := ""
	for n := range 3 {
		write(n)
		if event := next(f); n == 0 {
			position = event.Position()
		}
	}
	stop()
	write(3)
	h, _ = start()
	write(4)
	if f, err = h.Subscribe(&condition, position); err != nil {
		t.Fatal(err)
	}
	f.Replay(1000)
	write(5)
	for n := 1; n <= 5; n++ {
		if got := next(f).New.Text("n"); got != strconv.Itoa(n) {
			t.Fatalf("got %s, want %d", got, n)
		}
	}
}

// both is two sinks.
type both [2]live.Sink

func (b both) Deliver(changes []*live.Change) []*live.Change {
	b[0].Deliver(changes)
	return b[1].Deliver(changes)
}

func (b both) Current(at time.Time) {
	b[0].Current(at)
	b[1].Current(at)
}

func (b both) Lost(cause error) {
	b[0].Lost(cause)
	b[1].Lost(cause)
}
