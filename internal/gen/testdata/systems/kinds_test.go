package systems

import (
	"math"
	"reflect"
	"testing"
	"time"

	"github.com/partita/partita/keys"

	"github.com/partita/partita/systems/kinds/graph"
	"github.com/partita/partita/systems/kinds/graph/model"
	"github.com/partita/partita/systems/kinds/resolvers"
	"github.com/partita/partita/systems/kinds/typed"
)

// least returns a thing with only what must be set, whole one with everything.
func least(id string) *model.Thing {
	return &model.Thing{
		ID: keys.NewID("Thing", id), Model: "a", Keys: id, Link: "https://example.com",
		At: time.Date(2026, time.March, 1, 0, 0, 0, 0, time.UTC), Day: "2026-03-01", Colour: model.ColourRed,
		Bigs: []int64{}, Ids: []keys.ID{}, Words: []string{}, Grid: [][]int{}, Colours: []*model.Colour{},
		Place: &model.Place{City: "Berlin"}, Places: []*model.Place{},
	}
}

func whole() *model.Thing {
	blue, owner := model.ColourBlue, keys.NewID("Thing", "a")
	flag, count, big, ratio, text, longitude := true, -3, int64(math.MaxInt64), 0.5, "text", 13.4
	at, day := time.Date(2026, time.March, 2, 0, 0, 0, 1e6, time.UTC), keys.CalendarDate("2026-03-02")
	link := "https://example.org"
	geo := &model.Geo{Latitude: 52.5, Longitude: &longitude}
	place := &model.Place{City: "Bonn", Geo: geo, Colours: []model.Colour{blue}}
	o := least("b")
	o.OwnerID, o.MaybeFlag, o.MaybeCount, o.MaybeRatio = &owner, &flag, &count, &ratio
	o.MaybeAt, o.MaybeDay, o.MaybeColour, o.MaybeText, o.MaybeLink = &at, &day, &blue, &text, &link
	o.Big, o.MaybeBig, o.Bigs = 1<<53+1, &big, []int64{math.MinInt64, 0}
	o.Flag, o.Count, o.Ratio = true, 7, 1e-3
	o.Ids = []keys.ID{keys.NewID("", "opaque")}
	o.Words, o.MaybeWords = []string{"x", ""}, []*string{&text, nil}
	o.Grid, o.Colours, o.Times = [][]int{{1, 2}, {}}, []*model.Colour{nil, &blue}, []*time.Time{&at}
	o.Place, o.MaybePlace, o.Places, o.MaybePlaces = place, place, []*model.Place{place}, []*model.Place{nil, place}
	return o
}

func TestWhatIsStoredIsRead(t *testing.T) {
	for _, want := range []*model.Thing{least("a"), whole()} {
		got, err := model.NewThing(storedItems(t, typed.StoredThing, want)[0])
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("got %+v, want %+v", got, want)
		}
	}
}

func TestKinds(t *testing.T) {
	a, b := keys.NewID("Thing", "a"), keys.NewID("Thing", "b")
	part := keys.NewID("Part", "a", "p1")
	note := func(n int) *model.Note {
		return &model.Note{ThingID: a, PartID: keys.NewID("", "p1"), Number: n}
	}
	reading := func(n int64) *model.Reading { return &model.Reading{ThingID: a, Number: n} }
	session := func(n int, validUntil *time.Time) *model.Session {
		return &model.Session{ThingID: a, Number: n, ValidUntil: validUntil}
	}
	expired, lasting := time.Now().Add(-time.Minute), time.Date(2199, time.May, 1, 12, 0, 0, 0, time.UTC)
	runQueries(t, "kinds", graph.NewExecutableSchema(graph.Config{Resolvers: &resolvers.Resolver{}}), typed.Design,
		storedItems(t, typed.StoredThing, least("a"), whole()),
		storedItems(t, typed.StoredLoan, &model.Loan{ThingID: a, BorrowerID: b, Loan: "for a week"}),
		storedItems(t, typed.StoredPart, &model.Part{ThingID: a, ID: part}),
		storedItems(t, typed.StoredSession,
			session(1, &expired), session(2, nil), session(3, &lasting), session(4, &expired)),
		storedItems(t, typed.StoredReading, reading(7), reading(1<<53), reading(1<<53+1), reading(math.MaxInt64)),
		storedItems(t, typed.StoredNote, note(1), note(2), note(3)),
	)
}
