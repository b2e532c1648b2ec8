package app_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/processtest"
)

// lambdaRuntime is Lambda's Runtime API for one function: it hands out events and receives their outcomes.
//
// https://docs.aws.amazon.com/lambda/latest/dg/runtimes-api.html
type lambdaRuntime struct {
	t        *testing.T
	address  string
	events   chan string
	outcomes chan lambdaOutcome
	ended    chan struct{}

	mu sync.Mutex
	n  int
}

// lambdaOutcome is a request of the function about an invocation: the end of its path, response or error, and its body.
type lambdaOutcome struct {
	kind string
	body []byte
}

func startLambdaRuntime(t *testing.T) *lambdaRuntime {
	t.Helper()
	r := &lambdaRuntime{t: t, events: make(chan string), outcomes: make(chan lambdaOutcome, 1), ended: make(chan struct{})}
	server := httptest.NewServer(r)
	t.Cleanup(func() {
		close(r.ended)
		server.Close()
	})
	r.address = strings.TrimPrefix(server.URL, "http://")
	return r
}

func (r *lambdaRuntime) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	path, found := strings.CutPrefix(request.URL.Path, "/2018-06-01/runtime/invocation/")
	if !found {
		r.t.Errorf("the function requests %s", request.URL.Path)
		return
	}
	if path == "next" {
		r.next(w, request)
		return
	}
	body, err := io.ReadAll(request.Body)
	if err != nil {
		r.t.Error(err)
	}
	_, kind, _ := strings.Cut(path, "/")
	w.WriteHeader(http.StatusAccepted)
	r.outcomes <- lambdaOutcome{kind, body}
}

func (r *lambdaRuntime) next(w http.ResponseWriter, request *http.Request) {
	select {
	case event := <-r.events:
		r.mu.Lock()
		r.n++
		id := fmt.Sprintf("invocation-%d", r.n)
		r.mu.Unlock()
		w.Header().Set("Lambda-Runtime-Aws-Request-Id", id)
		w.Header().Set("Lambda-Runtime-Deadline-Ms", strconv.FormatInt(time.Now().Add(time.Minute).UnixMilli(), 10))
		w.Header().Set("Lambda-Runtime-Invoked-Function-Arn", "arn:aws:lambda:us-east-1:123456789012:function:partita")
		_, _ = io.WriteString(w, event)
	case <-request.Context().Done():
	case <-r.ended:
	}
}

func (r *lambdaRuntime) invoke(p *processtest.Process, event string) lambdaOutcome {
	r.t.Helper()
	select {
	case r.events <- event:
		return <-r.outcomes
	case <-p.Ended:
		r.t.Fatalf("the function has ended: %q", p.Messages)
		return lambdaOutcome{}
	}
}

// functionHost is the host of the function's URL.
const functionHost = "abc.lambda-url.us-east-1.on.aws"

// request is the event of a function URL or an HTTP API, payload format 2.0.
func (r *lambdaRuntime) request(
	p *processtest.Process, method, path, body string, header map[string]string,
) events.APIGatewayV2HTTPResponse {
	r.t.Helper()
	path, query, _ := strings.Cut(path, "?")
	event, err := json.Marshal(map[string]any{
		"version": "2.0", "routeKey": "$default", "rawPath": path, "rawQueryString": query, "headers": header, "body": body,
		"requestContext": map[string]any{
			"domainName": functionHost, "stage": "$default",
			"http": map[string]any{"method": method, "path": path, "protocol": "HTTP/1.1", "sourceIp": "203.0.113.7"},
		},
	})
	fatal.If(r.t, err)
	outcome := r.invoke(p, string(event))
	var response events.APIGatewayV2HTTPResponse
	if err := json.Unmarshal(outcome.body, &response); err != nil || outcome.kind != "response" {
		r.t.Fatalf("%s %s: %v", outcome.kind, outcome.body, err)
	}
	return response
}

func TestLambda(t *testing.T) {
	t.Parallel()
	local := processtest.Start(t) // has the data
	runtime := startLambdaRuntime(t)
	collected := make(chan string, 16)
	collector := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		collected <- r.URL.Path
		w.Header().Set("Content-Type", "application/x-protobuf")
	}))
	defer collector.Close()
	// Lambda starts the binary without arguments.
	p := processtest.Launch(t, "", "AWS_LAMBDA_RUNTIME_API="+runtime.address,
		"DYNAMODB_ENDPOINT=http://"+local.EngineAddress, "ALLOWED_HOSTS="+functionHost,
		"OTEL_EXPORTER_OTLP_ENDPOINT="+collector.URL, "OTEL_BSP_SCHEDULE_DELAY=600000")

	content := map[string]string{"content-type": "application/json"}
	for range 2 {
		response := runtime.request(p, http.MethodPost, "/graphql", adaQuery(), content)
		a, err := readAnswer(strings.NewReader(response.Body))
		wantAda(t, a, err)
		if response.StatusCode != http.StatusOK || response.Headers["X-Request-Id"] == "" {
			t.Errorf("got %d with the headers %v", response.StatusCode, response.Headers)
		}
		// The process may be frozen from now on.
		if len(collected) != 1 || <-collected != "/v1/traces" {
			t.Error("the span was not exported before the answer")
		}
	}
	if r := runtime.request(p, http.MethodGet, "/readyz", "", nil); r.StatusCode != http.StatusOK {
		t.Errorf("/readyz is %d %s", r.StatusCode, r.Body)
	}
	if r := runtime.request(p, http.MethodPost, "/graphql", "{", content); r.StatusCode != http.StatusBadRequest {
		t.Errorf("a broken body is answered with %d %s", r.StatusCode, r.Body)
	}
	for _, event := range []string{`{}`, `{"version": "1.0", "httpMethod": "GET", "path": "/"}`, `[]`} {
		outcome := runtime.invoke(p, event)
		if outcome.kind != "error" || !strings.Contains(string(outcome.body), "errorMessage") {
			t.Errorf("%s: %s %s", event, outcome.kind, outcome.body)
		}
	}
	response := runtime.request(p, http.MethodPost, "/graphql", adaQuery(), content)
	a, err := readAnswer(strings.NewReader(response.Body))
	wantAda(t, a, err)
}

func TestLambdaThatCannotStart(t *testing.T) {
	t.Parallel()
	processtest.Launch(t, "lambda").WantExit(t, "exit status 78", "this is no Lambda function")
	runtime := startLambdaRuntime(t)
	p := processtest.Launch(t, "", "AWS_LAMBDA_RUNTIME_API="+runtime.address)
	p.WantExit(t, "exit status 78", "a Lambda function has no local engine")
	processtest.Launch(t, "lambda nowhere").WantExit(t, "exit status 66", "there is no folder nowhere")
}
