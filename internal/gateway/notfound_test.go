package gateway_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/partita/partita/internal/gateway"
)

// TestOtherPaths: an operation that is sent to another path gets an error that clients can show, also those of pages of
// other origins.
func TestOtherPaths(t *testing.T) {
	c, _ := config(t)
	c.Browser.CORSOrigins = origins(t, "http://localhost:3000")
	withEngine(&c)
	server := serve(t, c)
	const page = "http://localhost:3000"
	for _, test := range []struct {
		method, target string
		status         int
		allow          string
	}{
		{"POST", "/graphql/", 404, ""},
		{"POST", "/api/graphql", 404, ""},
		{"POST", "/", 405, "GET, HEAD"},
		{"POST", "/healthz", 405, "GET, HEAD"},
		{"GET", "/plan", 405, "OPTIONS, POST"},
		{"GET", "/favicon.ico", 404, ""},
	} {
		a := do(t, server, test.method, test.target, `{"query":"{__typename}"}`, "Content-Type", "application/json",
			"Origin", page)
		if !a.isError(test.status, "BAD_REQUEST", "Send GraphQL operations to /graphql.") ||
			a.header.Get("Content-Type") != graphQLJSON || a.header.Get("Allow") != test.allow ||
			a.header.Get("Access-Control-Allow-Origin") != page {
			t.Errorf("%s %s: got %d %v %s", test.method, test.target, a.status, a.header, a.body)
		}
		preflight := do(t, server, "OPTIONS", test.target, "", "Origin", page, "Access-Control-Request-Method", test.method)
		if preflight.status != http.StatusNoContent || preflight.header.Get("Access-Control-Allow-Origin") != page {
			t.Errorf("preflight of %s: got %d", test.target, preflight.status)
		}
	}
}

// TestTableIsNotForPagesOfOtherOrigins: they can use /graphql and /plan only.
func TestTableIsNotForPagesOfOtherOrigins(t *testing.T) {
	c, _ := withTable(t, true)
	c.Browser.CORSOrigins = c.Browser.CORSOrigins.WithLoopback()
	server := serve(t, c)
	for target, want := range map[string]string{
		"/graphql": "http://localhost:3000", "/plan": "http://localhost:3000",
		"/table/items": "", "/table": "http://localhost:3000",
	} {
		for method, header := range map[string]string{"OPTIONS": "Access-Control-Request-Method", "POST": "X-Nothing"} {
			a := do(t, server, method, target, `{"pk": "A#1"}`, "Origin", "http://localhost:3000", header, "POST",
				"Content-Type", "application/json")
			if got := a.header.Get("Access-Control-Allow-Origin"); got != want {
				t.Errorf("%s %s: got Access-Control-Allow-Origin %q, want %q", method, target, got, want)
			}
		}
	}
}

// TestVisit: who enters the URL of /graphql in a browser sees the playground, if there is one.
func TestVisit(t *testing.T) {
	const browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
	for _, test := range []struct {
		method, target, accept string
		isDisabled             bool
		status                 int
	}{
		{"GET", "/graphql", browser, false, http.StatusSeeOther},
		{"GET", "/graphql", browser, true, http.StatusUnprocessableEntity},
		{"GET", "/graphql", "*/*", false, http.StatusUnprocessableEntity},
		{"GET", "/graphql?query={__typename}", browser, false, http.StatusOK},
		{"POST", "/graphql", browser, false, http.StatusUnsupportedMediaType},
	} {
		c, _ := config(t)
		c.Playground.Disabled = test.isDisabled
		r := httptest.NewRequest(test.method, test.target, nil)
		r.Header.Set("Accept", test.accept)
		w := httptest.NewRecorder()
		gateway.New(c).ServeHTTP(w, r)
		if got := w.Header().Get("Location"); w.Code != test.status || (got == "/") != (w.Code == http.StatusSeeOther) {
			t.Errorf("%s %s, %s: got %d %q, want %d", test.method, test.target, test.accept, w.Code, got, test.status)
		}
	}
}
