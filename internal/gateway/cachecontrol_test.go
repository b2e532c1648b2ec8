package gateway_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/partita/partita/internal/gateway/operation"
	"github.com/partita/partita/viewer"
)

func TestCacheControl(t *testing.T) {
	c, _ := config(t)
	withEngine(&c)
	c.Consumption.Budget = operation.Budget{Maximum: 100, Restore: 1}
	c.Callers.Authenticate = func(r *http.Request) (viewer.Viewer, error) {
		return viewer.Viewer{ID: strings.TrimPrefix(r.Header.Get("X-User"), "none")}, nil
	}
	server := serve(t, c)
	for _, test := range []struct {
		name, query string
		header      []string
		want        string
	}{
		{"hinted", `{echo(text:"a")}`, nil, "public, max-age=60"},
		{"private", `{echo(text:"a")count}`, nil, "private, max-age=30"},
		{"no hint", `{echo(text:"a")thing{name}}`, nil, "no-store"},
		{"with an error", `{echo(text:"a")fail(how:CODED)}`, nil, "no-store"},
		{"invalid", `{nope}`, nil, "no-store"},
		{"signed in", `{echo(text:"a")}`, []string{"X-User", "1"}, "private, max-age=60"},
		{"with any token", `{echo(text:"a")}`, []string{"Authorization", "Bearer x"}, "private, max-age=60"},
		{"with a header of the engine", `{echo(text:"a")}`, []string{"Partita-Consistency", "strong"}, "no-store"},
	} {
		a := do(t, server, "GET", "/graphql?query="+strings.ReplaceAll(test.query, `"`, "%22"), "", test.header...)
		if got := a.header.Get("Cache-Control"); got != test.want {
			t.Errorf("%s: got %q, want %q: %s", test.name, got, test.want, a.body)
		}
		vary := strings.Join(a.header.Values("Vary"), ", ")
		if !strings.Contains(vary, "Accept, Authorization, Partita-Consistency") {
			t.Errorf("%s: got Vary %q", test.name, vary)
		}
		hidden := strings.HasPrefix(test.want, "public") || a.status >= 400
		if got := a.result.Extensions.Cost.ThrottleStatus; (got == nil) != hidden {
			t.Errorf("%s: got the caller's budget %v, want it hidden: %v", test.name, got, hidden)
		}
	}
	if got := post(t, server, `{echo(text:"a")}`, nil).header.Get("Cache-Control"); got != "no-store" {
		t.Errorf("POST: got %q", got)
	}
}
