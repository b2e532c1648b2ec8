package gateway_test

import (
	"context"
	"net/http"
	"reflect"
	"sync"
	"testing"

	"go.opentelemetry.io/otel/propagation"

	"github.com/partita/partita/internal/gateway/operation"
	"github.com/partita/partita/internal/gateway/response"
	"github.com/partita/partita/internal/gatewaytest"
	"github.com/partita/partita/loaders"
)

// noStreams does not observe connections that stay open.
type noStreams struct{}

func (noStreams) Connection(string) func(string) { return func(string) {} }

// traced is an Observer with the same trace for all operations.
type traced struct{ noStreams }

func (traced) Operation(r *http.Request) (context.Context, func(operation.Report)) {
	carrier := propagation.MapCarrier{"traceparent": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"}
	return propagation.TraceContext{}.Extract(r.Context(), carrier), func(operation.Report) {}
}

func (traced) Subscribed(context.Context, string) (func(operation.EventReport), func(string)) {
	return func(operation.EventReport) {}, func(string) {}
}

// recorder is an Observer that keeps the reports.
type recorder struct {
	noStreams
	mu      sync.Mutex
	begun   int
	reports []operation.Report
}

type begunKey struct{}

func (o *recorder) Operation(r *http.Request) (context.Context, func(operation.Report)) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.begun++
	return context.WithValue(r.Context(), begunKey{}, true), func(report operation.Report) {
		o.mu.Lock()
		defer o.mu.Unlock()
		if report.Duration <= 0 {
			report.Codes = append(report.Codes, "NO DURATION")
		}
		report.Duration = 0
		o.reports = append(o.reports, report)
	}
}

func (o *recorder) Subscribed(context.Context, string) (func(operation.EventReport), func(string)) {
	return func(operation.EventReport) {}, func(string) {}
}

func TestObserverGetsEachOperation(t *testing.T) {
	c, _ := config(t)
	var observer recorder
	c.Monitoring.Observer = &observer
	c.Callers.Authenticate = gatewaytest.Authenticate
	observed := false
	panics := false
	withEngine(&c).cost = func(ctx context.Context) loaders.Cost {
		observed, _ = ctx.Value(begunKey{}).(bool)
		if panics {
			panic("in the gateway")
		}
		return loaders.Cost{Requests: 1}
	}
	server := serve(t, c)
	post(t, server, `query Fine { echo(text: "a") }`, nil)
	postBody(t, server, `{"query":"mutation { touch }"}`, "Authorization", "Test id=ada")
	post(t, server, `query Partial { a: fail(how: CODED) b: fail(how: CODED) c: fail(how: PLAIN) }`, nil)
	post(t, server, `query Invalid { nope }`, nil)
	post(t, server, `query Misled($t: Time!) { at(time: $t) }`, nil)
	panics = true
	post(t, server, `query Panic { __typename }`, nil)
	do(t, server, http.MethodGet, "/healthz", "")
	do(t, server, http.MethodOptions, "/graphql", "")

	cost := response.Cost{EstimatedObjects: 1, Requests: 1}
	want := []operation.Report{
		{Name: "Fine", Type: "query", Outcome: operation.OutcomeOK, Status: 200, Cost: cost},
		{Type: "mutation", SignedIn: true, Outcome: operation.OutcomeOK, Status: 200, Cost: cost},
		{Name: "Partial", Type: "query", Outcome: operation.OutcomePartial, Status: 294, Cost: cost,
			Codes: []string{"THROTTLED", "INTERNAL_SERVER_ERROR"}},
		{Outcome: operation.OutcomeRefused, Status: 422, Codes: []string{"GRAPHQL_VALIDATION_FAILED"}},
		{Name: "Misled", Type: "query", Outcome: operation.OutcomeRefused, Status: 422, Codes: []string{"BAD_USER_INPUT"}},
		{Name: "Panic", Type: "query", Outcome: operation.OutcomeFailed, Status: 500},
	}
	if !reflect.DeepEqual(observer.reports, want) || observer.begun != len(want) {
		t.Errorf("%d operations and\n%+v\nwant\n%+v", observer.begun, observer.reports, want)
	}
	if !observed {
		t.Error("the operation is not executed in the Observer's context")
	}
}
