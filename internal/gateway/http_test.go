package gateway_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
)

// TestHTTP: a request, and how it is answered. `post` sends its body as a client of today does, `get` the parameters of
// a URL, and `send` any request.
func TestHTTP(t *testing.T) {
	c, _ := config(t)
	server := serve(t, c)
	datadriven.RunTest(t, "testdata/http", func(t *testing.T, d *datadriven.TestData) string {
		input := strings.TrimSuffix(d.Input, "\n")
		switch d.Cmd {
		case "post":
			return answered(t, postBody(t, server, input))
		case "get":
			return answered(t, do(t, server, http.MethodGet, "/graphql?"+parameters(input), ""))
		default:
			return answered(t, sendText(t, server, input))
		}
	})
	t.Run("invalid UTF-8", func(t *testing.T) {
		got := answered(t, postBody(t, server, "{\"query\":\"{__typename}\xff\"}"))
		if !strings.HasPrefix(got, "400 BAD_REQUEST") {
			t.Errorf("got %s", got)
		}
	})
}

// parameters returns the lines, each a name and a value, as those of a URL.
func parameters(lines string) string {
	values := url.Values{}
	for line := range strings.SplitSeq(lines, "\n") {
		name, value, _ := strings.Cut(line, "=")
		values.Set(name, value)
	}
	return values.Encode()
}

// sendText sends a request that is written as in HTTP.
func sendText(t *testing.T, server, text string) answer {
	t.Helper()
	head, body, _ := strings.Cut(text, "\n\n")
	lines := strings.Split(head, "\n")
	method, target, _ := strings.Cut(lines[0], " ")
	var header []string
	for _, line := range lines[1:] {
		name, value, _ := strings.Cut(line, ": ")
		header = append(header, name, value)
	}
	return do(t, server, method, target, body, header...)
}

// answered checks what all answers have in common, and returns the rest.
func answered(t *testing.T, a answer) string {
	t.Helper()
	if got := a.header.Get("Content-Type"); got != graphQLJSON {
		t.Errorf("got the type %s", got)
	}
	if got := strings.Contains(a.body, `"data"`); got != (a.status < 300) {
		t.Errorf("data present: %v: %d %s", got, a.status, a.body)
	}
	if a.result.Extensions.Cost == nil {
		t.Errorf("no cost in %s", a.body)
	}
	if strings.Contains(a.body, "json:") || strings.Contains(a.body, "Go ") || strings.Contains(a.body, "map[") {
		t.Errorf("the message names a Go type: %s", a.body)
	}
	return a.text()
}

func TestAllowNamesTheMethods(t *testing.T) {
	c, _ := config(t)
	server := serve(t, c)
	tests := []struct{ method, target, allow string }{
		{"GET", "/graphql?query=mutation{touch}", "POST"},
		{"DELETE", "/graphql", "GET, HEAD, OPTIONS, POST"},
		{"OPTIONS", "/graphql", "GET, HEAD, OPTIONS, POST"},
	}
	for _, test := range tests {
		a := do(t, server, test.method, test.target, "")
		if got := a.header.Get("Allow"); got != test.allow {
			t.Errorf("%s %s: got Allow %q, want %q", test.method, test.target, got, test.allow)
		}
	}
	if a := do(t, server, "OPTIONS", "/graphql", ""); a.status != http.StatusNoContent {
		t.Errorf("OPTIONS: got %d", a.status)
	}
	if a := do(t, server, "HEAD", "/graphql?query={__typename}", ""); a.status != http.StatusOK {
		t.Errorf("HEAD: got %d", a.status)
	}
}

// A client that knows only application/json gets it with the data; whatever is not 2xx says that it comes from GraphQL.
