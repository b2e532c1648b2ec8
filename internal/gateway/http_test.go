package gateway_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
)

func TestHTTP(t *testing.T) {
	query := func(parameters ...string) string {
		values := url.Values{}
		for i := 0; i < len(parameters); i += 2 {
			values.Set(parameters[i], parameters[i+1])
		}
		return "/graphql?" + values.Encode()
	}
	postJSON := []string{"Content-Type", "application/json", "Accept", "application/graphql-response+json"}
	with := func(header ...string) []string { return append(header, postJSON[2:]...) }
	tests := []struct {
		name   string
		method string
		target string
		body   string
		header []string
		status int
		code   string
	}{
		{"query by POST", "POST", "/graphql", `{"query":"{__typename}"}`, postJSON, 200, ""},
		{
			"charset given", "POST", "/graphql", `{"query":"{__typename}"}`,
			with("Content-Type", "application/json; charset=UTF-8"), 200, "",
		},
		{"unknown properties", "POST", "/graphql", `{"query":"{__typename}","more":1}`, postJSON, 200, ""},
		{
			"null parameters", "POST", "/graphql",
			`{"query":"{__typename}","operationName":null,"variables":null,"extensions":null}`, postJSON, 200, "",
		},
		{"mutation by POST", "POST", "/graphql", `{"query":"mutation{touch}"}`, postJSON, 200, ""},
		{"query by GET", "GET", query("query", "{__typename}"), "", nil, 200, ""},
		{"variables by GET", "GET", query("query", "query($n:Int!){count(to:$n)}", "variables", `{"n":2}`), "", nil, 200, ""},
		{
			"empty optional parameters by GET", "GET",
			query("query", "{__typename}", "operationName", "", "variables", "", "extensions", ""), "", nil, 200, "",
		},

		{"mutation by GET", "GET", query("query", "mutation{touch}"), "", nil, 405, "BAD_REQUEST"},
		{
			"mutation by GET among queries", "GET",
			query("query", "query A{__typename} mutation B{touch}", "operationName", "B"), "", nil, 405, "BAD_REQUEST",
		},
		{"other method", "PUT", "/graphql", `{"query":"{__typename}"}`, postJSON, 405, "BAD_REQUEST"},
		{"no content type", "POST", "/graphql", `{"query":"{__typename}"}`, nil, 415, "BAD_REQUEST"},
		{
			"form", "POST", "/graphql", "query={__typename}",
			with("Content-Type", "application/x-www-form-urlencoded"), 415, "BAD_REQUEST",
		},
		{"text", "POST", "/graphql", `{"query":"{__typename}"}`, with("Content-Type", "text/plain"), 415, "BAD_REQUEST"},
		{
			"other charset", "POST", "/graphql", `{"query":"{__typename}"}`,
			with("Content-Type", "application/json; charset=latin1"), 415, "BAD_REQUEST",
		},
		{
			"compressed", "POST", "/graphql", `{"query":"{__typename}"}`,
			with("Content-Type", "application/json", "Content-Encoding", "gzip"), 415, "BAD_REQUEST",
		},
		{
			"unacceptable", "POST", "/graphql", `{"query":"{__typename}"}`,
			[]string{"Content-Type", "application/json", "Accept", "text/html"}, 406, "BAD_REQUEST",
		},

		{"no body", "POST", "/graphql", "", postJSON, 400, "BAD_REQUEST"},
		{"malformed JSON", "POST", "/graphql", `{"query":`, postJSON, 400, "BAD_REQUEST"},
		{"trailing data", "POST", "/graphql", `{"query":"{__typename}"}{}`, postJSON, 400, "BAD_REQUEST"},
		{"invalid UTF-8", "POST", "/graphql", "{\"query\":\"{__typename}\xff\"}", postJSON, 400, "BAD_REQUEST"},
		{"invalid UTF-8 by GET", "GET", "/graphql?query=%ff", "", nil, 400, "BAD_REQUEST"},
		{"malformed URL", "GET", "/graphql?query=%zz", "", nil, 400, "BAD_REQUEST"},
		{"malformed variables by GET", "GET", query("query", "{__typename}", "variables", "{"), "", nil, 400, "BAD_REQUEST"},

		{"batch", "POST", "/graphql", `[{"query":"{__typename}"}]`, postJSON, 422, "BAD_REQUEST"},
		{"JSON null", "POST", "/graphql", `null`, postJSON, 422, "BAD_REQUEST"},
		{"missing query", "POST", "/graphql", `{"qeury":"{__typename}"}`, postJSON, 422, "BAD_REQUEST"},
		{"query in capitals", "POST", "/graphql", `{"QUERY":"{__typename}"}`, postJSON, 422, "BAD_REQUEST"},
		{"missing query by GET", "GET", "/graphql", "", nil, 422, "BAD_REQUEST"},
		{"repeated query by GET", "GET", "/graphql?query={__typename}&query={a}", "", nil, 422, "BAD_REQUEST"},
		{"query is a number", "POST", "/graphql", `{"query":1}`, postJSON, 422, "BAD_REQUEST"},
		{
			"operationName is a list", "POST", "/graphql", `{"query":"{__typename}","operationName":[]}`,
			postJSON, 422, "BAD_REQUEST",
		},
		{
			"variables are a list", "POST", "/graphql", `{"query":"{__typename}","variables":[7]}`,
			postJSON, 422, "BAD_REQUEST",
		},
		{
			"variables are a string", "POST", "/graphql", `{"query":"{__typename}","variables":"{}"}`,
			postJSON, 422, "BAD_REQUEST",
		},
		{
			"extensions are a number", "POST", "/graphql", `{"query":"{__typename}","extensions":0}`,
			postJSON, 422, "BAD_REQUEST",
		},
		{
			"variables by GET are a list", "GET", query("query", "{__typename}", "variables", "[7]"), "",
			nil, 422, "BAD_REQUEST",
		},

		{"syntax error", "POST", "/graphql", `{"query":"{"}`, postJSON, 400, "GRAPHQL_PARSE_FAILED"},
		{"null byte", "POST", "/graphql", `{"query":"{__typename}\u0000"}`, postJSON, 400, "GRAPHQL_PARSE_FAILED"},
		{"empty document", "POST", "/graphql", `{"query":""}`, postJSON, 400, "GRAPHQL_PARSE_FAILED"},
		{"unknown field", "POST", "/graphql", `{"query":"{nope}"}`, postJSON, 422, "GRAPHQL_VALIDATION_FAILED"},
		{
			"literal of another type", "POST", "/graphql", `{"query":"{count(to:\"10\")}"}`,
			postJSON, 422, "GRAPHQL_VALIDATION_FAILED",
		},
		{
			"fragments alone", "POST", "/graphql", `{"query":"fragment F on Query{__typename}"}`,
			postJSON, 422, "OPERATION_RESOLUTION_FAILURE",
		},
		{
			"operation not named", "POST", "/graphql", `{"query":"query A{__typename} query B{__typename}"}`,
			postJSON, 422, "OPERATION_RESOLUTION_FAILURE",
		},
		{
			"operation unknown", "POST", "/graphql", `{"query":"query A{__typename}","operationName":"B"}`,
			postJSON, 422, "OPERATION_RESOLUTION_FAILURE",
		},
		{"missing variable", "POST", "/graphql", `{"query":"query($n:Int!){count(to:$n)}"}`, postJSON, 422, "BAD_USER_INPUT"},
		{"field error", "POST", "/graphql", `{"query":"{fail(how:CODED)}"}`, postJSON, 294, "THROTTLED"},
		{
			"field error up to the root", "POST", "/graphql", `{"query":"{failNonNull(how:CODED)}"}`,
			postJSON, 294, "THROTTLED",
		},
	}
	c, _ := config(t)
	server := serve(t, c)
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			header := test.header
			if test.method == http.MethodGet {
				header = postJSON[2:]
			}
			a := do(t, server, test.method, test.target, test.body, header...)
			if a.status != test.status || a.code() != test.code {
				t.Errorf("got %d %s, want %d %s: %s", a.status, a.code(), test.status, test.code, a.body)
			}
			if got := a.header.Get("Content-Type"); got != graphQLJSON {
				t.Errorf("got the type %s", got)
			}
			executed := test.status < 300
			if got := strings.Contains(a.body, `"data"`); got != executed {
				t.Errorf("data present: %v, want %v: %s", got, executed, a.body)
			}
			if a.result.Extensions.Cost == nil {
				t.Errorf("no cost in %s", a.body)
			}
			if strings.Contains(a.body, "json:") || strings.Contains(a.body, "Go ") || strings.Contains(a.body, "map[") {
				t.Errorf("the message tells of Go: %s", a.body)
			}
		})
	}
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
