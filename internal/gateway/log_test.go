package gateway_test

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/loaders"
	"github.com/partita/partita/viewer"
)

// line is what tests read of a line of the log.
type line struct {
	Msg, RequestID, TraceID, Viewer, Codes string
	Status                                 int
}

func (l *log) lines(t *testing.T) []line {
	t.Helper()
	var lines []line
	for text := range strings.Lines(l.String()) {
		var one line
		if err := json.Unmarshal([]byte(text), &one); err != nil {
			t.Fatalf("%v: %s", err, text)
		}
		lines = append(lines, one)
	}
	return lines
}

func TestLogHasOnlyTheIDOfTheViewer(t *testing.T) {
	c, lines := config(t)
	c.Callers.Authenticate = func(r *http.Request) (viewer.Viewer, error) {
		return viewer.Viewer{ID: r.Header.Get("Viewer"), Roles: []string{"STAFF"}}, nil
	}
	server := serve(t, c)
	for _, id := range []string{"u1", ""} {
		do(t, server, http.MethodGet, "/graphql?query={__typename}", "", "Viewer", id)
	}
	got := lines.lines(t)
	if len(got) != 2 || got[0].Viewer != "u1" || strings.Count(lines.String(), "viewer") != 1 {
		t.Errorf("want one line with a viewer and one without: %s", lines)
	}
	if strings.Contains(lines.String(), "STAFF") {
		t.Errorf("the log has a role: %s", lines)
	}
}

// Nothing that a caller sends is in the log, whatever the error is.
func TestLogHasNothingThatACallerSends(t *testing.T) {
	const personal, token = "ada@example.com", "s3cr3t-token"
	c, lines := config(t)
	// A line of another package that has the operation's context.
	withEngine(&c).cost = func(ctx context.Context) loaders.Cost {
		c.Monitoring.Logger.InfoContext(ctx, "from elsewhere")
		return loaders.Cost{}
	}
	server := serve(t, c)
	headers := []string{
		"Authorization", "Bearer " + token, "Cookie", "session=" + token, "X-Request-Id", personal,
		"Accept", "application/graphql-response+json", "traceparent", "00-" + personal + "-00f067aa0ba902b7-01",
	}
	send := func(query, variables string) answer {
		body := `{"query": ` + quote(t, query) + `, "variables": ` + variables + `}`
		return postBody(t, server, body, headers...)
	}
	variables := `{"t": "` + personal + `"}`
	for name, a := range map[string]answer{
		"an argument":             send(`query Named { echo(text: "`+personal+`") }`, `{}`),
		"a syntax error":          send(`{ echo(text: "`+personal+`" `+token+`!`, `{}`),
		"a broken string":         send(`{ echo(text: "`+personal, `{}`),
		"an unknown field":        send(`{ s3cr3t(text: "`+personal+`") }`, `{}`),
		"an argument of no type":  send(`{ at(time: "`+personal+`") }`, `{}`),
		"not an enum value":       send(`{ describe(color: "`+personal+`") }`, `{}`),
		"a variable":              send(`query Named($t: String!) { echo(text: $t) }`, variables),
		"a variable of no type":   send(`query Named($t: Time!) { at(time: $t) }`, variables),
		"an unknown input field":  send(`query Named($i: Input) { describe(input: $i) }`, `{"i": {"`+personal+`": 1}}`),
		"variables that are none": send(`{ __typename }`, `"`+personal+`"`),
		"a field that fails":      send(`query Named($t: String!) { echo(text: $t) fail(how: PLAIN) }`, variables),
		"a field that panics":     send(`query Named($t: String!) { echo(text: $t) fail(how: PANIC) }`, variables),
		"a root that fails":       send(`query Named($t: String!) { echo(text: $t) failNonNull(how: PLAIN) }`, variables),
		"no such operation":       send(`query A { __typename } query B { echo(text: "`+personal+`") }`, `{}`),
		"a query in the URL":      getQuery(t, server, `{ echo(text: "`+personal+`") }`, headers...),
		"a mutation in the URL":   do(t, server, "GET", "/graphql?query=mutation{touch}&x="+personal, "", headers...),
		"no JSON":                 postBody(t, server, `{"`+personal, headers...),
		"another method":          do(t, server, http.MethodPut, "/graphql?token="+token, personal, headers...),
		"a body of no media type": postBody(t, server, personal, append(headers, "Content-Type", "text/"+token)...),
		"a response of no type":   getQuery(t, server, `{ echo(text: "`+personal+`") }`, "Accept", "text/"+token),
	} {
		if a.status == 0 || a.header.Get("X-Request-Id") == personal {
			t.Errorf("%s: %d with the id %q", name, a.status, a.header.Get("X-Request-Id"))
		}
	}
	text := lines.String()
	for _, secret := range []string{personal, "ada@", token, "Bearer", "s3cr3t"} {
		if at := strings.Index(text, secret); at >= 0 {
			t.Errorf("the log has %q: %s", secret, text[max(0, at-200):min(len(text), at+100)])
		}
	}
	if n := strings.Count(text, `"msg":"operation"`); n != 20 {
		t.Errorf("%d operations are logged, want 20", n)
	}
}

func quote(t *testing.T, text string) string {
	t.Helper()
	quoted, err := json.Marshal(text)
	fatal.If(t, err)
	return string(quoted)
}

func TestEachLineOfARequestHasItsIDs(t *testing.T) {
	const traceID = "4bf92f3577b34da6a3ce929d0e0e4736"
	c, lines := config(t)
	c.Monitoring.Observer = traced{}
	withEngine(&c).cost = func(ctx context.Context) loaders.Cost {
		c.Monitoring.Logger.With("a", 1).InfoContext(ctx, "from elsewhere")
		return loaders.Cost{}
	}
	a := getQuery(t, serve(t, c), `{ a: fail(how: PLAIN) b: fail(how: PANIC) }`, "X-Request-Id", "id-1")
	for i, e := range a.result.Errors {
		if e.Extensions.RequestID != "id-1" || !strings.Contains(e.Message, "id-1") {
			t.Errorf("error %d does not name the request: %s", i, a.body)
		}
	}
	seen := map[string]int{}
	for _, l := range lines.lines(t) {
		seen[l.Msg]++
		if l.RequestID != "id-1" || l.TraceID != traceID {
			t.Errorf("the line %+v does not name request and trace", l)
		}
	}
	for _, msg := range []string{"from elsewhere", "a field failed", "panic in a resolver", "operation"} {
		if seen[msg] != 1 {
			t.Errorf("%d lines have the message %q, want one: %s", seen[msg], msg, lines)
		}
	}
	if strings.Count(lines.String(), "requestId") != 4 {
		t.Errorf("a line has an id twice: %s", lines)
	}
}
