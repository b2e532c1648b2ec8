package gateway_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/gateway/browser"
)

func origins(t *testing.T, text string) (o browser.Origins) {
	t.Helper()
	fatal.If(t, o.UnmarshalText([]byte(text)))
	return o
}

func TestOrigins(t *testing.T) {
	for _, good := range []string{
		"", "*", "https://shop.example", "http://localhost:3000", "https://shop.example:8443, http://[::1]:3000",
		"https://a.example,https://b.example",
	} {
		if err := new(browser.Origins).UnmarshalText([]byte(good)); err != nil {
			t.Errorf("%q: %v", good, err)
		}
	}
	for bad, want := range map[string]string{
		"shop.example":                 "write scheme and host",
		"null":                         "write scheme and host",
		"https://":                     "write scheme and host",
		"https://:443":                 "write scheme and host",
		"https://shop.example,":        "write scheme and host",
		"https://shop.example/":        "without a slash",
		"https://shop.example/a":       "port alone",
		"https://me@shop.example":      "port alone",
		"https://shop.example?a":       "port alone",
		"HTTPS://shop.example":         "lower case",
		"https://Shop.example":         "lower case",
		"https://*.shop.example":       "write each origin out",
		"*,https://shop.example":       "write each origin out",
		"https://shop.example:443":     "leave out",
		"http://shop.example:80":       "leave out",
		"https://shop.example, https:": "write scheme and host",
	} {
		err := new(browser.Origins).UnmarshalText([]byte(bad))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %q", bad, err, want)
		}
	}
}

// Each request is what a browser sends for a page of the origin that sends a query by GET.
func TestCORSProbing(t *testing.T) {
	const allowed = "https://shop.example"
	c, _ := config(t)
	c.Browser.CORSOrigins = origins(t, allowed+",http://localhost:3000")
	withEngine(&c)
	server := serve(t, c)
	for origin, want := range map[string]bool{
		allowed:                            true,
		"http://localhost:3000":            true,
		"null":                             false,
		"http://shop.example":              false,
		"https://shop.example:8443":        false,
		"https://shop.example:443":         false,
		"http://localhost":                 false,
		"http://localhost:30000":           false,
		"https://shop.example.evil.test":   false,
		"https://evilshop.example":         false,
		"https://shop.example@evil.test":   false,
		"https://www.shop.example":         false,
		"https://shop.exampl":              false,
		"https://shop_example":             false,
		"https://shop.example, https://ev": false,
		"file://":                          false,
	} {
		site := "cross-site"
		a := do(t, server, "GET", "/graphql?query={__typename}", "", "Origin", origin, "Sec-Fetch-Site", site)
		gotOrigin, status := a.header.Get("Access-Control-Allow-Origin"), http.StatusForbidden
		if want {
			status = http.StatusOK
		}
		if a.status != status || (gotOrigin == origin) != want || (!want && gotOrigin != "") {
			t.Errorf("%s: got %d and Access-Control-Allow-Origin %q, want it allowed: %v", origin, a.status, gotOrigin, want)
		}
		if a.status == http.StatusForbidden && (a.code() != "FORBIDDEN" || strings.Contains(a.body, "data")) {
			t.Errorf("%s: got %s", origin, a.body)
		}
		vary := strings.Join(a.header.Values("Vary"), ", ")
		if !strings.Contains(vary, "Origin") || !strings.Contains(vary, "Accept") {
			t.Errorf("%s: got Vary %q", origin, vary)
		}
		if got := a.header.Get("Access-Control-Allow-Credentials"); got != "" {
			t.Errorf("%s: got credentials %q", origin, got)
		}

		preflight := do(t, server, "OPTIONS", "/graphql", "", "Origin", origin, "Sec-Fetch-Site", site,
			"Access-Control-Request-Method", "POST",
			"Access-Control-Request-Headers", "authorization,content-type,partita-consistency")
		status = http.StatusForbidden
		if want {
			status = http.StatusNoContent
		}
		granted := preflight.header.Get("Access-Control-Allow-Origin") == origin &&
			strings.Contains(preflight.header.Get("Access-Control-Allow-Headers"), ",partita-consistency,partita-plan,") &&
			strings.Contains(preflight.header.Get("Access-Control-Allow-Headers"), ",x-apollo-operation-name,") &&
			preflight.header.Get("Access-Control-Max-Age") == "7200"
		denied := preflight.header.Get("Access-Control-Allow-Origin") == "" &&
			preflight.header.Get("Access-Control-Allow-Headers") == ""
		if preflight.status != status || granted != want || denied == want {
			t.Errorf("%s: preflight: got %d %v", origin, preflight.status, preflight.header)
		}
	}
	// The browser compares: it names the method or header only if the origin is allowed.
	a := do(t, server, "OPTIONS", "/graphql", "", "Origin", allowed,
		"Access-Control-Request-Method", "DELETE", "Access-Control-Request-Headers", "x-forwarded-for")
	if got := a.header; got.Get("Access-Control-Allow-Origin") != allowed ||
		strings.Contains(got.Get("Access-Control-Allow-Methods"), "DELETE") ||
		strings.Contains(got.Get("Access-Control-Allow-Headers"), "x-forwarded-for") {
		t.Errorf("other method and header: got %v", got)
	}
	exposed := getQuery(t, server, "{__typename}", "Origin", allowed).header.Get("Access-Control-Expose-Headers")
	if want := "mcp-session-id,retry-after,www-authenticate,x-request-id"; exposed != want {
		t.Errorf("pages can read the headers %q, want %q", exposed, want)
	}
}

func TestNoOriginIsAllowedByDefault(t *testing.T) {
	c, _ := config(t)
	server := serve(t, c)
	preflight := do(t, server, "OPTIONS", "/graphql", "",
		"Origin", "https://shop.example", "Access-Control-Request-Method", "POST")
	if got := preflight.header.Get("Access-Control-Allow-Origin"); got != "" {
		t.Errorf("a preflight is granted to %q", got)
	}
	c.Browser.CORSOrigins = origins(t, "*")
	server = serve(t, c)
	for _, origin := range []string{"https://shop.example", "null"} {
		a := do(t, server, "GET", "/graphql?query={__typename}", "", "Origin", origin, "Sec-Fetch-Site", "cross-site")
		if got := a.header.Get("Access-Control-Allow-Origin"); a.status != http.StatusOK || got != "*" {
			t.Errorf("with *, %s: got %d and Access-Control-Allow-Origin %q", origin, a.status, got)
		}
	}
}

// TestForgery: requests that a page can make a browser send, or that another client sends.
func TestForgery(t *testing.T) {
	c, _ := config(t)
	server := serve(t, c)
	datadriven.RunTest(t, "testdata/forgery", func(t *testing.T, d *datadriven.TestData) string {
		request := strings.ReplaceAll(strings.TrimSuffix(d.Input, "\n"), "SERVER", server)
		return sendText(t, server, request).text()
	})
}
