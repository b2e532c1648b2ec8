package gateway_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/gateway"
	"github.com/partita/partita/internal/gateway/internal/testschema"
	"github.com/partita/partita/internal/gateway/logging"
	"github.com/partita/partita/internal/gateway/response"
	"github.com/partita/partita/internal/plan"
	"github.com/partita/partita/loaders"
)

const (
	graphQLJSON = "application/graphql-response+json; charset=utf-8"
	plainJSON   = "application/json; charset=utf-8"
)

// A log is the output of the gateway's logger.
type log struct {
	mu   sync.Mutex
	text bytes.Buffer
	more chan struct{} // closed when a line is written; nil if nobody waits for one
}

func (l *log) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.more != nil {
		close(l.more)
		l.more = nil
	}
	return l.text.Write(p)
}

// wants waits until a line has all parts.
func (l *log) wants(t *testing.T, parts ...string) {
	t.Helper()
	has := func(line string) bool {
		return !slices.ContainsFunc(parts, func(part string) bool { return !strings.Contains(line, part) })
	}
	for {
		l.mu.Lock()
		lines := l.text.String()
		if l.more == nil {
			l.more = make(chan struct{})
		}
		more := l.more
		l.mu.Unlock()
		for line := range strings.Lines(lines) {
			if has(line) {
				return
			}
		}
		t.Logf("waits for a line with %q", parts)
		<-more
	}
}

func (l *log) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// config serves the test schema and logs into the log that it also returns.
func config(t *testing.T) (gateway.Config, *log) {
	t.Helper()
	lines := &log{}
	logger, err := logging.New(lines, "json")
	fatal.If(t, err)
	c := gateway.Config{
		Schema:     schema(&testschema.Resolver{}),
		Monitoring: gateway.Monitoring{Logger: logger},
	}
	return c, lines
}

func schema(resolver *testschema.Resolver) (es executable) {
	return testschema.NewExecutableSchema(testschema.Config{Resolvers: resolver})
}

// serve starts a gateway on a free port and returns its URL.
func serve(t *testing.T, c gateway.Config) string {
	t.Helper()
	server := httptest.NewServer(gateway.New(c))
	t.Cleanup(server.Close)
	return server.URL
}

// An answer is an HTTP response, read to its end.
type answer struct {
	status int
	header http.Header
	body   string
	result struct {
		Errors []struct {
			Message    string
			Path       []any
			Locations  []map[string]int
			Extensions struct{ Code, RequestID string }
		}
		Data       json.RawMessage
		Extensions struct {
			Cost *response.Cost
		}
	}
}

func (a answer) code() string {
	if len(a.result.Errors) == 0 {
		return ""
	}
	return a.result.Errors[0].Extensions.Code
}

// text returns the status with the data, or with the code and the messages of the errors.
func (a answer) text() string {
	if len(a.result.Errors) == 0 {
		return strings.TrimSpace(fmt.Sprintf("%d %s", a.status, a.result.Data))
	}
	lines := fmt.Sprintf("%d %s", a.status, a.code())
	for _, e := range a.result.Errors {
		lines += "\n" + e.Message
	}
	return lines
}

// isError reports whether the response has the status, the code and the text.
func (a answer) isError(status int, code, text string) bool {
	return a.status == status && a.code() == code && strings.Contains(a.body, text)
}

func do(t *testing.T, server, method, target, body string, header ...string) answer {
	t.Helper()
	a, err := try(t.Context(), server, method, target, body, header...)
	fatal.If(t, err)
	return a
}

// try is do for goroutines other than the test's. Without another Accept, errors have the status of the specification.
func try(ctx context.Context, server, method, target, body string, header ...string) (answer, error) {
	request, err := http.NewRequestWithContext(ctx, method, server+target, strings.NewReader(body))
	if err != nil {
		return answer{}, err
	}
	request.Header.Set("Accept", graphQLJSON)
	for i := 0; i < len(header); i += 2 {
		request.Header.Set(header[i], header[i+1])
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return answer{}, err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return answer{}, err
	}
	a := answer{status: response.StatusCode, header: response.Header, body: string(text)}
	if len(text) > 0 && strings.Contains(response.Header.Get("Content-Type"), "json") {
		err = json.Unmarshal(text, &a.result)
	}
	return a, err
}

// postBody sends the body of a request to /graphql.
func postBody(t *testing.T, server, body string, header ...string) answer {
	t.Helper()
	header = append([]string{"Content-Type", "application/json"}, header...)
	return do(t, server, http.MethodPost, "/graphql", body, header...)
}

// getQuery sends a query in the URL.
func getQuery(t *testing.T, server, query string, header ...string) answer {
	t.Helper()
	return do(t, server, http.MethodGet, "/graphql?query="+url.QueryEscape(query), "", header...)
}

// post sends an operation as a modern client does.
func post(t *testing.T, server, query string, variables map[string]any) answer {
	t.Helper()
	body, err := json.Marshal(map[string]any{"query": query, "variables": variables})
	fatal.If(t, err)
	return postBody(t, server, string(body), "Accept", "application/graphql-response+json")
}

// TestPriceTooLow: the log has an operation that has consumed more than its price without a repeated request.
func TestPriceTooLow(t *testing.T) {
	for _, tt := range []struct {
		cost loaders.Cost
		want bool
	}{
		{loaders.Cost{ReadUnits: 2, WriteUnits: 6}, false},
		{loaders.Cost{ReadUnits: 2, WriteUnits: 7}, true},
		{loaders.Cost{ReadUnits: 2.5, WriteUnits: 6}, true},
		{loaders.Cost{ReadUnits: 2, WriteUnits: 12, Retries: 1}, false},
	} {
		c, lines := config(t)
		e := withEngine(&c)
		e.price = costing(plan.Price{ReadUnits: 2, WriteUnits: 6})
		e.cost = func(context.Context) loaders.Cost { return tt.cost }
		post(t, serve(t, c), `{ echo(text: "a") }`, nil)
		if got := strings.Contains(lines.String(), `"an operation has consumed more than its price"`); got != tt.want {
			t.Errorf("%+v: %s", tt.cost, lines)
		}
	}
}

func TestCostOfAnOperation(t *testing.T) {
	c, lines := config(t)
	e := withEngine(&c)
	e.price = costing(plan.Price{ReadUnits: 2.5, WriteUnits: 6, Objects: 7})
	e.cost = func(ctx context.Context) loaders.Cost {
		if loaders.OperationOf(ctx) == nil {
			t.Error("the cost is not that of the operation")
		}
		return loaders.Cost{ReadUnits: 1.5, WriteUnits: 3, Objects: 5, Requests: 2, Retries: 4, Waves: 1, ReusedReads: 6}
	}
	server := serve(t, c)

	a := post(t, server, `{ echo(text: "a") }`, nil)
	if want := `{"data":{"echo":"a"},"extensions":{"cost":{"estimatedReadUnits":2.5,"readUnits":1.5,` +
		`"estimatedWriteUnits":6,"writeUnits":3,"estimatedObjects":7,"objects":5,` +
		`"requests":2,"retries":4,"waves":1,"reusedReads":6,` +
		`"throttleStatus":null}}}`; a.body != want {
		t.Errorf("got %s, want %s", a.body, want)
	}
	logged := `"requests":2,"waves":1,"retries":4,"reusedReads":6,"estimatedReadUnits":2.5,"readUnits":1.5,` +
		`"estimatedWriteUnits":6,"writeUnits":3,"estimatedObjects":7,"objects":5`
	if !strings.Contains(lines.String(), logged) {
		t.Errorf("the log does not have the cost: %s", lines)
	}
	if strings.Contains(lines.String(), "more than its price") {
		t.Errorf("the log says that it was dearer than its price: %s", lines)
	}
	invalid := post(t, server, `{ nope }`, nil)
	if cost := invalid.result.Extensions.Cost; cost == nil || *cost != (response.Cost{}) {
		t.Errorf("an invalid operation has the cost %v, want zeros", cost)
	}
}

func TestRequestIDIsEchoedOrNew(t *testing.T) {
	c, lines := config(t)
	server := serve(t, c)
	given := do(t, server, http.MethodGet, "/graphql?query={__typename}", "", "X-Request-Id", "abc-1")
	if got := given.header.Get("X-Request-Id"); got != "abc-1" {
		t.Errorf("got the id %q, want the caller's", got)
	}
	forged := do(t, server, http.MethodGet, "/graphql?query={__typename}", "", "X-Request-Id", "a b")
	if got := forged.header.Get("X-Request-Id"); got == "a b" || got == "" {
		t.Errorf("got the id %q, want a new one", got)
	}
	for _, id := range []string{"abc-1", forged.header.Get("X-Request-Id")} {
		if !strings.Contains(lines.String(), `"requestId":"`+id+`"`) {
			t.Errorf("the log does not have the id %s: %s", id, lines)
		}
	}
}

func TestLogHasOneLinePerOperationAndNoVariables(t *testing.T) {
	c, lines := config(t)
	server := serve(t, c)
	post(t, server, `query Named($text: String!) { echo(text: $text) a: fail(how: CODED) }`,
		map[string]any{"text": "top secret"})
	text := strings.TrimSpace(lines.String())
	if strings.Contains(text, "\n") {
		t.Fatalf("want one line, got %s", text)
	}
	if strings.Contains(text, "secret") {
		t.Errorf("the log has a variable: %s", text)
	}
	var line map[string]any
	fatal.If(t, json.Unmarshal([]byte(text), &line))
	want := map[string]any{
		"level": "INFO", "msg": "operation", "operation": "Named", "type": "query", "method": "POST",
		"status": 294.0, "errors": 1.0, "codes": "THROTTLED", "requests": 0.0, "readUnits": 0.0,
	}
	for key, value := range want {
		if line[key] != value {
			t.Errorf("%s is %v, want %v", key, line[key], value)
		}
	}
	if took, isNumber := line["milliseconds"].(float64); !isNumber || took < 0 {
		t.Errorf("milliseconds is %v", line["milliseconds"])
	}
}

func TestPanicOutsideOfResolversIsA500(t *testing.T) {
	c, lines := config(t)
	withEngine(&c).cost = func(context.Context) loaders.Cost { panic("secret panic") }
	a := post(t, serve(t, c), `{ __typename }`, nil)
	if !a.isError(http.StatusInternalServerError, "INTERNAL_SERVER_ERROR", "") || strings.Contains(a.body, "secret") {
		t.Errorf("got %d %s", a.status, a.body)
	}
	if !strings.Contains(lines.String(), "secret panic") || !strings.Contains(lines.String(), "gateway_test.go") {
		t.Errorf("the log does not have the stack of the panic: %s", lines)
	}
}

func TestDefaultLogger(t *testing.T) {
	var out log
	previous := slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(&out, nil)))
	t.Cleanup(func() { slog.SetDefault(previous) })
	post(t, serve(t, gateway.Config{Schema: schema(&testschema.Resolver{})}), `{ __typename }`, nil)
	if !strings.Contains(out.String(), "msg=operation") {
		t.Errorf("the default logger got %q", out.String())
	}
}
