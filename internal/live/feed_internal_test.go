package live

import (
	"testing"
	"time"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// TestQueueIsBounded: the memory of a queue that is never empty does not grow with what has been received.
func TestQueueIsBounded(t *testing.T) {
	f := &Feed{
		hub:       &Hub{options: Options{Settings: Settings{Queue: 4}}},
		condition: &design.Condition{Field: &design.Field{Kind: design.Query}},
	}
	f.push(queued{number: 1})
	for n := uint64(1); n <= 10_000; n++ {
		f.push(queued{number: n + 1})
		if _, ok, err := f.pop(); !ok || err != nil || f.last.number != n {
			t.Fatalf("event %d: got %d, %v, %v", n, f.last.number, ok, err)
		}
	}
	if cap(f.queue) > 32 {
		t.Errorf("the queue has room for %d", cap(f.queue))
	}
}

// TestNothingRemains: a hub has nothing of a feed that is closed.
func TestNothingRemains(t *testing.T) {
	month := keys.Shape{PK: keys.MustTemplate("MONTH#{at:month}"), SK: keys.MustTemplate("V#{at}")}
	design := design.MustDesign(nil,
		[]*design.Type{{Name: "Visit", Identity: []string{"at"}, Item: month}},
		[]*design.Field{{
			Parent: "Query", Name: "visits", Kind: design.Query, Result: design.Connection, Edge: "VisitEdge",
			PK: month.PK, SK: keys.MustTemplate("V#"),
			Arguments: []keys.Argument{{Name: "at", Kind: keys.Time, Range: true}},
		}},
	)
	field := design.MustField("Query", "visits")
	c, err := field.Bind(func(string) keys.Value {
		return keys.ArgumentValue(field.Arguments[0], map[string]any{"from": "2026-01-01T00:00:00Z"})
	}).At(time.Now()).Condition()
	fatal.If(t, err)
	h := NewHub(design, Options{})
	h.Current(time.Now())
	f, err := h.Subscribe(&c, "")
	fatal.If(t, err)
	f.Begin(State{})
	if len(h.registry) == 0 || len(h.growing) == 0 || len(h.settling) == 0 || h.Feeds() != 1 {
		t.Error("the feed receives nothing")
	}
	f.Close()
	if len(h.registry)+len(h.growing)+len(h.settling)+h.Feeds() > 0 {
		t.Errorf("%d places, %d feeds that grow, %d that settle and %d feeds remain",
			len(h.registry), len(h.growing), len(h.settling), h.Feeds())
	}
}
