package gateway_test

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/gateway"
	"github.com/partita/partita/internal/gateway/document"
	"github.com/partita/partita/internal/gateway/internal/testschema"
	"github.com/partita/partita/internal/gateway/operation"
	"github.com/partita/partita/viewer"
)

// TestJSONStatus: a client that accepts only application/json gets the errors of an operation with the status 200.
// Other errors, and other clients, have the status of the specification.
func TestJSONStatus(t *testing.T) {
	const often = "a#:types{fields{args{type{name}} type{fields{args{type{name}} type{name}}}}} "
	operation := func(query string) string { return `{"query":"` + query + `"}` }
	tests := []struct {
		name, body string
		header     []string
		json, spec int
		code       string
	}{
		{"data", operation(`{__typename}`), nil, 200, 200, ""},
		{"failed field", operation(`{fail(how:CODED)}`), nil, 200, 294, "THROTTLED"},
		{"null data", operation(`{failNonNull(how:CODED)}`), nil, 200, 294, "THROTTLED"},

		{"syntax error", operation(`{`), nil, 200, 400, "GRAPHQL_PARSE_FAILED"},
		{"empty document", operation(``), nil, 200, 400, "GRAPHQL_PARSE_FAILED"},
		{"unknown field", operation(`{nope}`), nil, 200, 422, "GRAPHQL_VALIDATION_FAILED"},
		{"too deep", operation(repeat("{a", 30) + repeat("}", 30)), nil, 200, 422, "GRAPHQL_VALIDATION_FAILED"},
		{"no operation", operation(`query A{__typename} query B{__typename}`), nil, 200, 422, "OPERATION_RESOLUTION_FAILURE"},
		{"variable", operation(`query($n:Int!){count(to:$n)}`), nil, 200, 422, "BAD_USER_INPUT"},
		{"cost", operation(`{__schema{` + repeat(often, 40) + `}}`), nil, 200, 422, "COST_LIMIT"},
		{"answer", operation(`{echo(text:\"` + strings.Repeat("x", 600) + `\")}`), nil, 200, 422, "OPERATION_TOO_LARGE"},
		{"unknown hash", byHash(t, sha("a"), ""), nil, 200, 404, "PERSISTED_QUERY_NOT_FOUND"},

		{"hash of another text", byHash(t, sha("a"), "{__typename}"), nil, 400, 400, "BAD_REQUEST"},
		{"no JSON", `{`, nil, 400, 400, "BAD_REQUEST"},
		{"no query", `{}`, nil, 422, 422, "BAD_REQUEST"},
		{"no token", operation(`{nope}`), []string{"Authorization", "bad"}, 401, 401, "UNAUTHENTICATED"},
		{"bug", operation(`{nope}`), []string{"Authorization", "broken"}, 500, 500, "INTERNAL_SERVER_ERROR"},
		{"foreign page", operation(`{nope}`), []string{"Sec-Fetch-Site", "cross-site"}, 403, 403, "FORBIDDEN"},
		{"text", operation(`{nope}`), []string{"Content-Type", "text/plain"}, 415, 415, "BAD_REQUEST"},
	}
	c, _ := config(t)
	c.MaxAnswerBytes = 512
	c.Callers.Authenticate = func(r *http.Request) (viewer.Viewer, error) {
		switch r.Header.Get("Authorization") {
		case "bad":
			return viewer.Viewer{}, testschema.CodedError{Text: "Sign in again.", ErrorCode: "UNAUTHENTICATED"}
		case "broken":
			return viewer.Viewer{}, errors.New("failure")
		}
		return viewer.Viewer{}, nil
	}
	server := serve(t, c)
	for _, test := range tests {
		for accept, knows := range map[string]bool{
			"application/json": false, "*/*": false, "application/json, text/plain, */*": false,
			"application/graphql-response+json;q=0.5, */*": false,

			"application/graphql-response+json":                        true,
			"application/graphql-response+json,application/json;q=0.9": true,
			"application/json, application/graphql-response+json":      true,
		} {
			want, media := test.json, plainJSON
			// Automatic persisted queries begin with an unknown hash, so whoever accepts JSON, too, gets that as JSON.
			if knows && (test.name != "unknown hash" || !strings.Contains(accept, "application/json")) {
				want = test.spec
			}
			if want != http.StatusOK || knows && want == test.spec {
				media = graphQLJSON
			}
			a := postBody(t, server, test.body, append(test.header, "Accept", accept)...)
			if got := a.header.Get("Content-Type"); !a.isError(want, test.code, "") || got != media {
				t.Errorf("%s, %s: got %d %s %s, want %d %s %s",
					test.name, accept, a.status, a.code(), got, want, test.code, media)
			}
			if a.code() != "" && a.result.Data == nil && a.header.Get("Cache-Control") != "no-store" {
				t.Errorf("%s: an error may be kept: %s", test.name, a.header.Get("Cache-Control"))
			}
		}
	}
}

// TestJSONStatusOfPages: the requests of the pages are rejected as operations are. A page asks for the plan of what is
// being written, and browsers report each status but 200 in their console.
func TestJSONStatusOfPages(t *testing.T) {
	c, _ := withTable(t, true)
	withEngine(&c)
	c.Table.Reader = tableReader{err: testschema.CodedError{Text: "No such index.", ErrorCode: "BAD_USER_INPUT"}}
	server := serve(t, c)
	plan := planOf(t, server, `{"query":"{nope}"}`, "Accept", "*/*")
	table := askTable(t, server, viewer.Viewer{}, `{}`, "Accept", "*/*")
	if !plan.isError(200, "GRAPHQL_VALIDATION_FAILED", "") || !table.isError(200, "BAD_USER_INPUT", "") {
		t.Errorf("got %d %s and %d %s", plan.status, plan.body, table.status, table.body)
	}
}

// TestJSONStatusOfManifest: an operation that is not in the list is rejected as such.
func TestJSONStatusOfManifest(t *testing.T) {
	c, _ := config(t)
	manifest, err := document.ParseManifest([]byte(`{"format":"apollo-persisted-query-manifest","version":1,
		"operations":[{"id":"1","name":"A","type":"query","body":"query A{__typename}"}]}`), c.Schema.Schema())
	fatal.If(t, err)
	c.Documents.Manifest = manifest
	server := serve(t, c)
	for accept, want := range map[string][2]int{plainJSON: {200, 200}, graphQLJSON: {403, 404}} {
		text := postBody(t, server, `{"query":"{__typename}"}`, "Accept", accept)
		id := postBody(t, server, byHash(t, "2", ""), "Accept", accept)
		if !text.isError(want[0], "QUERY_NOT_IN_SAFELIST", "") || !id.isError(want[1], "PERSISTED_QUERY_NOT_IN_LIST", "") {
			t.Errorf("%s: got %d %s and %d %s", accept, text.status, text.body, id.status, id.body)
		}
	}
}

// TestRejectedOperationsAreCounted: log and metrics do not depend on the status.
func TestRejectedOperationsAreCounted(t *testing.T) {
	for _, accept := range []string{plainJSON, graphQLJSON} {
		c, lines := config(t)
		var observer recorder
		c.Monitoring.Observer = &observer
		handler := gateway.New(c)
		for _, body := range []string{`{"query":"{nope}"}`, `{"query":"{fail(how:CODED)}"}`} {
			r := httptest.NewRequest(http.MethodPost, "/graphql", strings.NewReader(body))
			r.Header.Set("Content-Type", "application/json")
			r.Header.Set("Accept", accept)
			handler.ServeHTTP(httptest.NewRecorder(), r)
		}
		for _, want := range []string{
			`"codes":"GRAPHQL_VALIDATION_FAILED","outcome":"refused"`, `"codes":"THROTTLED","outcome":"partial"`,
		} {
			if !strings.Contains(lines.String(), want) {
				t.Errorf("%s: %s is not in the log: %s", accept, want, lines)
			}
		}
		got := observer.reports[0]
		if got.Outcome != operation.OutcomeRefused || got.Codes[0] != "GRAPHQL_VALIDATION_FAILED" {
			t.Errorf("%s: got the report %+v", accept, got)
		}
	}
}
