package gateway_test

import (
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/partita/partita/internal/gateway"
	"github.com/partita/partita/internal/gateway/browser"
)

// TestLoopbackOrigins: on the local engine, pages that servers of this machine have sent may use the gateway.
func TestLoopbackOrigins(t *testing.T) {
	c, _ := config(t)
	c.Browser.CORSOrigins = origins(t, "https://shop.example")
	server := serve(t, c)
	gateway.Exposure{}.Apply(&c, true)
	local := serve(t, c)
	for origin, want := range map[string]bool{
		"https://shop.example":                  true,
		"http://localhost":                      true,
		"http://localhost:5173":                 true,
		"https://localhost:3000":                true,
		"http://127.0.0.1:3000":                 true,
		"http://[::1]:8080":                     true,
		"null":                                  false,
		"file://":                               false,
		"ftp://localhost":                       false,
		"chrome-extension://localhost":          false,
		"http://localhost.evil.test:3000":       false,
		"http://evil.localhost":                 false,
		"http://localhost@evil.test":            false,
		"http://evil.test#localhost":            false,
		"http://127.0.0.1.evil.test":            false,
		"http://10.0.0.1:3000":                  false,
		"http://0.0.0.0:3000":                   false,
		"http://LOCALHOST:3000":                 false,
		"http://localhost:3000/":                false,
		"http://localhost:3000, http://evil.te": false,
	} {
		for _, method := range []string{http.MethodGet, http.MethodPost} {
			status := http.StatusForbidden
			if want {
				status = http.StatusOK
			}
			header := []string{"Origin", origin, "Sec-Fetch-Site", "same-site", "Content-Type", "application/json"}
			a := do(t, local, method, "/graphql?query={__typename}", `{"query":"{__typename}"}`, header...)
			if allowed := a.header.Get("Access-Control-Allow-Origin"); a.status != status || (allowed == origin) != want {
				t.Errorf("%s %s: got %d and Access-Control-Allow-Origin %q", method, origin, a.status, allowed)
			}
			elsewhere := do(t, server, method, "/graphql?query={__typename}", `{"query":"{__typename}"}`, header...)
			if want := origin == "https://shop.example"; (elsewhere.status == http.StatusOK) != want {
				t.Errorf("%s %s: got %d with another table", method, origin, elsewhere.status)
			}
		}
	}
}

func TestIsLoopback(t *testing.T) {
	for text, want := range map[string]bool{
		"": true, "http://localhost:3000,https://127.0.0.1": true,
		"*": false, "http://localhost:3000,https://a.example": false,
	} {
		if o := origins(t, text); o.IsLoopback() != want || o.WithLoopback().IsLoopback() != want || o.String() != text {
			t.Errorf("%s: got %v for %s", text, o.IsLoopback(), o)
		}
	}
}

func TestHeaderNames(t *testing.T) {
	var names browser.HeaderNames
	err := names.UnmarshalText([]byte("x-region, X-Tenant"))
	if err != nil || strings.Join(names, " ") != "X-Region X-Tenant" {
		t.Errorf("got %v, %v", names, err)
	}
	for _, bad := range []string{"*", "a,", "a b", "a:b", "é", "X-*,*"} {
		if err := names.UnmarshalText([]byte(bad)); err == nil {
			t.Errorf("%q is accepted", bad)
		}
	}
}

// TestCORSHeaders: pages may send the headers of the setting, and no others.
func TestCORSHeaders(t *testing.T) {
	c, lines := config(t)
	c.Browser.CORSOrigins, c.Browser.CORSHeaders = origins(t, "https://shop.example"), browser.HeaderNames{"X-Region"}
	withEngine(&c)
	server := serve(t, c)
	for _, target := range []string{"/graphql", "/plan"} {
		for announced, want := range map[string]bool{"x-region": true, "content-type,x-region": true, "x-other": false} {
			a := do(t, server, "OPTIONS", target, "", "Origin", "https://shop.example",
				"Access-Control-Request-Method", "POST", "Access-Control-Request-Headers", announced)
			granted := "," + strings.ToLower(strings.ReplaceAll(a.header.Get("Access-Control-Allow-Headers"), " ", "")) + ","
			for name := range strings.SplitSeq(announced, ",") {
				if strings.Contains(granted, ","+name+",") != want {
					t.Errorf("%s, %s: got %s", target, announced, granted)
				}
			}
		}
	}
	do(t, server, "OPTIONS", "/graphql", "", "Origin", "https://shop.example",
		"Access-Control-Request-Method", "POST", "Access-Control-Request-Headers", "x no=name")
	if strings.Contains(lines.String(), "no=name") {
		t.Errorf("the log has a text that is no header: %s", lines)
	}
	want := `"origin":"https://shop.example","setting":"CORS_HEADERS=X-Region,X-Other"`
	if strings.Count(lines.String(), want) != 1 {
		t.Errorf("the log has not one line with %s: %s", want, lines)
	}
}

// TestRefusedOriginsAreLogged: the log names an origin with the setting, and nobody can fill it.
func TestRefusedOriginsAreLogged(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, lines := config(t)
		c.Browser.CORSOrigins = origins(t, "https://shop.example")
		handler := gateway.New(c)
		send := func(method, origin string) {
			r := httptest.NewRequest(method, "/graphql?query={__typename}", nil)
			r.Header.Set("Origin", origin)
			if method == http.MethodOptions {
				r.Header.Set("Access-Control-Request-Method", http.MethodPost)
			}
			handler.ServeHTTP(httptest.NewRecorder(), r)
		}
		refused := func() int { return strings.Count(lines.String(), "was refused") }
		for range 3 {
			send(http.MethodOptions, "http://localhost:5173")
			send(http.MethodGet, "http://localhost:5173")
		}
		want := `"origin":"http://localhost:5173","setting":"CORS_ORIGINS=https://shop.example,http://localhost:5173"`
		if !strings.Contains(lines.String(), want) || refused() != 1 {
			t.Errorf("the log has not one line with %s: %s", want, lines)
		}
		send(http.MethodOptions, "http://192.168.1.5:3000") // a browser sends nothing else after it
		if refused() != 2 || !strings.Contains(lines.String(), `,http://192.168.1.5:3000"`) {
			t.Errorf("the log does not name the origin of a preflight: %s", lines)
		}
		send(http.MethodGet, "null")
		for _, origin := range []string{"no origin", "https://" + strings.Repeat("a", 400), "", "https://a.example/\n"} {
			send(http.MethodGet, origin)
		}
		if got := refused(); got != 3 || !strings.Contains(lines.String(), "serve the page by a web server") {
			t.Errorf("got %d lines: %s", got, lines)
		}
		for i := range 1000 {
			send(http.MethodGet, "https://"+strconv.Itoa(i)+".example")
		}
		if got := refused(); got != 10 {
			t.Errorf("got %d lines at once, want 10", got)
		}
		time.Sleep(time.Minute) // in the bubble
		send(http.MethodGet, "http://localhost:5173")
		if got := refused(); got != 11 {
			t.Errorf("got %d lines after a minute, want another one", got)
		}
	})
}
