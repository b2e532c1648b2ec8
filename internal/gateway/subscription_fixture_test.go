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

	"github.com/99designs/gqlgen/graphql"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/gateway"
	"github.com/partita/partita/internal/gateway/response"
	"github.com/partita/partita/internal/gateway/subscribe"
	"github.com/partita/partita/internal/gatewaytest"
	"github.com/partita/partita/internal/live"
	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/internal/testservice"
	"github.com/partita/partita/internal/testservice/graph/model"
	"github.com/partita/partita/internal/testservice/graph/typed"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/loaders"
	"github.com/partita/partita/table"
	"github.com/partita/partita/viewer"
)

// library is the library with live data.
type library struct {
	*testservice.Changes
	*tabletest.Engine
	subscriptions gateway.Subscriber
	log           *gatewaytest.Log
}

// setup is how a library differs from the usual one.
type setup struct {
	hub     live.Options
	loaders loaders.Options
	config  func(*gateway.Config)
	source  func(*table.Table) loaders.Source
}

// startLibrary starts the library with items.
func startLibrary(t *testing.T, with setup, items ...item.Item) *library {
	t.Helper()
	return startLive(t, testservice.Design(), testservice.Executable(), with, items...)
}

func startLive(
	t *testing.T, design *design.Design, schema graphql.ExecutableSchema, with setup, items ...item.Item,
) *library {
	t.Helper()
	engine := tabletest.Start(t, table.SchemaOf(design))
	engine.Load(t, items...)
	l := &library{
		Changes: testservice.NewChanges(t, design, engine, items, with.hub), Engine: engine, log: &gatewaytest.Log{},
	}
	logger := slog.New(slog.NewTextHandler(l.log, nil))
	var source loaders.Source = engine.Table
	if with.source != nil {
		source = with.source(engine.Table)
	}
	with.loaders.Logger = logger
	c := gateway.Config{
		Schema:        schema,
		Subscriptions: subscribe.Settings{Live: l.Hub},
		Monitoring:    gateway.Monitoring{Logger: logger},
		Engine:        loaders.New(design, schema.Schema(), source, with.loaders),
	}
	if with.config != nil {
		with.config(&c)
	}
	l.subscriptions = gateway.NewSubscriber(c)
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
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
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
		Cost response.Cost
		Live struct{ Position string }
	}
}

func errorsOf(t *testing.T, body string) string {
	t.Helper()
	var a liveAnswer
	fatal.If(t, json.Unmarshal([]byte(body), &a))
	var lines []string
	for _, e := range a.Errors {
		lines = append(lines, fmt.Sprintf("%s %v: %s", e.Extensions.Code, e.Path, e.Message))
	}
	return strings.Join(lines, "\n")
}

// wants compares the next answer with the requests for it, the number of read units, the data and the errors. A line
// that begins with a tab continues the one before.
func (s *subscribed) wants(t *testing.T, want string) {
	t.Helper()
	want = strings.ReplaceAll(want, "\n\t", "")
	s.Proxy.Reset()
	body, isEnd := s.Next()
	var a liveAnswer
	fatal.If(t, json.Unmarshal([]byte(body), &a))
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
