package gateway_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/fstest"

	"github.com/partita/partita/internal/gateway"
)

// TestThrottledKeysForThisMachine: nobody else gets the keys whose hashes the metrics have, be it beside /graphql or at
// the address of the metrics.
func TestThrottledKeysForThisMachine(t *testing.T) {
	answers := func(text string) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, text) })
	}
	const secret = `{"0a":"USER#1"}`
	c, _ := config(t)
	c.Monitoring.Metrics, c.Monitoring.Keys = answers("metrics"), answers(secret)
	page := &fstest.MapFile{Data: []byte(`<script type="application/json">{{.}}</script>`)}
	files := fstest.MapFS{"index.html": page, "table.html": page, "figures.html": page, "assets/a.js": page}
	c.Playground.Files = files
	for name, h := range map[string]http.Handler{
		"the gateway": gateway.New(c), "the metrics": gateway.Figures(c.Monitoring.Metrics, c.Monitoring.Keys, files),
	} {
		for _, test := range []struct {
			host, client, forwarded string
			status                  int
			body                    string
		}{
			{"localhost:9090", "127.0.0.1:5000", "", http.StatusOK, secret},
			{"[::1]:9090", "[::1]:5000", "", http.StatusOK, secret},
			{"gateway:9090", "192.0.2.1:5000", "", http.StatusOK, "{}"},
			{"localhost:9090", "127.0.0.1:5000", "192.0.2.1", http.StatusOK, "{}"},
			{"evil.example:9090", "127.0.0.1:5000", "", http.StatusMisdirectedRequest, ""},
		} {
			r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/figures/keys", nil)
			r.Host, r.RemoteAddr = test.host, test.client
			if test.forwarded != "" {
				r.Header.Set("X-Forwarded-For", test.forwarded)
			}
			w := httptest.NewRecorder()
			h.ServeHTTP(w, r)
			if got := w.Body.String(); w.Code != test.status || test.body != "" && got != test.body {
				t.Errorf("%s, %+v: got %d %s", name, test, w.Code, got)
			}
		}
	}
}
