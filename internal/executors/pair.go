package executors

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"

	"github.com/google/go-cmp/cmp"

	"github.com/partita/partita/gateway"
	"github.com/partita/partita/internal/gatewaytest"
)

// Table has the requests that the gateways have sent: a tabletest.Proxy, or a Memory.
type Table interface {
	Log() []string
	Reset()
}

// Pair are two gateways with the same table and the same log: one executes what it can without gqlgen, the other
// everything by gqlgen.
type Pair struct {
	Plan, Gqlgen http.Handler
	Table        Table
	Log          *gatewaytest.Log
}

// NewPair returns the Pair of gateways with these settings.
func NewPair(config gateway.Config, table Table, log *gatewaytest.Log) *Pair {
	p := &Pair{Plan: gateway.New(config), Table: table, Log: log}
	config.AlwaysGqlgen = true
	p.Gqlgen = gateway.New(config)
	return p
}

// Response is a response, and what has happened for it.
type Response struct {
	Status int
	Header http.Header
	Body   string
	// Requests are sorted. Failures are the lines of the log with a level above INFO, without their time and sorted.
	Requests, Failures []string
}

// content is the JSON of a response.
type content struct {
	Data   any
	Errors []struct{ Extensions struct{ Code string } }
}

func (r Response) content() content {
	var c content
	_ = json.Unmarshal([]byte(r.Body), &c) // a body that is not JSON has no content
	return c
}

// Data returns the data of a response, nil for none.
func (r Response) Data() any { return r.content().Data }

// Codes returns the codes of a response's errors.
func (r Response) Codes() []string {
	var codes []string
	for _, e := range r.content().Errors {
		codes = append(codes, e.Extensions.Code)
	}
	return codes
}

// Body returns the body of a request.
func Body(document string, variables map[string]any) ([]byte, error) {
	return json.Marshal(map[string]any{"query": document, "variables": variables})
}

// Ask sends an operation to one of the gateways. Nothing else may use the pair's table meanwhile.
func (p *Pair) Ask(gateway http.Handler, header http.Header, body []byte) Response {
	p.Table.Reset()
	p.Log.Take()
	request := httptest.NewRequest(http.MethodPost, "/graphql", bytes.NewReader(body))
	request.Header = header.Clone()
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", "application/graphql-response+json")
	request.Header.Set("X-Request-Id", "the-same") // it is in errors whose cause is in the log
	recorder := httptest.NewRecorder()
	gateway.ServeHTTP(recorder, request)
	r := Response{
		Status: recorder.Code, Header: recorder.Header(), Body: recorder.Body.String(), Requests: p.Table.Log(),
	}
	for line := range strings.Lines(p.Log.Take()) {
		if !strings.Contains(line, " level=INFO ") {
			r.Failures = append(r.Failures, normalized(line))
		}
	}
	slices.Sort(r.Requests)
	slices.Sort(r.Failures)
	return r
}

// normalized returns a line of the log without its time, and without the path in the text of an error of gqlgen, which
// the line has anyway.
func normalized(line string) string {
	_, line, _ = strings.Cut(line, " ")
	return pathInError.ReplaceAllLiteralString(line, ` error="`)
}

var pathInError = regexp.MustCompile(` error="input: \S+ `)

// Difference returns how two responses to the same operation differ, or "". All of the response, the requests and the
// log must be equal.
func Difference(plan, gqlgen Response) string {
	if uncounted.MatchString(plan.Body) && uncounted.MatchString(gqlgen.Body) {
		// Only the first errors are logged, and gqlgen has them in any order.
		plan.Failures, gqlgen.Failures = nil, nil
	}
	var all []string
	if plan.Body != gqlgen.Body {
		at := 0
		for at < min(len(plan.Body), len(gqlgen.Body)) && plan.Body[at] == gqlgen.Body[at] {
			at++
		}
		all = append(all, fmt.Sprintf("after %s\nplan:   %s\ngqlgen: %s",
			plan.Body[max(0, at-shown):at], cut(plan.Body[at:]), cut(gqlgen.Body[at:])))
	}
	plan.Body, gqlgen.Body = "", ""
	plan.Header.Del("Content-Length")
	gqlgen.Header.Del("Content-Length")
	if diff := cmp.Diff(gqlgen, plan); diff != "" {
		all = append(all, "-gqlgen +plan\n"+diff)
	}
	return strings.Join(all, "\n")
}

// shown is how much of a body is shown before and after a difference.
const shown = 400

func cut(text string) string { return text[:min(len(text), shown)] }

// uncounted matches a response with more errors than it has.
var uncounted = regexp.MustCompile(`"message":"And \d+ more errors\."`)

// Both sends an operation to both gateways, the one with the plan last. prepare is called before each, if it is not
// nil. The error is how they differ.
func (p *Pair) Both(header http.Header, o Operation, prepare func()) (Response, error) {
	body, err := Body(o.Document, o.Variables)
	if err != nil {
		return Response{}, err
	}
	responses := [2]Response{}
	for i, gateway := range []http.Handler{p.Gqlgen, p.Plan} {
		if prepare != nil {
			prepare()
		}
		responses[i] = p.Ask(gateway, header, body)
	}
	if diff := Difference(responses[1], responses[0]); diff != "" {
		return responses[1], fmt.Errorf("the executors differ for %s\n%s", body, diff)
	}
	return responses[1], nil
}
