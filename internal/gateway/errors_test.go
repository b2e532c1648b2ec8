package gateway_test

import (
	"context"
	"fmt"
	"math"
	"net/http"
	"net/url"
	"reflect"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/partita/partita/internal/gateway"
	"github.com/partita/partita/loaders"
)

func TestFieldErrors(t *testing.T) {
	tests := []struct {
		name    string
		query   string
		code    string
		message string
		path    []any
		data    string
		log     []string // in the log, and not in the response
	}{
		{
			name: "the message of a coded error is shown", query: `{ fail(how: CODED) echo(text: "a") }`,
			code: "THROTTLED", message: "The table is busy. Try again in a second.",
			path: []any{"fail"}, data: `{"fail":null,"echo":"a"}`,
		},
		{
			name: "another error is logged", query: `{ fail(how: PLAIN) echo(text: "a") }`,
			code: "INTERNAL_SERVER_ERROR", path: []any{"fail"}, data: `{"fail":null,"echo":"a"}`,
			log: []string{"secret failure"},
		},
		{
			name: "a panic is one failed field", query: `{ x: fail(how: PANIC) echo(text: "a") }`,
			code: "INTERNAL_SERVER_ERROR", path: []any{"x"}, data: `{"x":null,"echo":"a"}`,
			log: []string{"secret panic", "testschema/resolver.go"},
		},
		{
			name: "a path with an index", query: `{ things(count: 1) { name broken } }`,
			code: "INTERNAL_SERVER_ERROR", path: []any{"things", 0.0, "broken"}, data: `{"things":[{"name":"0","broken":null}]}`,
			log: []string{"secret failure"},
		},
		{
			name: "an argument that its Go type rejects", query: `{ at(time: "tomorrow") }`,
			code: "BAD_USER_INPUT", message: "The value of the argument time is not one of its type, Time!.",
			path: []any{"at"}, data: `null`,
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c, lines := config(t)
			a := post(t, serve(t, c), test.query, nil)
			if a.status != 294 || len(a.result.Errors) != 1 || string(a.result.Data) != test.data {
				t.Fatalf("got %d %s", a.status, a.body)
			}
			shown := a.result.Errors[0]
			if shown.Extensions.Code != test.code || !reflect.DeepEqual(shown.Path, test.path) || len(shown.Locations) != 1 {
				t.Errorf("got %+v, want %s at %v", shown, test.code, test.path)
			}
			if test.message == "" {
				id := a.header.Get("X-Request-Id")
				test.message = "Something went wrong here, not in your operation. Report it with the request id " + id + "."
				if shown.Extensions.RequestID != id {
					t.Errorf("got the request id %s, want %s", shown.Extensions.RequestID, id)
				}
			}
			if shown.Message != test.message {
				t.Errorf("got %q, want %q", shown.Message, test.message)
			}
			for _, secret := range test.log {
				if strings.Contains(a.body, secret) || !strings.Contains(lines.String(), secret) {
					t.Errorf("%q must be in the log only: %s, log %s", secret, a.body, lines)
				}
			}
		})
	}
}

func TestTimeoutOfAField(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, _ := config(t)
		status, body := get(gateway.New(c), "/graphql?query="+url.QueryEscape(`{ fail(how: TIMEOUT) echo(text: "a") }`))
		want := `{"errors":[{"message":"The operation took too long. Ask for less at once, or try again.","path":["fail"],` +
			`"locations":[{"line":1,"column":3}],"extensions":{"code":"TIMEOUT"}}],"data":{"fail":null,"echo":"a"},` +
			`"extensions":{"cost":{"estimatedReadUnits":0,"readUnits":0,"estimatedWriteUnits":0,"writeUnits":0,` +
			`"estimatedObjects":1,"objects":1,"requests":0,"retries":0,"waves":0,"reusedReads":0,"throttleStatus":null}}}`
		if status != http.StatusOK || body != want {
			t.Errorf("got %d %s", status, body)
		}
	})
}

func TestTimeoutBeforeExecution(t *testing.T) {
	c, _ := config(t)
	c.OperationTimeout = time.Nanosecond
	a := post(t, serve(t, c), `{ __typename }`, nil)
	if a.status != http.StatusServiceUnavailable || a.code() != "TIMEOUT" || a.result.Data != nil {
		t.Errorf("got %d %s", a.status, a.body)
	}
}

func TestVariableThatItsGoTypeRejects(t *testing.T) {
	c, _ := config(t)
	a := post(t, serve(t, c), `query($t: Time!) { at(time: $t) }`, map[string]any{"t": "tomorrow"})
	if a.status != 294 || a.code() != "BAD_USER_INPUT" {
		t.Errorf("got %d %s", a.status, a.body)
	}
}

func TestErrorsAreCapped(t *testing.T) {
	c, lines := config(t)
	server := serve(t, c)
	var unknown strings.Builder
	for i := range 30 {
		fmt.Fprintf(&unknown, " f%d", i)
	}
	tests := []struct {
		query  string
		status int
		code   string
	}{
		{"{" + unknown.String() + "}", http.StatusUnprocessableEntity, "GRAPHQL_VALIDATION_FAILED"},
		{"{ things(count: 30) { broken } }", 294, "INTERNAL_SERVER_ERROR"},
	}
	for _, test := range tests {
		a := post(t, server, test.query, nil)
		if a.status != test.status || len(a.result.Errors) != 26 {
			t.Fatalf("got %d with %d errors, want %d with 26", a.status, len(a.result.Errors), test.status)
		}
		last := a.result.Errors[25]
		if last.Message != "And 5 more errors." || last.Extensions.Code != test.code {
			t.Errorf("got %+v", last)
		}
	}
	if got := strings.Count(lines.String(), "secret failure"); got != 25 {
		t.Errorf("the log has %d failures, want 25", got)
	}
}

// TestUnencodableAnswer: the caller gets a request id, and the log has the cause under it.
func TestUnencodableAnswer(t *testing.T) {
	for name, cost := range map[string]loaders.Cost{
		"NaN": {ReadUnits: math.NaN()}, "+Inf": {WriteUnits: math.Inf(1)},
	} {
		c, lines := config(t)
		withEngine(&c).cost = func(context.Context) loaders.Cost { return cost }
		a := post(t, serve(t, c), `{ echo(text: "a") }`, nil)
		id := a.header.Get("X-Request-Id")
		if !a.isError(http.StatusInternalServerError, "INTERNAL_SERVER_ERROR", "Report it with the request id "+id) ||
			a.result.Errors[0].Extensions.RequestID != id || a.result.Data != nil {
			t.Errorf("%s: got %d %s", name, a.status, a.body)
		}
		for line := range strings.Lines(lines.String()) {
			if strings.Contains(line, "cannot be encoded") {
				if !strings.Contains(line, "unsupported value: "+name) || !strings.Contains(line, id) {
					t.Errorf("the log has %s", line)
				}
				id = ""
			}
		}
		if id != "" {
			t.Errorf("the log lacks the cause: %s", lines)
		}
	}
}
