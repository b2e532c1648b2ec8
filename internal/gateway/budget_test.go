package gateway_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

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
	type sender struct {
		viewer, remote string
		forwarded      []string
	}
	behind := func(remote string, forwarded ...string) sender { return sender{"", remote, forwarded} }
	for _, tt := range []struct {
		name          string
		trusted       []string
		first, second sender
		same          bool
	}{
		{"one address, two connections", nil, behind("192.0.2.1:1"), behind("192.0.2.1:2"), true},
		{"two addresses", nil, behind("192.0.2.1:1"), behind("192.0.2.2:1"), false},
		{"a viewer anywhere", nil, sender{"u1", "192.0.2.1:1", nil}, sender{"u1", "192.0.2.2:1", nil}, true},
		{"two viewers at one address", nil, sender{"u1", "192.0.2.1:1", nil}, sender{"u2", "192.0.2.1:1", nil}, false},
		{"a viewer named like an address", nil, sender{"192.0.2.1", "192.0.2.9:1", nil}, behind("192.0.2.1:1"), false},
		{"one customer's IPv6 network", nil, behind("[2001:db8:1:2::1]:1"), behind("[2001:db8:1:2:ffff::9]:1"), true},
		{"two IPv6 networks", nil, behind("[2001:db8:1:2::1]:1"), behind("[2001:db8:1:3::1]:1"), false},
		{"IPv4 in IPv6", nil, behind("[::ffff:192.0.2.1]:1"), behind("192.0.2.1:1"), true},
		{"IPv6 with a zone", nil, behind("[fe80::1%eth0]:1"), behind("[fe80::1%eth1]:1"), true},

		{
			"a made-up header without a proxy", nil, behind("192.0.2.1:1", "203.0.113.1"),
			behind("192.0.2.1:1", "203.0.113.2"), true,
		},
		{
			"a made-up header past the proxy", []string{"10.0.0.0/8"}, behind("192.0.2.1:1", "203.0.113.1"),
			behind("192.0.2.1:1", "203.0.113.2"), true,
		},
		{
			"two clients of a proxy", []string{"10.0.0.0/8"}, behind("10.0.0.1:1", "203.0.113.1"),
			behind("10.0.0.1:1", "203.0.113.2"), false,
		},
		{
			"one client of two proxies", []string{"10.0.0.0/8"}, behind("10.0.0.1:1", "203.0.113.1"),
			behind("10.0.0.2:1", "203.0.113.1"), true,
		},
		{
			"made up left of what the proxy adds", []string{"10.0.0.0/8"}, behind("10.0.0.1:1", "1.1.1.1, 203.0.113.1"),
			behind("10.0.0.1:1", "2.2.2.2, 203.0.113.1"), true,
		},
		{
			"made up in a line of its own", []string{"10.0.0.0/8"}, behind("10.0.0.1:1", "1.1.1.1", "203.0.113.1"),
			behind("10.0.0.1:1", "2.2.2.2", "203.0.113.1"), true,
		},
		{
			"made up as a trusted proxy", []string{"10.0.0.0/8"}, behind("10.0.0.1:1", "1.1.1.1, 10.9.9.9, 203.0.113.1"),
			behind("10.0.0.1:1", "2.2.2.2, 203.0.113.1"), true,
		},
		{
			"a chain of proxies", []string{"10.0.0.0/8"}, behind("10.0.0.1:1", "203.0.113.1, 10.0.0.7"),
			behind("10.0.0.1:1", "203.0.113.2, 10.0.0.8"), false,
		},
		{
			"with ports", []string{"10.0.0.0/8"}, behind("10.0.0.1:1", "203.0.113.1:4711"),
			behind("10.0.0.1:1", "203.0.113.1:4712"), true,
		},
		{
			"IPv6 with a port", []string{"10.0.0.0/8"}, behind("10.0.0.1:1", "[2001:db8::1]:80"),
			behind("10.0.0.1:1", "2001:db8::2"), true,
		},
		{
			"garbage counts as the proxy", []string{"10.0.0.0/8"}, behind("10.0.0.1:1", "203.0.113.1, unknown"),
			behind("10.0.0.1:1", "203.0.113.2, <script>"), true,
		},
		{"empty", []string{"10.0.0.0/8"}, behind("10.0.0.1:1", ""), behind("10.0.0.1:1", ", ,"), true},
		{
			"a hundred proxies", []string{"10.0.0.0/8"}, behind("10.0.0.1:1", "1.1.1.1"+strings.Repeat(", 10.0.0.2", 100)),
			behind("10.0.0.1:1", "2.2.2.2"+strings.Repeat(", 10.0.0.2", 100)), true,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newBudgeted(t, operation.Budget{Maximum: 10, Restore: 1}, tt.trusted...)
				s.estimated, s.consumed = 10, 10
				for i, from := range []sender{tt.first, tt.second} {
					s.viewer, s.remote, s.forwarded = from.viewer, from.remote, slices.Clone(from.forwarded)
					s.ask(t)
					want := http.StatusOK
					if i == 1 && tt.same {
						want = http.StatusTooManyRequests
					}
					if s.status != want {
						t.Errorf("request %d has status %d, want %d", i+1, s.status, want)
					}
				}
			})
		})
	}
}
