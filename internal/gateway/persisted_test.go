package gateway_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"net/url"
	"os"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/gateway/document"
	"github.com/partita/partita/internal/gateway/internal/testschema"
)

func sha(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

func extensions(hash string) string {
	return `{"persistedQuery":{"version":1,"sha256Hash":"` + hash + `"}}`
}

// byHash is a POST as Apollo Client sends it, first without the query.
func byHash(t *testing.T, hash, query string) string {
	t.Helper()
	body := map[string]any{"extensions": json.RawMessage(extensions(hash)), "variables": map[string]any{}}
	if query != "" {
		body["query"] = query
	}
	text, err := json.Marshal(body)
	fatal.If(t, err)
	return string(text)
}

var fromApollo = []string{
	"Content-Type", "application/json", "Accept", "application/graphql-response+json,application/json;q=0.9",
}

func TestAutomaticPersistedQuery(t *testing.T) {
	c, _ := config(t)
	server := serve(t, c)
	const query = `query Echo { echo(text: "kept") }`
	get := "/graphql?extensions=" + url.QueryEscape(extensions(sha(query)))

	for name, first := range map[string]answer{
		"POST": do(t, server, "POST", "/graphql", byHash(t, sha(query), ""), fromApollo...),
		"GET":  do(t, server, "GET", get, "", fromApollo[2:]...),
	} {
		if first.status != http.StatusOK || first.header.Get("Content-Type") != plainJSON ||
			first.code() != "PERSISTED_QUERY_NOT_FOUND" || first.result.Errors[0].Message != "PersistedQueryNotFound" ||
			first.result.Data != nil || first.header.Get("Cache-Control") != "no-store" {
			t.Errorf("%s, unknown: got %d %v %s", name, first.status, first.header, first.body)
		}
	}
	registered := do(t, server, "POST", "/graphql", byHash(t, sha(query), query), fromApollo...)
	for name, a := range map[string]answer{
		"registered": registered,
		"POST":       do(t, server, "POST", "/graphql", byHash(t, sha(query), ""), fromApollo...),
		"GET":        do(t, server, "GET", get, "", fromApollo[2:]...),
		"operation":  do(t, server, "GET", get+"&operationName=Echo", "", fromApollo[2:]...),
	} {
		if a.status != http.StatusOK || string(a.result.Data) != `{"echo":"kept"}` {
			t.Errorf("%s: got %d %s", name, a.status, a.body)
		}
	}

	strict := do(t, server, "POST", "/graphql", byHash(t, sha("unknown"), ""),
		"Content-Type", "application/json", "Accept", "application/graphql-response+json")
	if strict.header.Get("Content-Type") != graphQLJSON ||
		!strict.isError(http.StatusNotFound, "PERSISTED_QUERY_NOT_FOUND", "") {
		t.Errorf("a client that accepts only %s: got %d %s", graphQLJSON, strict.status, strict.body)
	}
}

func TestPersistedMutationNeedsPOST(t *testing.T) {
	c, _ := config(t)
	server := serve(t, c)
	const mutation = `mutation { touch }`
	registered := do(t, server, "POST", "/graphql", byHash(t, sha(mutation), mutation), fromApollo...)
	if registered.status != http.StatusOK {
		t.Fatalf("got %d %s", registered.status, registered.body)
	}
	a := do(t, server, "GET", "/graphql?extensions="+url.QueryEscape(extensions(sha(mutation))), "")
	if a.status != http.StatusMethodNotAllowed {
		t.Errorf("by GET: got %d %s", a.status, a.body)
	}
}

func TestInvalidPersistedQueries(t *testing.T) {
	c, _ := config(t)
	server := serve(t, c)
	long := "{ echo(text: \"" + strings.Repeat("x", 70_000) + "\") }"
	for name, test := range map[string]struct {
		body   string
		status int
		code   string
	}{
		"hash of another text":    {byHash(t, sha("other"), "{__typename}"), 400, "BAD_REQUEST"},
		"hash in upper case":      {byHash(t, strings.ToUpper(sha("{__typename}")), "{__typename}"), 400, "BAD_REQUEST"},
		"text that does not fit":  {byHash(t, sha("{nope}"), "{nope}"), 422, "GRAPHQL_VALIDATION_FAILED"},
		"text that is no GraphQL": {byHash(t, sha("{"), "{"), 400, "GRAPHQL_PARSE_FAILED"},
		"too long to keep":        {byHash(t, sha(long), long), 200, ""},
		"other version":           {`{"extensions":{"persistedQuery":{"version":2,"sha256Hash":"a"}}}`, 422, "BAD_REQUEST"},
		"version is a string":     {`{"extensions":{"persistedQuery":{"version":"1","sha256Hash":"a"}}}`, 422, "BAD_REQUEST"},
		"no hash":                 {`{"extensions":{"persistedQuery":{"version":1}}}`, 422, "BAD_REQUEST"},
		"hash is a number":        {`{"extensions":{"persistedQuery":{"version":1,"sha256Hash":1}}}`, 422, "BAD_REQUEST"},
		"a string":                {`{"extensions":{"persistedQuery":"a"}}`, 422, "BAD_REQUEST"},
		"null":                    {`{"extensions":{"persistedQuery":null}}`, 422, "BAD_REQUEST"},
		"null beside a query":     {`{"query":"{__typename}","extensions":{"persistedQuery":null}}`, 200, ""},
	} {
		a := do(t, server, "POST", "/graphql", test.body, fromApollo...)
		if a.status != test.status || a.code() != test.code {
			t.Errorf("%s: got %d %s, want %d %s", name, a.status, a.body, test.status, test.code)
		}
	}
	for _, text := range []string{"{nope}", "{", "{__typename}", long} {
		a := do(t, server, "POST", "/graphql", byHash(t, sha(text), ""), fromApollo...)
		if a.code() != "PERSISTED_QUERY_NOT_FOUND" {
			t.Errorf("%.20s is kept: %s", text, a.body)
		}
	}
}

func TestManifest(t *testing.T) {
	file, err := os.ReadFile("testdata/manifest.json")
	fatal.If(t, err)
	c, _ := config(t)
	if c.Documents.Manifest, err = document.ParseManifest(file, c.Schema.Schema()); err != nil {
		t.Fatal(err)
	}
	server := serve(t, c)
	const echo = "query Echo($text: String!) {\n  echo(text: $text)\n}"
	named := func(id string) string { return `{"variables":{"text":"a"},"extensions":` + extensions(id) + `}` }
	whole := func(query string) string {
		text, err := json.Marshal(map[string]any{"query": query, "variables": map[string]any{"text": "a"}})
		fatal.If(t, err)
		return string(text)
	}
	for name, test := range map[string]struct {
		body   string
		status int
		code   string
	}{
		"by id":                  {named("echo-1"), 200, ""},
		"by another client's id": {named("touch-1"), 200, ""},
		"by its text":            {whole(echo), 200, ""},
		"by id and text": {
			`{"query":` + quote(t, echo) + `,"variables":{"text":"a"},"extensions":` + extensions("echo-1") + `}`, 200, "",
		},
		"operation named": {
			`{"operationName":"Echo","variables":{"text":"a"},"extensions":` + extensions("echo-1") + `}`, 200, "",
		},
		"operation misnamed": {
			`{"operationName":"Touch","extensions":` + extensions("echo-1") + `}`, 422, "OPERATION_RESOLUTION_FAILURE",
		},
		"unknown id":              {named("nope"), 404, "PERSISTED_QUERY_NOT_IN_LIST"},
		"SHA-256 of a listed one": {named(sha(echo)), 404, "PERSISTED_QUERY_NOT_IN_LIST"},
		"text with a space more":  {whole(echo + " "), 403, "QUERY_NOT_IN_SAFELIST"},
		"introspection":           {whole("{__schema{types{name}}}"), 403, "QUERY_NOT_IN_SAFELIST"},
		"no GraphQL":              {whole("{"), 403, "QUERY_NOT_IN_SAFELIST"},
		"empty text":              {whole(""), 403, "QUERY_NOT_IN_SAFELIST"},
		"id of another text":      {`{"query":"{__typename}","extensions":` + extensions("echo-1") + `}`, 400, "BAD_REQUEST"},
		"text to be kept":         {byHash(t, sha("{__typename}"), "{__typename}"), 404, "PERSISTED_QUERY_NOT_IN_LIST"},
		"nothing":                 {`{}`, 422, "BAD_REQUEST"},
	} {
		a := do(t, server, "POST", "/graphql", test.body, fromApollo...)
		if a.status != test.status || a.code() != test.code {
			t.Errorf("%s: got %d %s, want %d %s", name, a.status, a.body, test.status, test.code)
		}
	}
}

func TestInvalidManifests(t *testing.T) {
	datadriven.RunTest(t, "testdata/manifests", func(t *testing.T, d *datadriven.TestData) string {
		_, err := document.ParseManifest([]byte(strings.TrimSpace(d.Input)), schema(&testschema.Resolver{}).Schema())
		if err == nil {
			d.Fatalf(t, "it is a manifest")
		}
		return err.Error()
	})
}
