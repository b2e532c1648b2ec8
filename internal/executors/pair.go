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

	"github.com/partita/partita/internal/gateway"
	"github.com/partita/partita/internal/gatewaytest"
	"github.com/partita/partita/loaders"
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
	// Folder is a third one, which serves the files of the schema without generated code; nil if it is not compared.
	Folder http.Handler
	Table  Table
	Log    *gatewaytest.Log
}

// NewPair returns the Pair of gateways with these settings. The second has the other engine, because an engine
// remembers the idempotency keys of the operations before.
func NewPair(config gateway.Config, other *loaders.Engine, table Table, log *gatewaytest.Log) *Pair {
	p := &Pair{Plan: gateway.New(config), Table: table, Log: log}
	config.Engine, config.AlwaysGqlgen = other, true
	p.Gqlgen = gateway.New(config)
	return p
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
	request.Header.Set("Partita-Plan", "measured")
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
func Difference(plan, other Response) string {
	if uncounted.MatchString(plan.Body) && uncounted.MatchString(other.Body) {
		// Only the first errors are logged, and gqlgen has them in any order.
		plan.Failures, other.Failures = nil, nil
	}
	var all []string
	if plan.Body != other.Body {
		at := 0
		for at < min(len(plan.Body), len(other.Body)) && plan.Body[at] == other.Body[at] {
			at++
		}
		all = append(all, fmt.Sprintf("after %s\nplan:  %s\nother: %s",
			plan.Body[max(0, at-shown):at], cut(plan.Body[at:]), cut(other.Body[at:])))
	}
	plan.Body, other.Body = "", ""
	plan.Header.Del("Content-Length")
	other.Header.Del("Content-Length")
	if diff := cmp.Diff(other, plan); diff != "" {
		all = append(all, "-other +plan\n"+diff)
	}
	return strings.Join(all, "\n")
}

// shown is how much of a body is shown before and after a difference.
const shown = 400

func cut(text string) string { return text[:min(len(text), shown)] }

// uncounted matches a response with more errors than it has.
var uncounted = regexp.MustCompile(`"message":"And \d+ more errors\."`)

// Both sends an operation to all gateways, the one with the plan last. prepare is called before each, if it is not nil.
// The error is how they differ.
func (p *Pair) Both(header http.Header, o Operation, prepare func()) (Response, error) {
	body, err := Body(o.Document, o.Variables)
	if err != nil {
		return Response{}, err
	}
	ask := func(gateway http.Handler) Response {
		if prepare != nil {
			prepare()
		}
		return p.Ask(gateway, header, body)
	}
	gqlgen := ask(p.Gqlgen)
	var folder Response
	if p.Folder != nil {
		folder = ask(p.Folder)
	}
	plan := ask(p.Plan)
	if err := CheckMeasured(plan); err != nil {
		return plan, fmt.Errorf("%w for %s\n%s", err, body, cut(plan.Body))
	}
	if diff := Difference(plan, gqlgen); diff != "" {
		return plan, fmt.Errorf("the executors differ for %s\n%s", body, diff)
	}
	if p.Folder != nil {
		if diff := Difference(plan, folder); diff != "" {
			return plan, fmt.Errorf("the folder differs from the generated code for %s\n%s", body, diff)
		}
	}
	return plan, nil
}
