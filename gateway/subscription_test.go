package gateway_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/partita/partita/gateway"
	"github.com/partita/partita/internal/gatewaytest"
	"github.com/partita/partita/internal/testservice"
	"github.com/partita/partita/internal/testservice/graph/model"
	"github.com/partita/partita/internal/testservice/graph/typed"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/live"
	"github.com/partita/partita/loaders"
	"github.com/partita/partita/table/tabletest"
	"github.com/partita/partita/viewer"
)

// library is the library with live data.
type library struct {
	*testservice.Changes
	*tabletest.Engine
	subscriptions gateway.Subscriptions
	log           *gatewaytest.Log
}

// startLibrary starts the library with items. change may change the gateway's configuration.
func startLibrary(t *testing.T, o live.Options, change func(*gateway.Config), items ...item.Item) *library {
	t.Helper()
	engine := tabletest.Start(t, testservice.TableSchema())
	engine.Load(t, items...)
	l := &library{
		Changes: testservice.NewChanges(t, engine, items, o), Engine: engine, log: &gatewaytest.Log{},
	}
	logger := slog.New(slog.NewTextHandler(l.log, nil))
	c := gateway.Config{
		Schema: testservice.Executable(), Live: l.Hub, Logger: logger,
		Engine: loaders.New(testservice.Design(), testservice.Executable().Schema(), engine.Table,
			loaders.Options{Logger: logger}),
	}
	if change != nil {
		change(&c)
	}
	l.subscriptions = gateway.NewSubscriptions(c)
	return l
}

// subscribed is a subscription whose answers have been compared.
type subscribed struct {
	*gateway.Subscription
	*library
	position string
}

func (l *library) subscribe(t *testing.T, v viewer.Viewer, query string) *subscribed {
	t.Helper()
	return l.resume(t, v, query, "")
}

func (l *library) resume(t *testing.T, v viewer.Viewer, query, position string) *subscribed {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	t.Cleanup(cancel)
	s, failed := l.subscriptions.Subscribe(ctx, v, testservice.Encoded(query), nil, position)
	if s == nil {
		t.Fatalf("%s: %s", query, failed)
	}
	t.Cleanup(s.Close)
	return &subscribed{Subscription: s, library: l}
}

// refused returns the errors of a subscription that cannot begin.
func (l *library) refused(t *testing.T, v viewer.Viewer, query, position string) string {
	t.Helper()
	s, body := l.subscriptions.Subscribe(t.Context(), v, testservice.Encoded(query), nil, position)
	if s != nil {
		s.Close()
		t.Fatalf("%s begins", query)
	}
	return errorsOf(t, body)
}

// liveAnswer is the body of an answer.
type liveAnswer struct {
	Data   json.RawMessage
	Errors []struct {
		Message    string
		Path       []any
		Extensions struct{ Code string }
	}
	Extensions struct {
		Cost gateway.Cost
		Live struct{ Position string }
	}
}

func errorsOf(t *testing.T, body string) string {
	t.Helper()
	var a liveAnswer
	if err := json.Unmarshal([]byte(body), &a); err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, e := range a.Errors {
		lines = append(lines, fmt.Sprintf("%s %v: %s", e.Extensions.Code, e.Path, e.Message))
	}
	return strings.Join(lines, "\n")
}

// wants compares the next answer with the requests for it, the number of read units, the data and the errors.
func (s *subscribed) wants(t *testing.T, want string) {
	t.Helper()
	s.Proxy.Reset()
	body, isEnd := s.Next()
	var a liveAnswer
	if err := json.Unmarshal([]byte(body), &a); err != nil {
		t.Fatal(err)
	}
	lines := s.Proxy.Log()
	slices.Sort(lines)
	counts := s.Proxy.Counts()
	if c := a.Extensions.Cost; c.ReadUnits != counts.ReadUnits || c.Requests != counts.Total() ||
		c.ReadUnits > c.EstimatedReadUnits || float64(c.Objects) > c.EstimatedObjects {
		t.Errorf("the cost is %+v, the proxy has counted %+v", c, counts)
	}
	lines = append(lines, fmt.Sprintf("%v units", a.Extensions.Cost.ReadUnits))
	if a.Data != nil && string(a.Data) != "null" {
		lines = append(lines, testservice.Decoded(string(a.Data)))
	}
	if text := errorsOf(t, body); text != "" {
		lines = append(lines, text)
	}
	if isEnd {
		lines = append(lines, "end")
	}
	if got, want := strings.Join(lines, "\n"), strings.TrimSpace(want); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if s.position = a.Extensions.Live.Position; s.position == "" && !isEnd {
		t.Error("the answer has no position")
	}
}

func loan(n int, state model.LoanState, change ...func(*model.Loan)) []item.Item {
	at := testservice.Opened.Add(time.Duration(n) * time.Hour)
	l := &model.Loan{
		ID: testservice.Loan(n), ReaderID: testservice.Reader(1), BookID: testservice.Book(1), State: state,
		LentAt: at, DueOn: keys.DateOf(at),
	}
	for _, f := range change {
		f(l)
	}
	return testservice.Stored(typed.StoredLoan, l)
}

func book(n int, title string) []item.Item {
	return testservice.Stored(typed.StoredBook, &model.Book{
		ID: testservice.Book(n), Title: title, Genre: model.GenreNovel,
	})
}

// TestSubscriptionToAnObject: the first state is read consistently, and what is below it is not. The item of an event is
// not read.
func TestSubscriptionToAnObject(t *testing.T) {
	sequel := func(title string) []item.Item {
		id := testservice.Book(2)
		return testservice.Stored(typed.StoredBook, &model.Book{
			ID: testservice.Book(1), Title: title, Genre: model.GenreNovel, SequelID: &id,
		})
	}
	l := startLibrary(t, live.Options{}, nil, slices.Concat(sequel("One"), book(2, "Two"))...)
	s := l.subscribe(t, testservice.Anonymous, `subscription { b: book(id: "Book:b001") { id title sequel { title } } }`)
	s.wants(t, `
GetItem BOOK#b001 BOOK#b001, consistent
GetItem BOOK#b002 BOOK#b002
1.5 units
{"b":{"id":"Book:b001","title":"One","sequel":{"title":"Two"}}}`)
	l.Put(t, book(2, "Second")...)
	l.Put(t, sequel("First")...)
	s.wants(t, `
GetItem BOOK#b002 BOOK#b002
0.5 units
{"b":{"id":"Book:b001","title":"First","sequel":{"title":"Second"}}}`)
	l.Delete(t, book(1, "")...)
	s.wants(t, `
0 units
{"b":null}`)
	l.Put(t, book(1, "Again")...)
	s.wants(t, `
0 units
{"b":{"id":"Book:b001","title":"Again","sequel":null}}`)
}
