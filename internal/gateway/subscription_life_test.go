package gateway_test

import (
	"context"
	"fmt"
	"net"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/gateway"
	"github.com/partita/partita/internal/gateway/operation"
	"github.com/partita/partita/internal/live"
	"github.com/partita/partita/internal/live/cache"
	"github.com/partita/partita/internal/storetest"
	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/internal/testservice"
	"github.com/partita/partita/internal/testservice/graph/model"
	"github.com/partita/partita/internal/testservice/graph/typed"
	"github.com/partita/partita/item"
	"github.com/partita/partita/loaders"
	"github.com/partita/partita/table"
	"github.com/partita/partita/viewer"
)

// sequel returns book 1 with book 2 as its sequel.
func sequel(title string) []item.Item {
	id := testservice.Book(2)
	return testservice.Stored(typed.StoredBook, &model.Book{
		ID: testservice.Book(1), Title: title, Genre: model.GenreNovel, SequelID: &id,
	})
}

// subscribeAll returns n subscriptions that have got their first states.
func (l *library) subscribeAll(t *testing.T, n int, v func(i int) viewer.Viewer, query string) []*subscribed {
	t.Helper()
	all := make([]*subscribed, n)
	for i := range all {
		all[i] = l.subscribe(t, v(i), query)
		if body, isEnd := all[i].Next(); isEnd {
			t.Fatal(body)
		}
	}
	return all
}

// nextOfAll returns the next answers, which are made at the same time.
func nextOfAll(all []*subscribed) []string {
	bodies := make([]string, len(all))
	var wg sync.WaitGroup
	for i, s := range all {
		wg.Go(func() { bodies[i], _ = s.Next() })
	}
	wg.Wait()
	return bodies
}

func reader(int) viewer.Viewer { return testservice.Ada }

// TestEventsOfAChangeReadOnce: what several subscriptions need because of one change is read once.
func TestEventsOfAChangeReadOnce(t *testing.T) {
	shared := func(tb *table.Table) loaders.Source { return cache.New(cache.Options{}).Around(tb) }
	l := startLibrary(t, setup{source: shared}, slices.Concat(sequel("One"), book(2, "Two"))...)
	all := l.subscribeAll(t, 50, func(i int) viewer.Viewer { return viewer.Viewer{ID: fmt.Sprint(i)} },
		`subscription { book(id: "Book:b001") { title sequel { title } } }`)
	l.Put(t, sequel("First")...)
	l.Proxy.Reset()
	for _, body := range nextOfAll(all) {
		if !strings.Contains(body, `"sequel":{"title":"Two"}`) {
			t.Error(body)
		}
	}
	if got := l.Proxy.Log(); !slices.Equal(got, []string{"GetItem BOOK#b002 BOOK#b002"}) {
		t.Errorf("the requests are %v", got)
	}
}

// TestSubscriptionsHoldNothingWhileTheyWait: more subscriptions of one caller than it may have operations in flight all
// get their events.
func TestSubscriptionsHoldNothingWhileTheyWait(t *testing.T) {
	few := func(c *gateway.Config) { c.MaxOperations, c.MaxOperationsPerCaller = 1, 1 }
	l := startLibrary(t, setup{config: few}, slices.Concat(sequel("One"), book(2, "Two"))...)
	all := l.subscribeAll(t, 20, reader, `subscription { book(id: "Book:b001") { sequel { title } } }`)
	l.Put(t, sequel("First")...)
	for _, body := range nextOfAll(all) {
		if strings.Contains(body, "errors\":[") {
			t.Error(body)
		}
	}
}

// TestEventsWaitForTheBudget: the first state is charged as a query. An event that the budget does not have waits.
func TestEventsWaitForTheBudget(t *testing.T) {
	const query = `subscription { book(id: "Book:b001") { sequel { title } } }`
	budget := func(restore float64) setup {
		return setup{config: func(c *gateway.Config) {
			c.Consumption.Budget = operation.Budget{Maximum: 1.6, Restore: restore}
		}}
	}
	items := slices.Concat(sequel("One"), book(2, "Two"))
	l := startLibrary(t, budget(10), items...)
	s := l.subscribe(t, testservice.Ada, query)
	s.wants(t, `
GetItem BOOK#b001 BOOK#b001, consistent
GetItem BOOK#b002 BOOK#b002
1.5 units
{"book":{"sequel":{"title":"Two"}}}`)
	for range 3 {
		l.Put(t, sequel("First")...)
	}
	for range 3 {
		s.wants(t, `
GetItem BOOK#b002 BOOK#b002
0.5 units
{"book":{"sequel":{"title":"Two"}}}`)
	}
	l = startLibrary(t, budget(0.001), items...)
	l.subscribeAll(t, 1, reader, query)
	s = l.subscribe(t, testservice.Ada, query)
	if body, isEnd := s.Next(); !isEnd || !strings.Contains(errorsOf(t, body), "RATE_LIMITED") {
		t.Error(body)
	}
}

// TestOneEventOfACallerAsksForTheBudget: however many events of a caller wait for its budget, the shared store is not
// asked by all of them whenever one can have what it needs.
func TestOneEventOfACallerAsksForTheBudget(t *testing.T) {
	const query, n = `subscription { book(id: "Book:b001") { sequel { title } } }`, 40
	server := storetest.Start(t)
	l := startLibrary(t, setup{config: func(c *gateway.Config) {
		c.Consumption.Budget = operation.Budget{Maximum: 65, Restore: 5}
		c.Consumption.Store = server.Open(t)
	}}, slices.Concat(sequel("One"), book(2, "Two"))...)
	all := l.subscribeAll(t, n, reader, query)
	before := asked(t, server)
	l.Put(t, sequel("First")...)
	nextOfAll(all)
	if times := asked(t, server) - before; times > 4*n {
		t.Errorf("the store was asked %d times for %d events", times, n)
	}
}

// asked returns how often a store was asked for budgets.
func asked(t *testing.T, server *storetest.Server) int {
	t.Helper()
	conn, err := net.Dial("tcp", server.Address)
	fatal.If(t, err)
	defer conn.Close()
	answer := exchangeUntil(t, conn, "INFO commandstats\r\nQUIT\r\n", "+OK\r\n")
	_, rest, _ := strings.Cut(answer, "cmdstat_evalsha:calls=")
	count, _, _ := strings.Cut(rest, ",")
	n, err := strconv.Atoi(count)
	if err != nil {
		t.Fatalf("%v in %q", err, answer)
	}
	return n
}

// TestLargeSubscriptions: the documents of subscriptions count as bytes of their caller until they end, and once for
// all with the same one.
func TestLargeSubscriptions(t *testing.T) {
	const query, kept = `subscription { book(id: "Book:b001") { title } } # `, 100 << 10
	l := startLibrary(t, setup{config: func(c *gateway.Config) { c.MaxBufferedBytesPerCaller = 20 * kept }})
	large := func(n int) string { return query + strings.Repeat("x", kept) + strconv.Itoa(n) }
	var all []*gateway.Subscription
	for len(all) < 20 {
		s, refused := l.subscriptions.Subscribe(t.Context(), testservice.Ada, testservice.Encoded(large(len(all))), nil, "")
		if s == nil {
			if text := errorsOf(t, refused); !strings.Contains(text, "RATE_LIMITED") {
				t.Error(text)
			}
			break
		}
		t.Cleanup(s.Close)
		all = append(all, s)
	}
	if len(all) == 0 || len(all) > 10 {
		t.Fatalf("there are %d subscriptions", len(all))
	}
	l.subscribe(t, testservice.Ada, query)
	l.subscribe(t, testservice.Other, large(0))
	same := l.subscribe(t, testservice.Ada, large(0))
	all[0].Close()
	if s, _ := l.subscriptions.Subscribe(t.Context(), testservice.Ada, testservice.Encoded(large(20)), nil, ""); s != nil {
		t.Error("the document of another subscription does not count any more")
	}
	same.Close()
	l.subscribe(t, testservice.Ada, large(20))
}

// ends is an Observer that keeps what it is notified of.
type ends struct {
	traced
	mu   sync.Mutex
	seen []string
}

func (e *ends) add(text string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.seen = append(e.seen, text)
}

// Subscribed implements gateway.Observer.
func (e *ends) Subscribed(_ context.Context, name string) (func(operation.EventReport), func(string)) {
	e.add("begin " + name)
	return func(r operation.EventReport) { e.add(fmt.Sprint(r.Change, " ", r.Cost.ReadUnits, " ", r.Codes)) },
		func(code string) { e.add("end " + code) }
}

// TestSubscriptionEnds: a consumer that is too slow gets an error, and a subscription that has ended has no feed. The
// Observer is notified.
func TestSubscriptionEnds(t *testing.T) {
	observer := &ends{}
	l := startLibrary(t, setup{
		hub:    live.Options{Settings: live.Settings{Queue: 2}},
		config: func(c *gateway.Config) { c.Monitoring.Observer = observer },
	}, book(1, "One")...)
	const query = `subscription Q { book(id: "Book:b001") { title } }`
	ctx, leave := context.WithCancel(t.Context())
	s, _ := l.subscriptions.Subscribe(ctx, testservice.Ada, testservice.Encoded(query), nil, "")
	_, _ = s.Next()
	l.Put(t, book(1, "Two")...)
	_, _ = s.Next()
	for range 3 {
		l.Put(t, book(1, "Three")...)
	}
	body, isEnd := s.Next()
	if got := errorsOf(t, body); !isEnd || !strings.HasPrefix(got, "SLOW_CONSUMER") {
		t.Errorf("got %s", got)
	}
	s.Close()
	s, _ = l.subscriptions.Subscribe(ctx, testservice.Ada, testservice.Encoded(query), nil, "")
	_, _ = s.Next()
	leave()
	if _, isEnd := s.Next(); !isEnd {
		t.Error("the subscription of a client that has left goes on")
	}
	s.Close()
	want := []string{"begin Q", "CURRENT 1 []", "CHANGED 0 []", "end SLOW_CONSUMER", "begin Q", "CURRENT 1 []", "end "}
	if !slices.Equal(observer.seen, want) {
		t.Errorf("got  %q\nwant %q", observer.seen, want)
	}
	if n := l.Hub.Feeds(); n != 0 {
		t.Errorf("%d feeds are open", n)
	}
}

// TestEventWithoutItsReads: what cannot be read for an event is an error of its field, and the subscription continues.
// A first state that cannot be read ends it.
func TestEventWithoutItsReads(t *testing.T) {
	const query = `subscription { book(id: "Book:b001") { title sequel { title } } }`
	l := startLibrary(t, setup{}, slices.Concat(sequel("One"), book(2, "Two"))...)
	s := l.subscribeAll(t, 1, reader, query)[0]
	l.Proxy.Inject(tabletest.Faults{ErrorCode: "ValidationException"})
	l.Put(t, sequel("First")...)
	body, isEnd := s.Next()
	if got := errorsOf(t, body); isEnd || !strings.HasPrefix(got, "INTERNAL_SERVER_ERROR [book sequel]") ||
		!strings.Contains(body, `"title":"First"`) {
		t.Errorf("got %s", body)
	}
	failed := l.subscribe(t, testservice.Ada, query)
	if body, isEnd := failed.Next(); !isEnd || !strings.HasPrefix(errorsOf(t, body), "INTERNAL_SERVER_ERROR") {
		t.Errorf("got %s", body)
	}
	l.Proxy.Inject(tabletest.Faults{})
	l.Put(t, sequel("Second")...)
	s.wants(t, `
GetItem BOOK#b002 BOOK#b002
0.5 units
{"book":{"title":"Second","sequel":{"title":"Two"}}}`)
}

// TestSubscriptionsNeedATenant: a table with tenants is not read for a viewer without one.
func TestSubscriptionsNeedATenant(t *testing.T) {
	l := startLibrary(t, setup{config: func(c *gateway.Config) { c.Callers.NeedsTenant = true }})
	got := l.refused(t, testservice.Ada, `subscription { book(id: "Book:b001") { title } }`, "")
	if !strings.HasPrefix(got, "UNAUTHENTICATED") {
		t.Errorf("got %s", got)
	}
}

// TestMemoryOfSubscriptions: subscriptions with the same document share its plan.
func TestMemoryOfSubscriptions(t *testing.T) {
	l := startLibrary(t, setup{}, slices.Concat(sequel("One"), book(2, "Two"))...)
	const query = `subscription { book(id: "Book:b001") { title sequel { title awards { year prize } } } }`
	l.subscribeAll(t, 10, reader, query)
	const count, most = 1000, 8 << 10
	before := heap()
	all := l.subscribeAll(t, count, reader, query)
	each := (heap() - before) / count
	runtime.KeepAlive(all)
	t.Logf("%d bytes for each subscription", each)
	if each > most {
		t.Errorf("a subscription has %d bytes, want at most %d", each, most)
	}
}

func heap() int64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
