package live_test

import (
	"context"
	"math"
	"strconv"
	"testing"
	"time"

	"github.com/partita/partita/internal/live"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// design has notes in the folders of a person, sharded by colour in an index, and visits in monthly buckets.
var tableDesign = design.MustDesign(
	nil,
	[]*design.Type{
		{
			Name: "Note", Identity: []string{"person", "id"}, Item: shape("PERSON#{person}", "NOTE#{id}"),
			Attributes: []design.Attribute{{Name: "text"}, {Name: "colour"}, {Name: "rank"}},
			Indexes:    []design.Index{{Name: "GSI1", Shape: shape("COLOUR#{colour}", "{rank}#{id}"), Shards: 4}},
			Expires:    "expiresAt",
		},
		{Name: "Visit", Identity: []string{"at"}, Item: shape("MONTH#{at:month}", "V#{at}")},
	},
	[]*design.Field{
		field("note", design.Get, "", "PERSON#{person}", "NOTE#{id}", argument("person"), argument("id")),
		connection(field("notes", design.Query, "", "PERSON#{person}", "NOTE#", argument("person"))),
		connection(field("ofColour", design.Query, "GSI1", "COLOUR#{colour}", "", argument("colour"))),
		connection(field("visits", design.Query, "", "MONTH#{at:month}", "V#",
			keys.Argument{Name: "at", Kind: keys.Time, Range: true})),
	},
)

func shape(pk, sk string) keys.Shape {
	s := keys.Shape{PK: keys.MustTemplate(pk)}
	if sk != "" {
		s.SK = keys.MustTemplate(sk)
	}
	return s
}

func argument(name string) keys.Argument { return keys.Argument{Name: name, Kind: keys.String} }

func field(name string, kind design.FieldKind, index, pk, sk string, arguments ...keys.Argument) *design.Field {
	s := shape(pk, sk)
	return &design.Field{
		Parent: "Query", Name: name, Kind: kind, Index: index, PK: s.PK, SK: s.SK, Arguments: arguments,
	}
}

func connection(f *design.Field) *design.Field {
	f.Result, f.Edge = design.Connection, f.Name+"Edge"
	return f
}

// condition returns the condition of a field with the values of its arguments.
func condition(tb testing.TB, name string, values ...any) *design.Condition {
	tb.Helper()
	f := tableDesign.MustField("Query", name)
	c := must(f.Bind(func(variable string) keys.Value {
		for i := range f.Arguments {
			if f.Arguments[i].Name == variable && i < len(values) {
				return keys.ArgumentValue(f.Arguments[i], values[i])
			}
		}
		return keys.Value{}
	}).At(time.Now()).Condition())
	return &c
}

// note returns a note. Its colour and the end of its text, its rank, decide where it is in the index.
func note(person, id, text, colour string) item.Item {
	rank := text[len(text)-1:]
	return item.Item{
		{Name: "PK", Value: item.StringValue("PERSON#" + person)},
		{Name: "SK", Value: item.StringValue("NOTE#" + id)},
		{Name: "entityType", Value: item.StringValue("Note")},
		{Name: "person", Value: item.StringValue(person)},
		{Name: "id", Value: item.StringValue(id)},
		{Name: "text", Value: item.StringValue(text)},
		{Name: "colour", Value: item.StringValue(colour)},
		{Name: "rank", Value: item.StringValue(rank)},
		{Name: "GSI1PK", Value: item.StringValue(
			"COLOUR#" + colour + "#" + strconv.Itoa(keys.Shard(4, person, id)))},
		{Name: "GSI1SK", Value: item.StringValue(rank + "#" + id)},
	}
}

// stream makes changes, of one shard.
type stream struct{ last int }

const firstSequence = 1000

func (s *stream) change(old, current item.Item) *live.Change {
	s.last++
	key := keys.KeyOf(current)
	if current == nil {
		key = keys.KeyOf(old)
	}
	return &live.Change{
		Key: key, Old: old, New: current, At: time.Now(), Shard: "shard", Sequence: strconv.Itoa(firstSequence + s.last),
	}
}

// newHub returns a hub that is current.
func newHub(tb testing.TB, o live.Options) *live.Hub {
	tb.Helper()
	h := live.NewHub(tableDesign, o)
	tb.Cleanup(h.Close)
	h.Current(time.Now())
	return h
}

// subscribe returns a feed.
func subscribe(tb testing.TB, h *live.Hub, c *design.Condition, after string) *live.Feed {
	tb.Helper()
	f := must(h.Subscribe(c, after))
	tb.Cleanup(f.Close)
	f.Replay(math.MaxInt)
	return f
}

// started returns a feed whose first state has some items.
func started(tb testing.TB, h *live.Hub, c *design.Condition, items ...item.Item) *live.Feed {
	tb.Helper()
	f := subscribe(tb, h, c, "")
	f.Begin(live.State{Items: items})
	return f
}

// next returns the next event.
func next(tb testing.TB, f *live.Feed) live.Event {
	tb.Helper()
	ctx, cancel := context.WithTimeout(tb.Context(), time.Minute)
	defer cancel()
	e := must(f.Next(ctx))
	return e
}

// none fails if there is an event.
func none(tb testing.TB, f *live.Feed) {
	tb.Helper()
	if e, ok := waiting(f); ok {
		tb.Fatalf("an event: %v, %v, %v -> %v", e.Was, e.Is, e.Old, e.New)
	}
}

// waiting returns the next event if there is one already.
func waiting(f *live.Feed) (live.Event, bool) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	e, err := f.Next(ctx)
	return e, err == nil
}

// must returns a value that a test needs.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
