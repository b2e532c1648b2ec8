package gateway_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cockroachdb/datadriven"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/gateway"
	"github.com/partita/partita/internal/gateway/operation"
	"github.com/partita/partita/internal/gateway/response"
	"github.com/partita/partita/internal/plan"
	"github.com/partita/partita/loaders"
	"github.com/partita/partita/viewer"
)

// budgeted is a gateway whose operations have the estimate and the cost that the test sets.
type budgeted struct {
	handler                              http.Handler
	estimated, estimatedWrites, consumed float64
	viewer, remote                       string
	forwarded                            []string
	status                               int
	retryAfter, code, message            string
	estimate                             float64
	throttle                             *response.ThrottleStatus
}

func newBudgeted(t *testing.T, b operation.Budget, trusted ...string) *budgeted {
	t.Helper()
	s := &budgeted{remote: "192.0.2.1:1234"}
	c, _ := config(t)
	c.Consumption.Budget = b
	for _, prefix := range trusted {
		c.Callers.TrustedProxies = append(c.Callers.TrustedProxies, netip.MustParsePrefix(prefix))
	}
	e := withEngine(&c)
	e.price = func(*plan.Bound) (plan.Price, error) {
		return plan.Price{ReadUnits: s.estimated, WriteUnits: s.estimatedWrites}, nil
	}
	e.cost = func(context.Context) loaders.Cost { return loaders.Cost{ReadUnits: s.consumed} }
	c.Callers.Authenticate = func(*http.Request) (viewer.Viewer, error) { return viewer.Viewer{ID: s.viewer}, nil }
	s.handler = gateway.New(c)
	return s
}

func (s *budgeted) ask(t *testing.T) {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/graphql?query={__typename}", nil)
	r.RemoteAddr = s.remote
	r.Header["X-Forwarded-For"] = s.forwarded
	r.Header.Set("Accept", graphQLJSON)
	w := httptest.NewRecorder()
	s.handler.ServeHTTP(w, r)
	var a answer
	fatal.If(t, json.Unmarshal(w.Body.Bytes(), &a.result))
	s.status, s.retryAfter, s.code, s.message = w.Code, w.Header().Get("Retry-After"), "", ""
	if errs := a.result.Errors; len(errs) > 0 {
		s.code, s.message = errs[0].Extensions.Code, errs[0].Message
	}
	s.estimate, s.throttle = a.result.Extensions.Cost.EstimatedReadUnits, a.result.Extensions.Cost.ThrottleStatus
}

// spend sends an operation, and checks the status and what is left of the budget.
func (s *budgeted) spend(t *testing.T, estimated, consumed float64, status int, available float64) {
	t.Helper()
	s.estimated, s.consumed = estimated, consumed
	s.ask(t)
	if s.status != status || s.throttle == nil || s.throttle.CurrentlyAvailable != available {
		t.Fatalf("status %d %s, %+v; want %d and %v available", s.status, s.message, s.throttle, status, available)
	}
}

func TestBudget(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newBudgeted(t, operation.Budget{Maximum: 100, Restore: 10})
		s.spend(t, 60, 0.5, http.StatusOK, 99.5)
		s.spend(t, 99.5, 50, http.StatusOK, 49.5)
		if s.throttle.MaximumAvailable != 100 || s.throttle.RestoreRate != 10 || s.estimate != 99.5 {
			t.Errorf("%+v, estimated %v", s.throttle, s.estimate)
		}
		s.spend(t, 80, 80, http.StatusTooManyRequests, 49.5)
		if s.retryAfter != "4" || s.code != "RATE_LIMITED" || s.estimate != 80 {
			t.Errorf("Retry-After %s, code %s, estimated %v", s.retryAfter, s.code, s.estimate)
		}
		want := "The operation may take up to 80 read units, which are not there at the moment. " +
			"Send it again in 4 seconds, or ask for smaller pages."
		if s.message != want {
			t.Errorf("message %q, want %q", s.message, want)
		}
		time.Sleep(3 * time.Second)
		s.spend(t, 80, 80, http.StatusTooManyRequests, 79.5)
		if s.retryAfter != "1" {
			t.Errorf("Retry-After %s", s.retryAfter)
		}
		time.Sleep(time.Second)
		s.spend(t, 80, 95.5, http.StatusOK, -6) // more than was estimated is owed
		s.spend(t, 0, 0, http.StatusOK, -6)     // a free operation is always executed
		s.spend(t, 1, 1, http.StatusTooManyRequests, -6)
		time.Sleep(time.Hour)
		s.spend(t, 0, 0, http.StatusOK, 100)
	})
}

// TestBudgetReservesEstimates: the estimates of operations in flight are reserved.
func TestBudgetReservesEstimates(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newBudgeted(t, operation.Budget{Maximum: 100, Restore: 10})
		c, _ := config(t)
		c.Consumption.Budget = operation.Budget{Maximum: 100, Restore: 1}
		e := withEngine(&c)
		e.price = costing(plan.Price{ReadUnits: 40})
		entered, release := make(chan struct{}), make(chan struct{})
		e.cost = func(context.Context) loaders.Cost {
			entered <- struct{}{}
			<-release
			return loaders.Cost{}
		}
		s.handler = gateway.New(c)
		answered := make(chan int)
		send := func() {
			w := httptest.NewRecorder()
			r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/graphql?query={__typename}", nil)
			s.handler.ServeHTTP(w, r)
			answered <- w.Code
		}
		for range 2 {
			go send()
			<-entered
		}
		go send()
		if status := <-answered; status != http.StatusTooManyRequests {
			t.Errorf("the third of 40 units has status %d while 80 of 100 units are reserved", status)
		}
		close(release)
		for range 2 {
			if status := <-answered; status != http.StatusOK {
				t.Errorf("status %d", status)
			}
		}
	})
}

func TestOperationExceedsWholeBudget(t *testing.T) {
	s := newBudgeted(t, operation.Budget{Maximum: 100, Restore: 10})
	s.estimated, s.estimatedWrites = 51, 10
	s.ask(t)
	if s.status != http.StatusUnprocessableEntity || s.code != "COST_LIMIT" || s.retryAfter != "" ||
		!strings.Contains(s.message, "up to 101 read units") {
		t.Errorf("status %d %s %s", s.status, s.code, s.message)
	}
}

func TestBudgetIsOffByDefault(t *testing.T) {
	s := newBudgeted(t, operation.Budget{})
	s.estimated = 1e12
	s.ask(t)
	if s.status != http.StatusOK || s.throttle != nil {
		t.Errorf("status %d, %+v", s.status, s.throttle)
	}
}

// TestWhoseBudget: pairs of requests that share a budget, which the first one uses up, and pairs that do not.
func TestWhoseBudget(t *testing.T) {
	datadriven.RunTest(t, "testdata/budgets", func(t *testing.T, d *datadriven.TestData) string {
		var trusted []string
		if d.HasArg("trusted") {
			trusted = make([]string, 1)
			d.ScanArgs(t, "trusted", &trusted[0])
		}
		shared := "two budgets"
		synctest.Test(t, func(t *testing.T) {
			s := newBudgeted(t, operation.Budget{Maximum: 10, Restore: 1}, trusted...)
			s.estimated, s.consumed = 10, 10
			for i, line := range strings.Split(strings.TrimSpace(d.Input), "\n") {
				s.sendAs(t, strings.ReplaceAll(line, "PROXIES", strings.Repeat(", 10.0.0.2", 100)))
				if i == 1 && s.status == http.StatusTooManyRequests {
					shared = "one budget"
				} else if s.status != http.StatusOK {
					t.Errorf("%s: request %d has status %d", d.Pos, i+1, s.status)
				}
			}
		})
		return shared
	})
}

// sendAs asks as a sender of testdata/budgets.
func (s *budgeted) sendAs(t *testing.T, sender string) {
	t.Helper()
	parts := strings.Split(sender, "|")
	for i := range parts {
		parts[i] = strings.TrimSpace(parts[i])
	}
	s.viewer, s.remote, s.forwarded = "", parts[0], parts[1:]
	if viewer, remote, signedIn := strings.Cut(parts[0], "@"); signedIn {
		s.viewer, s.remote = viewer, remote
	}
	s.ask(t)
}
