package cache_test

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/partita/partita/internal/executors"
	"github.com/partita/partita/internal/gateway"
	"github.com/partita/partita/internal/gateway/operation"
	"github.com/partita/partita/internal/gateway/response"
	"github.com/partita/partita/internal/gatewaytest"
	"github.com/partita/partita/internal/live/cache"
	"github.com/partita/partita/internal/testservice"
	"github.com/partita/partita/loaders"
	"github.com/partita/partita/request"
	"github.com/partita/partita/viewer"
)

// library is a gateway over the library's table in memory, whose requests take a millisecond.
type library struct {
	*executors.Memory
	cache   *cache.Cache
	handler http.Handler
}

func newLibrary() *library {
	schema := testservice.Schema()
	l := &library{
		Memory: executors.NewMemory(schema.Items, schema.Design.IndexNames()), cache: cache.New(roomy),
	}
	log := slog.New(slog.DiscardHandler)
	l.handler = gateway.New(gateway.Config{
		Schema:     schema.Executable,
		Monitoring: gateway.Monitoring{Logger: log},
		Callers:    operation.Callers{Authenticate: gatewaytest.Authenticate},
		Engine: loaders.New(schema.Design, schema.Executable.Schema(), l.cache.Around(l),
			loaders.Options{Logger: log}),
	})
	return l
}

func (l *library) GetItem(ctx context.Context, r request.GetItem) (request.Result, error) {
	time.Sleep(time.Millisecond)
	return l.Memory.GetItem(ctx, r)
}

func (l *library) BatchGetItem(ctx context.Context, r request.BatchGetItem) (request.Result, error) {
	time.Sleep(time.Millisecond)
	return l.Memory.BatchGetItem(ctx, r)
}

func (l *library) Query(ctx context.Context, q request.Query) (request.Result, error) {
	time.Sleep(time.Millisecond)
	return l.Memory.Query(ctx, q)
}

// ask begins to send an operation of a viewer, and returns a function that waits for the response.
func (l *library) ask(v viewer.Viewer, query string) (answered func(t *testing.T) testservice.Answer) {
	body, _ := executors.Body(testservice.Encoded(query), nil)
	r := httptest.NewRequest(http.MethodPost, "/graphql", strings.NewReader(string(body)))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Partita-Plan", "measured")
	gatewaytest.SetViewer(r.Header, v)
	w, done := httptest.NewRecorder(), make(chan struct{})
	go func() {
		defer close(done)
		l.handler.ServeHTTP(w, r)
	}()
	synctest.Wait()
	return func(t *testing.T) (a testservice.Answer) {
		t.Helper()
		<-done
		if err := json.Unmarshal(w.Body.Bytes(), &a); err != nil {
			t.Fatalf("%v: %s", err, w.Body)
		}
		if err := executors.CheckMeasured(executors.Response{Body: w.Body.String()}); err != nil {
			t.Error(err)
		}
		a.Body = w.Body.String()
		return a
	}
}

// TestOperations: operations at the same time send each Read once, the sender pays, and each operation is
// authorized by itself. With the cache, later ones send no Gets.
func TestOperations(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLibrary()
		l.cache.Current(time.Now())
		time.Sleep(2 * time.Second)
		const both = `{ nodes(ids: ["Loan:l001", "Loan:l002"]) { id ... on Loan { dueOn } } }`
		ask := func(v viewer.Viewer, query string, requests, reused int) func(data string) {
			answered := l.ask(v, query)
			return func(data string) {
				t.Helper()
				a := answered(t)
				got, _ := json.Marshal(a.Data)
				if cost := a.Extensions.Cost; cost.Requests != requests || cost.ReusedReads != reused {
					t.Errorf("%s has the cost %+v, want %d requests and %d reused Reads", query, cost, requests, reused)
				}
				if !strings.Contains(string(got), data) {
					t.Errorf("%s is answered with %s, want %s", query, a.Body, data)
				}
			}
		}
		first := ask(testservice.Librarian, `{ loan(id: "Loan:l001") { dueOn } }`, 1, 0)
		second := ask(testservice.Librarian, both, 1, 1)
		denied := ask(testservice.Other, both, 0, 2)
		first(`{"loan":{"dueOn":"2026-`)
		second(`"dueOn":"2026-`)
		denied(`{"nodes":[null,null]}`)
		sent := []string{"BatchGetItem LOAN#l002", "GetItem LOAN#l001"}
		if got := l.requests(); !slices.Equal(got, sent) {
			t.Errorf("the requests are %q, want %q", got, sent)
		}
		ask(testservice.Librarian, both, 0, 2)(`"dueOn":"2026-`)
		ask(testservice.Other, both, 0, 2)(`{"nodes":[null,null]}`)
		if got := l.requests(); !slices.Equal(got, sent) {
			t.Errorf("the requests are %q, want %q", got, sent)
		}
	})
}

var partition = regexp.MustCompile(`^(\w+) .*?PK:(\S+)`)

// requests returns the actions of the requests with their first partition keys, sorted.
func (l *library) requests() (all []string) {
	for _, r := range l.Log() {
		part := partition.FindStringSubmatch(r)
		all = append(all, part[1]+" "+part[2])
	}
	slices.Sort(all)
	return all
}

// TestPages: the waves of equal operations are sent once, those of pages too.
func TestPages(t *testing.T) {
	const page = `{ book(id: "Book:b001") {
		title recommendedBy(first: 2) { nodes { name loans(first: 1) { nodes { id } } } }
	} }`
	synctest.Test(t, func(t *testing.T) {
		l := newLibrary()
		alone := l.ask(testservice.Librarian, page)(t)
		sent := len(l.Log())
		l.Reset()
		var waiting []func(*testing.T) testservice.Answer
		for range 10 {
			waiting = append(waiting, l.ask(testservice.Librarian, page))
		}
		var sum response.Cost
		for _, answered := range waiting {
			a := answered(t)
			if !reflect.DeepEqual(a.Data, alone.Data) {
				t.Errorf("the answer is %s, alone it is %s", a.Body, alone.Body)
			}
			sum.Requests += a.Extensions.Cost.Requests
			sum.ReadUnits += a.Extensions.Cost.ReadUnits
			sum.ReusedReads += a.Extensions.Cost.ReusedReads
		}
		want := response.Cost{Requests: sent, ReadUnits: alone.Extensions.Cost.ReadUnits, ReusedReads: 9 * sent}
		if sum != want || len(l.Log()) != sent {
			t.Errorf("together they cost %+v, want %+v; the requests are %q", sum, want, l.Log())
		}
	})
}
