package gateway_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/partita/partita/internal/executors"
	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/gateway"
	"github.com/partita/partita/internal/gateway/response"
	"github.com/partita/partita/internal/gatewaytest"
	"github.com/partita/partita/internal/plan"
	"github.com/partita/partita/internal/testservice"
	"github.com/partita/partita/internal/testservice/graph/model"
	"github.com/partita/partita/internal/testservice/graph/typed"
	"github.com/partita/partita/item"
	"github.com/partita/partita/viewer"
)

// liveFields are fields of Subscription with the operations that return the same: path leads to the connection or the
// object.
var liveFields = []struct{ field, node, query, path string }{
	{`loans(readerId: "Reader:r001", first: 100)`, "Loan",
		`reader(id: "Reader:r001") { loans(first: 100) SEL }`, "reader loans"},
	{`loansByState(state: LENT, last: 100)`, "Loan", `loansByState(state: LENT, last: 100) SEL`, "loansByState"},
	{`remindersByBatch(batch: "B", first: 100)`, "Reminder",
		`remindersByBatch(batch: "B", first: 100) SEL`, "remindersByBatch"},
	{`recommendations(readerId: "Reader:r001", first: 100)`, "Book",
		`reader(id: "Reader:r001") { recommendations(first: 100) SEL }`, "reader recommendations"},
	{`recommendedBy(bookId: "Book:b001", first: 100)`, "Reader",
		`book(id: "Book:b001") { recommendedBy(first: 100) SEL }`, "book recommendedBy"},
	{`books(branchId: "Branch:c1", floor: 1, first: 100)`, "Book",
		`node(id: "Branch:c1") { ... on Branch { books(floor: 1, first: 100) SEL } }`, "node books"},
	{`contents(branchId: "Branch:c1", first: 100)`, "BranchItem",
		`node(id: "Branch:c1") { ... on Branch { contents(first: 100) SEL } }`, "node contents"},
	{`postings(branchId: "Branch:c1", first: 100)`, "Posting",
		`node(id: "Branch:c1") { ... on Branch { postings(first: 100) SEL } }`, "node postings"},
	{`visits(branchId: "Branch:c1", at: {from: "2026-01-01T00:00:00Z"}, first: 100)`, "Visit",
		`node(id: "Branch:c1") { ... on Branch { visits(at: {from: "2026-01-01T00:00:00Z"}, first: 100) SEL } }`,
		"node visits"},
	{`book(id: "Book:b001")`, "", `book(id: "Book:b001") SEL`, "book"},
	{`loan(id: "Loan:l001")`, "", `loan(id: "Loan:l001") SEL`, "loan"},
	{`latestLoanOf(readerId: "Reader:r001")`, "", `latestLoanOf(readerId: "Reader:r001") SEL`, "latestLoanOf"},
	{`bookByIsbn(isbn: "1")`, "", `bookByIsbn(isbn: "1") SEL`, "bookByIsbn"},
}

// objects returns the versions that objects of the library may have, drawn at random: the items of each.
func objects(r *rand.Rand) [][]item.Item {
	var all [][]item.Item
	text := fmt.Sprint("text ", r.IntN(100))
	for n := 1; n <= 4; n++ {
		all = append(all, loan(n, model.AllLoanState[r.IntN(3)], borrowedBy(1+r.IntN(2))))
		all = append(all, testservice.Stored(typed.StoredReminder, &model.Reminder{
			LoanID: testservice.Loan(1 + n%2), ReaderID: testservice.Reader(1), Number: 1 + n/2,
			Batch: []string{"B", "C"}[r.IntN(2)], Text: text,
			SentAt: testservice.Opened.Add(time.Duration(r.IntN(2)) * time.Hour),
		}))
		all = append(all, recommendation(1+n%2, 1+n/2, 1+r.IntN(5)))
		all = append(all, testservice.Stored(typed.StoredVisit, &model.Visit{
			BranchID: testservice.Branch(1), At: testservice.Opened.AddDate(0, n, 0), Door: "NORTH",
		}))
		all = append(all, testservice.Stored(typed.StoredNotice, &model.Notice{
			BranchID: testservice.Branch(1), Number: n, Title: text,
		}))
		all = append(all, testservice.Stored(typed.StoredEvent, &model.Event{
			BranchID: testservice.Branch(1), StartsAt: testservice.Opened, Number: n, Title: text,
		}))
	}
	return append(all, permanent(r)...)
}

// permanent returns versions of the objects that others refer to, which are never deleted.
func permanent(r *rand.Rand) [][]item.Item {
	var all [][]item.Item
	text, branch, shelf := fmt.Sprint("text ", r.IntN(100)), testservice.Branch(1), "A"
	for n := 1; n <= 3; n++ {
		isbn, floor := fmt.Sprint(r.IntN(2)), 1+r.IntN(2)
		all = append(all, testservice.Stored(typed.StoredBook, &model.Book{
			ID: testservice.Book(n), Title: text, Genre: model.GenrePoetry, Isbn: &isbn,
			BranchID: &branch, Floor: &floor, Shelf: &shelf, RecommendedCount: r.IntN(9),
		}))
	}
	for n := 1; n <= 2; n++ {
		all = append(all, testservice.Stored(typed.StoredReader, &model.Reader{
			ID: testservice.Reader(n), Name: text, LoanCount: n, RecommendationCount: n,
		}))
	}
	return append(all, testservice.Stored(typed.StoredBranch, &model.Branch{ID: branch, Name: text}))
}

// TestRandomSubscriptions: while random objects change, the first state of a random subscription with the events after
// it becomes what a query returns.
func TestRandomSubscriptions(t *testing.T) {
	const runs = 12
	for seed := range uint64(runs) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			checkSubscriptions(t, rand.New(rand.NewPCG(seed, 1)))
		})
	}
}

func checkSubscriptions(t *testing.T, r *rand.Rand) {
	t.Helper()
	stored := objects(r)
	isThere := make([]bool, len(stored))
	fixed := len(stored) - len(permanent(r))
	var items []item.Item
	for i := range stored {
		if isThere[i] = i >= fixed || r.IntN(2) == 0; isThere[i] {
			items = append(items, stored[i]...)
		}
	}
	var queries http.Handler
	l := startLibrary(t, setup{config: func(c *gateway.Config) {
		c.Callers.Authenticate = gatewaytest.Authenticate
		queries = gateway.New(*c)
	}}, items...)
	generator := executors.NewGenerator(plan.API(testservice.Executable().Schema()), testservice.Design(),
		func(yield func(item.Item) bool) {
			for _, it := range items {
				if !yield(it) {
					return
				}
			}
		})
	generator.Valid = true
	var follows []*follower
	change := func() {
		i := r.IntN(len(stored))
		next := objects(r)[i]
		switch {
		case i < fixed && isThere[i] && r.IntN(3) == 0:
			l.Delete(t, stored[i]...)
			isThere[i] = false
		case isThere[i]:
			l.Replace(t, stored[i], next)
			stored[i] = next
		default:
			l.Put(t, next...)
			stored[i], isThere[i] = next, true
		}
	}
	for range 60 {
		if len(follows) < 10 && r.IntN(4) == 0 {
			follows = append(follows, follow(t, l, testservice.Librarian, r.IntN(len(liveFields)), generator, r))
		}
		change()
	}
	// What is selected below an item may have changed without an event: each item changes once more at the end.
	l.Put(t, l.Items()...)
	for _, f := range follows {
		f.check(t, queries)
	}
}

// follower is a client that has the state of a live field.
type follower struct {
	viewer    viewer.Viewer
	field     int
	selection executors.Selection

	mu    sync.Mutex
	edges map[string]any // the edges of a connection by the ids of their nodes
	data  any            // the object
	text  []string
	moved chan struct{}
}

const (
	edgeSelection = `{ cursor node { ... on Node { nid: id } ... on TYPE SEL } }`
	eventFields   = `{ change nodeId cursor connection { edges EDGE } edge EDGE }`
)

func follow(
	t *testing.T, l *library, v viewer.Viewer, field int, g *executors.Generator, r *rand.Rand,
) *follower {
	t.Helper()
	f := &follower{viewer: v, field: field, moved: make(chan struct{}, 1), edges: map[string]any{}}
	of := liveFields[f.field]
	typeName := of.node
	if typeName == "" {
		typeName = map[string]string{"book": "Book", "bookByIsbn": "Book"}[of.path]
		if typeName == "" {
			typeName = "Loan"
		}
	}
	f.selection = g.Selection(r, typeName)
	document := "subscription " + f.selection.Declared + " { live: " + of.field + " " + f.body(eventFields) + " }"
	s, failed := l.subscriptions.Subscribe(t.Context(), v,
		testservice.Encoded(document)+f.selection.Fragments, f.variables(t), "")
	if s == nil {
		t.Fatalf("%s\n%s", document, failed)
	}
	var done sync.WaitGroup
	done.Go(func() {
		for {
			body, isEnd := s.Next()
			if isEnd {
				return
			}
			f.apply(t, body)
		}
	})
	t.Cleanup(func() {
		s.Close()
		done.Wait()
	})
	return f
}

// body returns the selection of the field: that of an object, or of a connection with its edges.
func (f *follower) body(connection string) string {
	of := liveFields[f.field]
	if of.node == "" {
		return f.selection.Text
	}
	edge := strings.NewReplacer("TYPE", of.node, "SEL", f.selection.Text).Replace(edgeSelection)
	return strings.ReplaceAll(connection, "EDGE", edge)
}

// variables returns the variables as the gateway reads them.
func (f *follower) variables(t *testing.T) map[string]any {
	t.Helper()
	text, err := json.Marshal(f.selection.Variables)
	fatal.If(t, err)
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var variables map[string]any
	fatal.If(t, decoder.Decode(&variables))
	return variables
}

// apply applies an answer to the state.
func (f *follower) apply(t *testing.T, body string) {
	var a struct {
		Data       struct{ Live any }
		Extensions struct{ Cost response.Cost }
	}
	if err := json.Unmarshal([]byte(body), &a); err != nil {
		t.Error(err)
	}
	if c := a.Extensions.Cost; c.ReadUnits > c.EstimatedReadUnits || float64(c.Objects) > c.EstimatedObjects {
		t.Errorf("the cost %+v is more than the estimate: %s", c, body)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.text = append(f.text, body)
	if liveFields[f.field].node == "" {
		f.data = a.Data.Live
	} else if event, is := a.Data.Live.(map[string]any); is {
		f.event(event)
	}
	select {
	case f.moved <- struct{}{}:
	default:
	}
}

func (f *follower) event(event map[string]any) {
	switch id, _ := event["nodeId"].(string); event["change"] {
	case "CURRENT":
		maps.Copy(f.edges, edgesOf(event["connection"]))
	case "REMOVED":
		delete(f.edges, id)
	default:
		f.edges[id] = event["edge"]
	}
}

func edgesOf(connection any) map[string]any {
	edges := map[string]any{}
	object, _ := connection.(map[string]any)
	list, _ := object["edges"].([]any)
	for _, edge := range list {
		node, _ := edge.(map[string]any)["node"].(map[string]any)
		id, _ := node["nid"].(string)
		edges[id] = edge
	}
	return edges
}

// check waits until the state is what a query returns.
func (f *follower) check(t *testing.T, queries http.Handler) {
	t.Helper()
	of := liveFields[f.field]
	document := "query " + f.selection.Declared + " { " +
		strings.Replace(of.query, "SEL", f.body("{ edges EDGE }"), 1) + " }"
	text, err := executors.Body(testservice.Encoded(document)+f.selection.Fragments, f.variables(t))
	fatal.If(t, err)
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/graphql", strings.NewReader(string(text)))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Partita-Consistency", "strong")
	gatewaytest.SetViewer(r.Header, f.viewer)
	w := httptest.NewRecorder()
	queries.ServeHTTP(w, r)
	var a struct{ Data any }
	fatal.If(t, json.Unmarshal(w.Body.Bytes(), &a))
	want := a.Data
	for name := range strings.SplitSeq(of.path, " ") {
		object, _ := want.(map[string]any)
		want = object[name]
	}
	if of.node != "" {
		want = edgesOf(want)
	}
	limit := time.After(5 * time.Minute)
	for !f.is(want) {
		select {
		case <-f.moved:
		case <-limit:
			f.mu.Lock()
			defer f.mu.Unlock()
			t.Errorf("%s\ngot  %v %v\nwant %v\n%s", document, f.data, f.edges, want, strings.Join(f.text, "\n"))
			return
		}
	}
}

func (f *follower) is(want any) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if liveFields[f.field].node == "" {
		return reflect.DeepEqual(f.data, want)
	}
	return reflect.DeepEqual(any(f.edges), want)
}
