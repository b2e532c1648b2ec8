package gateway_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/gateway"
	"github.com/partita/partita/internal/gateway/internal/testschema"
	"github.com/partita/partita/internal/gateway/operation"
	"github.com/partita/partita/internal/gatewaytest"
	"github.com/partita/partita/internal/storetest"
	"github.com/partita/partita/viewer"
)

// anonymous sends operations from addresses, and counts the mutations that are executed.
type anonymous struct {
	handler  http.Handler
	executed atomic.Int64
	body     string // of the last answer
}

func newAnonymous(t *testing.T, limit operation.AnonymousMutations, edit func(*gateway.Config)) *anonymous {
	t.Helper()
	s := &anonymous{}
	c, _ := config(t)
	c.Schema = schema(&testschema.Resolver{Touched: func() { s.executed.Add(1) }})
	c.Consumption.AnonymousMutations = limit
	c.Callers.Authenticate = gatewaytest.Authenticate
	if edit != nil {
		edit(&c)
	}
	s.handler = gateway.New(c)
	return s
}

// send returns the status of the answer to an operation, and its code and Retry-After.
func (s *anonymous) send(
	t *testing.T, address string, v viewer.Viewer, query string,
) (status int, code, retryAfter string) {
	t.Helper()
	body, err := json.Marshal(map[string]any{"query": query, "variables": map[string]any{"yes": true}})
	fatal.If(t, err)
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/graphql", strings.NewReader(string(body)))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", graphQLJSON)
	gatewaytest.SetViewer(r.Header, v)
	r.RemoteAddr = address + ":1234"
	w := httptest.NewRecorder()
	s.handler.ServeHTTP(w, r)
	s.body = w.Body.String()
	var a answer
	fatal.If(t, json.Unmarshal(w.Body.Bytes(), &a.result))
	return w.Code, a.code(), w.Header().Get("Retry-After")
}

const (
	touch      = `mutation { touch }`
	sevenTimes = `mutation { a: touch b: touch c: touch d: touch e: touch f: touch g: touch }`
)

// TestAnonymousMutations: they are limited for each address and in total; aliases are mutations of their own. Queries,
// and what signed-in callers send, do not count.
func TestAnonymousMutations(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const one, two, three = "192.0.2.1", "192.0.2.2", "192.0.2.3"
		ada := viewer.Viewer{ID: "ada"}
		s := newAnonymous(t, operation.AnonymousMutations{PerMinute: 6, TotalPerMinute: 10}, nil)
		for i, tt := range []struct {
			address          string
			viewer           viewer.Viewer
			query            string
			status           int
			code, retryAfter string
			after            time.Duration
		}{
			{
				address: one, status: 200,
				query: `mutation { a: touch b: touch c: touch ...more } fragment more on Mutation { d: touch }`,
			},
			{
				address: one, status: 429, code: "RATE_LIMITED", retryAfter: "10",
				query: `mutation { a: touch b: touch c: touch }`,
			},
			{
				address: one, status: 200,
				query: `mutation($yes: Boolean!) { __typename a: touch b: touch a: touch c: touch @skip(if: $yes) }`,
			},
			{address: one, query: touch, status: 429, code: "RATE_LIMITED", retryAfter: "10"},
			{address: one, query: `{ a: echo(text: "x") b: echo(text: "x") }`, status: 200},
			{address: one, query: `mutation { __typename }`, status: 200},
			{address: one, query: touch, viewer: ada, status: 200},
			{address: two, query: `mutation { a: touch b: touch c: touch d: touch }`, status: 200},
			{address: two, query: touch, status: 429, code: "RATE_LIMITED", retryAfter: "6"}, // of all
			{address: three, query: touch, status: 429, code: "RATE_LIMITED", retryAfter: "6"},
			{address: three, query: touch, viewer: ada, status: 200},
			{address: three, query: touch, status: 200, after: 6 * time.Second},
			{address: one, query: touch, status: 429, code: "RATE_LIMITED", retryAfter: "4"},
			{address: three, query: touch, status: 429, code: "RATE_LIMITED", retryAfter: "6"},
			{address: one, query: sevenTimes, status: 422, code: "COST_LIMIT"},
			{address: one, query: `mutation { nope }`, status: 422, code: "GRAPHQL_VALIDATION_FAILED"},
			{address: one, query: strings.Replace(sevenTimes, "g: touch", "", 1), status: 200, after: time.Hour},
		} {
			time.Sleep(tt.after)
			status, code, retryAfter := s.send(t, tt.address, tt.viewer, tt.query)
			if status != tt.status || code != tt.code || retryAfter != tt.retryAfter {
				t.Errorf("operation %d, %s: %d %s, Retry-After %q; want %d %s, %q",
					i, tt.query, status, code, retryAfter, tt.status, tt.code, tt.retryAfter)
			}
		}
		if got := s.executed.Load(); got != 4+2+1+4+1+1+6 {
			t.Errorf("%d mutations were executed", got)
		}
	})
}

// TestEnumerationByAnonymousMutations: a flood finds out about as many values as the limit is, however they are spread
// over addresses and aliases.
func TestEnumerationByAnonymousMutations(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newAnonymous(t, operation.AnonymousMutations{PerMinute: 10, TotalPerMinute: 60}, nil)
		for range 20 {
			for _, address := range []string{"192.0.2.1", "192.0.2.2"} {
				s.send(t, address, viewer.Viewer{}, touch)
				s.send(t, address, viewer.Viewer{}, `mutation { a: touch b: touch c: touch }`)
			}
		}
		if got := s.executed.Load(); got != 20 {
			t.Errorf("two addresses can send %d mutations at once, want 20", got)
		}
		for i := range 200 {
			s.send(t, "198.51.100."+string(rune('0'+i%10)), viewer.Viewer{}, touch)
		}
		if got := s.executed.Load(); got != 60 {
			t.Errorf("all addresses together can send %d mutations at once, want 60", got)
		}
	})
}

// TestWhoHasSentTooManyMutations: the error does not blame a caller for what others have sent.
func TestWhoHasSentTooManyMutations(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newAnonymous(t, operation.AnonymousMutations{PerMinute: 1, TotalPerMinute: 2}, nil)
		for _, tt := range []struct{ address, message string }{
			{"192.0.2.1", `"touch"`},
			{"192.0.2.1", "Your network has sent too many"},
			{"192.0.2.2", `"touch"`},
			{"192.0.2.3", "Too many mutations are sent"},
		} {
			if s.send(t, tt.address, viewer.Viewer{}, touch); !strings.Contains(s.body, tt.message) {
				t.Errorf("%s got %s, want %q", tt.address, s.body, tt.message)
			}
		}
	})
}

func TestAnonymousMutationsAreNotLimitedByDefault(t *testing.T) {
	s := newAnonymous(t, operation.AnonymousMutations{}, nil)
	for range 100 {
		s.send(t, "192.0.2.1", viewer.Viewer{}, touch)
	}
	if got := s.executed.Load(); got != 100 {
		t.Errorf("%d of 100 are executed", got)
	}
}

// TestReplicasShareTheLimitOfMutations: an address has no other limit at another replica.
func TestReplicasShareTheLimitOfMutations(t *testing.T) {
	server := storetest.Start(t)
	executed := int64(0)
	for range 3 {
		s := newAnonymous(t, operation.AnonymousMutations{PerMinute: 1}, func(c *gateway.Config) {
			c.Consumption.Store = server.Open(t)
		})
		for _, address := range []string{"192.0.2.1", "192.0.2.1", "192.0.2.2", "192.0.2.2"} {
			s.send(t, address, viewer.Viewer{}, touch)
		}
		executed += s.executed.Load()
	}
	if executed != 2 {
		t.Errorf("two addresses send %d mutations to three replicas, want 2", executed)
	}
}

// TestMutationWithoutAnswer: if there is no room for the answer to a mutation that was carried out, no header asks
// clients to send it again.
func TestMutationWithoutAnswer(t *testing.T) {
	for _, tt := range []struct {
		name   string
		status int
		full   func(*gateway.Config)
	}{
		{"of the caller", http.StatusTooManyRequests, func(c *gateway.Config) { c.MaxBufferedBytesPerCaller = 160 }},
		{"of the process", http.StatusServiceUnavailable, func(c *gateway.Config) {
			c.MaxBufferedBytes, c.MaxBufferedBytesPerCaller = 160, 1000
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := newAnonymous(t, operation.AnonymousMutations{}, tt.full)
			status, _, retryAfter := s.send(t, "192.0.2.1", viewer.Viewer{ID: "ada"}, sevenTimes)
			if status != tt.status || retryAfter != "" || s.executed.Load() != 7 ||
				!strings.Contains(s.body, "The mutation has been carried out.") || strings.Contains(s.body, "again") {
				t.Errorf("%d, Retry-After %q, %d executed: %s", status, retryAfter, s.executed.Load(), s.body)
			}
		})
	}
}
