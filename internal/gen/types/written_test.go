package types_test

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/partita/partita/internal/answer"
	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/gateway"
	"github.com/partita/partita/internal/gen/directives"
	"github.com/partita/partita/internal/gen/types/testdata/library"
	"github.com/partita/partita/internal/gen/types/testdata/notation"
	"github.com/partita/partita/internal/table/admin"
	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/loaders"
	"github.com/partita/partita/table"
	"github.com/partita/partita/table/check"
)

// written is a table whose items are written with the AWS SDK, and a query of it.
type written struct {
	schema    *directives.Schema
	engine    *tabletest.Engine
	query     string
	variables map[string]any
}

func start(t *testing.T, file string) *written {
	t.Helper()
	schema := read(t, file)
	return &written{schema: schema, engine: tabletest.Start(t, table.SchemaOf(schema.WithoutGo()))}
}

// TestWritten writes objects with the AWS SDK, and reads them by GraphQL. `table check` finds nothing.
func TestWritten(t *testing.T) {
	w := start(t, librarySchema)
	at := time.Date(2026, 1, 31, 9, 30, 0, 0, time.UTC)
	day, weight, copies, email, euro := keys.CalendarDate("2025-12-01"), 0.25, int64(1)<<40, "Ada@Example.com", "EUR"
	put(t, w, library.StoredBook, &library.Book{
		ID: "b1", Title: "Emma", Year: 1815, Copies: &copies, Weight: &weight, IsLent: true,
		Genre: library.GenreNovel, Moods: []library.Genre{library.GenreScienceFiction}, AddedAt: at, PrintedOn: &day,
		Price: &library.Money{Amount: 999, Currency: &euro}, Prices: []*library.Money{{Amount: 1}},
		Tags: []*string{&euro, nil},
	}, 1)
	put(t, w, library.StoredBook, &library.Book{
		ID: "b2", Title: "Persuasion", Year: 1815, Genre: library.GenreNovel, AddedAt: at,
	}, 1)
	put(t, w, library.StoredReader, &library.Reader{ID: "r1", Email: &email, Version: 1}, 2)
	put(t, w, library.StoredLoan, &library.Loan{BookID: "b1", ReaderID: "r1", At: at}, 2)

	w.query = `query($b: ID!, $r: ID!) {
		book(id: $b) {
			title year copies weight isLent genre moods addedAt printedOn price { amount currency } prices { amount } tags
		}
		booksByYear(year: 1815, first: 5) { nodes { title price { amount } } }
		reader(id: $r) { email version loans(first: 5) { nodes { at book { title } } } }
	}`
	w.variables = map[string]any{"b": keys.NewID("Book", "b1").Encode(), "r": keys.NewID("Reader", "r1").Encode()}
	w.check(t, `{"data":{"book":{"title":"Emma","year":1815,"copies":"1099511627776","weight":0.25,"isLent":true,`+
		`"genre":"NOVEL","moods":["SCIENCE_FICTION"],"addedAt":"2026-01-31T09:30:00Z","printedOn":"2025-12-01",`+
		`"price":{"amount":999,"currency":"EUR"},"prices":[{"amount":1}],"tags":["EUR",null]},`+
		`"booksByYear":{"nodes":[{"title":"Emma","price":{"amount":999}},{"title":"Persuasion","price":null}]},`+
		`"reader":{"email":"Ada@Example.com","version":1,`+
		`"loans":{"nodes":[{"at":"2026-01-31T09:30:00Z","book":{"title":"Emma"}}]}}}`, 6)
}

// TestWrittenAsOtherPrograms writes objects in formats of their own, with indexes of several attributes and local ones,
// and finds them by each of their keys.
func TestWrittenAsOtherPrograms(t *testing.T) {
	w := start(t, librarySchema)
	began, guest := time.Date(2026, 1, 31, 9, 30, 0, 250e6, time.UTC), "Ada"
	ended := began.Add(time.Hour).Truncate(time.Second)
	put(t, w, library.StoredVisit, &library.Visit{
		Branch: "b", Number: 7, Desk: 12, Day: "2026-01-31", BeganAt: began, EndedAt: &ended, Guest: &guest,
	}, 1)
	put(t, w, library.StoredVisit, &library.Visit{
		Branch: "b", Number: 8, Desk: 12, Day: "2026-02-01", BeganAt: began.Add(time.Millisecond),
	}, 1)
	w.query = `{
		visit(branch: "b", number: 7) { branch number desk day beganAt endedAt guest }
		all: visitsByDesk(branch: "b", desk: 12, last: 5) { nodes { number } }
		day: visitsByDesk(branch: "b", desk: 12, day: "2026-02-01", first: 5) { nodes { number } }
		visitsByBegin(branch: "b", beganAt: {from: "2026-01-31T09:30:00.251Z"}, first: 5) { nodes { number beganAt } }
		visitsByGuest(guest: "Ada", first: 5) { nodes { number endedAt } }
	}`
	w.check(t, `{"data":{"visit":{"branch":"b","number":7,"desk":12,"day":"2026-01-31",`+
		`"beganAt":"2026-01-31T09:30:00.25Z",`+
		`"endedAt":"2026-01-31T10:30:00Z","guest":"Ada"},"all":{"nodes":[{"number":7},{"number":8}]},`+
		`"day":{"nodes":[{"number":8}]},`+
		`"visitsByBegin":{"nodes":[{"number":8,"beganAt":"2026-01-31T09:30:00.251Z"}]},`+
		`"visitsByGuest":{"nodes":[{"number":7,"endedAt":"2026-01-31T10:30:00Z"}]}}`, 2)
}

// TestUnstorable returns the error of a value that cannot be in a key.
func TestUnstorable(t *testing.T) {
	if items, err := library.StoredBook(&library.Book{ID: "a#b", Title: "Emma"}); err == nil {
		t.Error(items)
	}
}

// TestWrittenWithAllNotation writes objects with keys and values as other libraries have them: in another case, without
// a delimiter, unset, with constants, in keys only, as sets, within objects. They are read by GraphQL, and by the keys
// that these libraries write.
func TestWrittenWithAllNotation(t *testing.T) {
	w := start(t, notationSchema)
	at, calm, bpm, label, isrc := time.Date(2026, 1, 31, 9, 30, 0, 0, time.UTC), notation.MoodCalm, 90, "Alto", "DE1"
	name, tag := "East", "loud"
	put(t, w, notation.StoredTrack, &notation.Track{
		Artist: "The Band", Title: "Straße", Mood: &calm, Bpm: &bpm, Label: &label, Tags: []string{"b", "a", "b"},
		Charts: []int{3}, ReleasedAt: &at, AddedAt: at, Isrc: &isrc,
		Credits: &notation.Credits{
			Composer: "Ada", Since: &at, Players: []string{"Bo"}, Studio: &notation.Studio{Name: &name},
		},
		Pressings: []*notation.Pressing{{Copies: 300, Studio: &notation.Studio{Name: &name}}},
	}, 2)
	put(t, w, notation.StoredTrack, &notation.Track{Artist: "The Band", Title: "Tune", Mood: &calm, AddedAt: at}, 1)
	put(t, w, notation.StoredPlay, &notation.Play{
		Room: "hall", Device: "left", Day: "2026-01-31", Number: 7, Tag: &tag,
	}, 1)
	put(t, w, notation.StoredSeat, &notation.Seat{Hall: "main", Row: "A", Seat: 2}, 1)

	w.query = `{
		track(artist: "the band", title: "STRASSE") {
			artist title mood bpm label tags charts releasedAt addedAt isrc
			credits { composer since players studio { name opened } } pressings { copies studio { name } }
		}
		tracks(mood: CALM, first: 5) { nodes { title tags charts } }
		play(room: "hall", device: "left", day: "2026-01-31", number: 7) { room device day number tag }
		tagged(tag: "loud", first: 5) { nodes { number } }
		seats(hall: "main", row: "A", first: 5) { nodes { row seat } }
	}`
	w.check(t, `{"data":{"track":{"artist":"The Band","title":"Straße","mood":"CALM","bpm":90,"label":"Alto",`+
		`"tags":["a","b"],"charts":[3],"releasedAt":"2026-01-31T09:30:00Z","addedAt":"2026-01-31T09:30:00Z","isrc":"DE1",`+
		`"credits":{"composer":"Ada","since":"2026-01-31T09:30:00Z","players":["Bo"],`+
		`"studio":{"name":"East","opened":null}},"pressings":[{"copies":300,"studio":{"name":"East"}}]},`+
		`"tracks":{"nodes":[{"title":"Tune","tags":[],"charts":null},{"title":"Straße","tags":["a","b"],"charts":[3]}]},`+
		`"play":{"room":"hall","device":"left","day":"2026-01-31","number":7,"tag":"loud"},`+
		`"tagged":{"nodes":[{"number":7}]},"seats":{"nodes":[{"row":"A","seat":2}]}}`, 5)
}

// put writes all items of an object in one transaction.
func put[T any](
	t *testing.T, w *written, stored func(*T) ([]map[string]types.AttributeValue, error), o *T, count int,
) {
	t.Helper()
	items, err := stored(o)
	if err != nil || len(items) != count {
		t.Fatal(items, err)
	}
	var in dynamodb.TransactWriteItemsInput
	for _, it := range items {
		in.TransactItems = append(in.TransactItems, types.TransactWriteItem{
			Put: &types.Put{TableName: aws.String(w.engine.Table.Name()), Item: it},
		})
	}
	if _, err := w.engine.Table.Client().TransactWriteItems(t.Context(), &in); err != nil {
		t.Fatal(err)
	}
}

// check compares the beginning of the answer, and finds nothing wrong with the items in the table.
func (w *written) check(t *testing.T, want string, items int) {
	t.Helper()
	design := w.schema.WithoutGo()
	handler := gateway.New(gateway.Config{
		Schema:     answer.NewFolder(w.schema.AST),
		Engine:     loaders.New(design, w.schema.AST, w.engine.Table, loaders.Options{}),
		Monitoring: gateway.Monitoring{Logger: slog.New(slog.DiscardHandler)},
	})
	body, err := json.Marshal(map[string]any{"query": w.query, "variables": w.variables})
	fatal.If(t, err)
	request := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/graphql", bytes.NewReader(body))
	request.Header.Set("Content-Type", "application/json")
	recorder := httptest.NewRecorder()
	handler.ServeHTTP(recorder, request)
	if got := recorder.Body.String(); !strings.HasPrefix(got, want) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	report, err := check.Table(t.Context(), admin.Scanner{Table: w.engine.Table}, check.Options{Design: design})
	if err != nil || !report.Clean() || report.Items != items {
		t.Errorf("table check: %+v, %v", report, err)
	}
}
