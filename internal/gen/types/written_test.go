package types_test

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/partita/partita/internal/answer"
	"github.com/partita/partita/internal/gateway"
	"github.com/partita/partita/internal/gen/types/testdata/library"
	"github.com/partita/partita/internal/table/admin"
	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/loaders"
	"github.com/partita/partita/table"
	"github.com/partita/partita/table/check"
)

// TestWritten writes objects with the AWS SDK, and reads them by GraphQL. `table check` finds nothing.
func TestWritten(t *testing.T) {
	schema := read(t, librarySchema)
	design := schema.WithoutGo()
	engine := tabletest.Start(t, table.SchemaOf(design))
	at := time.Date(2026, 1, 31, 9, 30, 0, 0, time.UTC)
	day, weight, copies, email, euro := keys.CalendarDate("2025-12-01"), 0.25, int64(1)<<40, "Ada@Example.com", "EUR"
	put(t, engine, library.StoredBook, &library.Book{
		ID: "b1", Title: "Emma", Year: 1815, Copies: &copies, Weight: &weight, IsLent: true,
		Genre: library.GenreNovel, Moods: []library.Genre{library.GenreScienceFiction}, AddedAt: at, PrintedOn: &day,
		Price: &library.Money{Amount: 999, Currency: &euro}, Prices: []*library.Money{{Amount: 1}},
		Tags: []*string{&euro, nil},
	}, 1)
	put(t, engine, library.StoredBook, &library.Book{
		ID: "b2", Title: "Persuasion", Year: 1815, Genre: library.GenreNovel, AddedAt: at,
	}, 1)
	put(t, engine, library.StoredReader, &library.Reader{ID: "r1", Email: &email, Version: 1}, 2)
	put(t, engine, library.StoredLoan, &library.Loan{BookID: "b1", ReaderID: "r1", At: at}, 2)

	handler := gateway.New(gateway.Config{
		Schema:     answer.NewFolder(schema.AST),
		Engine:     loaders.New(design, schema.AST, engine.Table, loaders.Options{}),
		Monitoring: gateway.Monitoring{Logger: slog.New(slog.DiscardHandler)},
	})
	got := ask(t, handler, `query($b: ID!, $r: ID!) {
		book(id: $b) {
			title year copies weight isLent genre moods addedAt printedOn price { amount currency } prices { amount } tags
		}
		booksByYear(year: 1815, first: 5) { nodes { title price { amount } } }
		reader(id: $r) { email version loans(first: 5) { nodes { at book { title } } } }
	}`, map[string]any{"b": keys.NewID("Book", "b1").Encode(), "r": keys.NewID("Reader", "r1").Encode()})
	want := `{"data":{"book":{"title":"Emma","year":1815,"copies":"1099511627776","weight":0.25,"isLent":true,` +
		`"genre":"NOVEL","moods":["SCIENCE_FICTION"],"addedAt":"2026-01-31T09:30:00Z","printedOn":"2025-12-01",` +
		`"price":{"amount":999,"currency":"EUR"},"prices":[{"amount":1}],"tags":["EUR",null]},` +
		`"booksByYear":{"nodes":[{"title":"Emma","price":{"amount":999}},{"title":"Persuasion","price":null}]},` +
		`"reader":{"email":"Ada@Example.com","version":1,` +
		`"loans":{"nodes":[{"at":"2026-01-31T09:30:00Z","book":{"title":"Emma"}}]}}}`
	if !bytes.HasPrefix(got, []byte(want)) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	report, err := check.Table(t.Context(), admin.Scanner{Table: engine.Table}, check.Options{Design: design})
	if err != nil || !report.Clean() || report.Items != 6 {
		t.Errorf("table check: %+v, %v", report, err)
	}
}

// TestWrittenAsOtherPrograms writes objects in formats of their own, with indexes of several attributes and local ones,
// and finds them by each of their keys.
func TestWrittenAsOtherPrograms(t *testing.T) {
	schema := read(t, librarySchema)
	design := schema.WithoutGo()
	engine := tabletest.Start(t, table.SchemaOf(design))
	began, guest := time.Date(2026, 1, 31, 9, 30, 0, 250e6, time.UTC), "Ada"
	ended := began.Add(time.Hour).Truncate(time.Second)
	put(t, engine, library.StoredVisit, &library.Visit{
		Branch: "b", Number: 7, Desk: 12, Day: "2026-01-31", BeganAt: began, EndedAt: &ended, Guest: &guest,
	}, 1)
	put(t, engine, library.StoredVisit, &library.Visit{
		Branch: "b", Number: 8, Desk: 12, Day: "2026-02-01", BeganAt: began.Add(time.Millisecond),
	}, 1)
	handler := gateway.New(gateway.Config{
		Schema:     answer.NewFolder(schema.AST),
		Engine:     loaders.New(design, schema.AST, engine.Table, loaders.Options{}),
		Monitoring: gateway.Monitoring{Logger: slog.New(slog.DiscardHandler)},
	})
	got := ask(t, handler, `{
		visit(branch: "b", number: 7) { branch number desk day beganAt endedAt guest }
		all: visitsByDesk(branch: "b", desk: 12, last: 5) { nodes { number } }
		day: visitsByDesk(branch: "b", desk: 12, day: "2026-02-01", first: 5) { nodes { number } }
		visitsByBegin(branch: "b", beganAt: {from: "2026-01-31T09:30:00.251Z"}, first: 5) { nodes { number beganAt } }
		visitsByGuest(guest: "Ada", first: 5) { nodes { number endedAt } }
	}`, nil)
	want := `{"data":{"visit":{"branch":"b","number":7,"desk":12,"day":"2026-01-31","beganAt":"2026-01-31T09:30:00.25Z",` +
		`"endedAt":"2026-01-31T10:30:00Z","guest":"Ada"},"all":{"nodes":[{"number":7},{"number":8}]},` +
		`"day":{"nodes":[{"number":8}]},` +
		`"visitsByBegin":{"nodes":[{"number":8,"beganAt":"2026-01-31T09:30:00.251Z"}]},` +
		`"visitsByGuest":{"nodes":[{"number":7,"endedAt":"2026-01-31T10:30:00Z"}]}}`
	if !bytes.HasPrefix(got, []byte(want)) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	report, err := check.Table(t.Context(), admin.Scanner{Table: engine.Table}, check.Options{Design: design})
	if err != nil || !report.Clean() || report.Items != 2 {
		t.Errorf("table check: %+v, %v", report, err)
	}
}

// TestUnstorable returns the error of a value that cannot be in a key.
func TestUnstorable(t *testing.T) {
	if items, err := library.StoredBook(&library.Book{ID: "a#b", Title: "Emma"}); err == nil {
		t.Error(items)
	}
}

// put writes all items of an object in one transaction.
func put[T any](
	t *testing.T, engine *tabletest.Engine, stored func(*T) ([]map[string]types.AttributeValue, error), o *T, count int,
) {
	t.Helper()
	items, err := stored(o)
	if err != nil || len(items) != count {
		t.Fatal(items, err)
	}
	var in dynamodb.TransactWriteItemsInput
	for _, it := range items {
		in.TransactItems = append(in.TransactItems, types.TransactWriteItem{
			Put: &types.Put{TableName: aws.String(engine.Table.Name()), Item: it},
		})
	}
	if _, err := engine.Table.Client().TransactWriteItems(t.Context(), &in); err != nil {
		t.Fatal(err)
	}
}

func ask(t *testing.T, handler http.Handler, query string, variables map[string]any) []byte {
	t.Helper()
	body, err := json.Marshal(map[string]any{"query": query, "variables": variables})
	if err != nil {
		t.Fatal(err)
	}
	request := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/graphql", bytes.NewReader(body))
	request.Header.Set("Content-Type", "application/json")
	recorder := httptest.NewRecorder()
	handler.ServeHTTP(recorder, request)
	return recorder.Body.Bytes()
}
