package types_test

import (
	"bytes"
	"log/slog"
	"testing"
	"time"

	"github.com/partita/partita/internal/answer"
	"github.com/partita/partita/internal/gateway"
	"github.com/partita/partita/internal/gen/types/testdata/notation"
	"github.com/partita/partita/internal/table/admin"
	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/loaders"
	"github.com/partita/partita/table"
	"github.com/partita/partita/table/check"
)

// TestWrittenWithAllNotation writes objects with keys and values as other libraries have them: in another case, without
// a delimiter, unset, with constants, in keys only, as sets, within objects. They are read by GraphQL, and by the keys
// that these libraries write.
func TestWrittenWithAllNotation(t *testing.T) {
	schema := read(t, notationSchema)
	design := schema.WithoutGo()
	engine := tabletest.Start(t, table.SchemaOf(design))
	at, calm, bpm, label, isrc := time.Date(2026, 1, 31, 9, 30, 0, 0, time.UTC), notation.MoodCalm, 90, "Alto", "DE1"
	name, tag := "East", "loud"
	put(t, engine, notation.StoredTrack, &notation.Track{
		Artist: "The Band", Title: "Straße", Mood: &calm, Bpm: &bpm, Label: &label, Tags: []string{"b", "a", "b"},
		Charts: []int{3}, ReleasedAt: &at, AddedAt: at, Isrc: &isrc,
		Credits: &notation.Credits{
			Composer: "Ada", Since: &at, Players: []string{"Bo"}, Studio: &notation.Studio{Name: &name},
		},
		Pressings: []*notation.Pressing{{Copies: 300, Studio: &notation.Studio{Name: &name}}},
	}, 2)
	put(t, engine, notation.StoredTrack, &notation.Track{Artist: "The Band", Title: "Tune", Mood: &calm, AddedAt: at}, 1)
	put(t, engine, notation.StoredPlay, &notation.Play{
		Room: "hall", Device: "left", Day: "2026-01-31", Number: 7, Tag: &tag,
	}, 1)
	put(t, engine, notation.StoredSeat, &notation.Seat{Hall: "main", Row: "A", Seat: 2}, 1)

	handler := gateway.New(gateway.Config{
		Schema:     answer.NewFolder(schema.AST),
		Engine:     loaders.New(design, schema.AST, engine.Table, loaders.Options{}),
		Monitoring: gateway.Monitoring{Logger: slog.New(slog.DiscardHandler)},
	})
	got := ask(t, handler, `{
		track(artist: "the band", title: "STRASSE") {
			artist title mood bpm label tags charts releasedAt addedAt isrc
			credits { composer since players studio { name opened } } pressings { copies studio { name } }
		}
		tracks(mood: CALM, first: 5) { nodes { title tags charts } }
		play(room: "hall", device: "left", day: "2026-01-31", number: 7) { room device day number tag }
		tagged(tag: "loud", first: 5) { nodes { number } }
		seats(hall: "main", row: "A", first: 5) { nodes { row seat } }
	}`, nil)
	want := `{"data":{"track":{"artist":"The Band","title":"Straße","mood":"CALM","bpm":90,"label":"Alto",` +
		`"tags":["a","b"],"charts":[3],"releasedAt":"2026-01-31T09:30:00Z","addedAt":"2026-01-31T09:30:00Z","isrc":"DE1",` +
		`"credits":{"composer":"Ada","since":"2026-01-31T09:30:00Z","players":["Bo"],` +
		`"studio":{"name":"East","opened":null}},"pressings":[{"copies":300,"studio":{"name":"East"}}]},` +
		`"tracks":{"nodes":[{"title":"Tune","tags":[],"charts":null},{"title":"Straße","tags":["a","b"],"charts":[3]}]},` +
		`"play":{"room":"hall","device":"left","day":"2026-01-31","number":7,"tag":"loud"},` +
		`"tagged":{"nodes":[{"number":7}]},"seats":{"nodes":[{"row":"A","seat":2}]}}`
	if !bytes.HasPrefix(got, []byte(want)) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	report, err := check.Table(t.Context(), admin.Scanner{Table: engine.Table}, check.Options{Design: design})
	if err != nil || !report.Clean() || report.Items != 5 {
		t.Errorf("table check: %+v, %v", report, err)
	}
}
