package shop_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"github.com/99designs/gqlgen/graphql/introspection"
	"github.com/google/go-cmp/cmp"

	"github.com/partita/partita/demo"
	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/gateway/playground"
	"github.com/partita/partita/internal/processtest"
	"github.com/partita/partita/internal/tabletest"
)

// TestFolderOfTheShop: the shop and the folder of its schema files, as two processes with one table, give the same
// answers. Mutations that are written in Go are an error of the folder.
func TestFolderOfTheShop(t *testing.T) {
	t.Parallel()
	e := tabletest.StartSeeded(t, demoData)
	dir, err := filepath.Abs("../../graph/schema")
	fatal.If(t, err)
	settings := []string{"DYNAMODB_ENDPOINT=" + e.Settings.Endpoint, "INTROSPECTION=on", "READ_UNITS_BUCKET=0"}
	compiled := processtest.Start(t, settings...)
	folder := processtest.Launch(t, "serve "+dir, settings...)
	folder.AwaitServing(t)
	both := func(path, query string, variables map[string]any) (string, string) {
		var got [2]string
		for i, p := range []*processtest.Process{compiled, folder} {
			got[i] = sendTo(t, p.URL+path, query, variables)
		}
		return got[0], got[1]
	}
	ada := map[string]any{"id": demo.Ada().Encode()}
	operations := map[string]string{
		"introspection": introspection.Query,
		"pages": `query($id: ID!) { node(id: $id) { id ... on User { email following(last: 5) {
			totalCount pageInfo { endCursor hasPreviousPage } edges { cursor followedAt node { name } } } } } }`,
		"by status": `{ ordersByStatus(status: PENDING, first: 30) {
			nodes { id customer { name } total { amount } } } }`,
		"mixed":          `query($id: ID!) { __type(name: "Order") { fields { name } } user(id: $id) { orderCount } }`,
		"wrong argument": `query($id: ID!) { user(id: $id) { orders(first: -1) { nodes { id } } } }`,
		"not valid":      `{ usr { id } }`,
		"too expensive": `{ ordersByStatus(status: PENDING, first: 100) { nodes { customer { followers(first: 100) { nodes {
			followers(first: 100) { nodes { id } } } } } } } }`,
	}
	for i, tab := range playground.Tabs(demo.Query()) {
		if strings.Contains(tab.Query, "\nquery ") {
			operations[fmt.Sprint("example ", i)] = tab.Query
		}
	}
	for name, query := range operations {
		variables := map[string]any{}
		if strings.Contains(query, "$id") {
			variables = ada
		}
		for _, path := range []string{"/graphql", "/plan"} {
			want, got := both(path, query, variables)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s at %s: -compiled +folder\n%s", name, path, diff)
			}
		}
	}
	_, got := both("/graphql", `mutation($input: PlaceOrderInput!) { placeOrder(input: $input) { order { id } } }`,
		map[string]any{"input": map[string]any{"idempotencyKey": "key-of-this-test", "currency": "EUR",
			"lines": []map[string]any{
				{"sku": "SKU-1", "name": "Tea", "quantity": 1, "price": 50},
			}}})
	for _, part := range []string{
		`"code":"NOT_IMPLEMENTED"`, "Mutation.placeOrder needs a resolver written in Go", `"placeOrder":null`,
	} {
		if !strings.Contains(got, part) {
			t.Errorf("the folder's placeOrder has no %s: %s", part, got)
		}
	}
}

// post sends an operation as the viewer of the demo, with a header.
func post(t *testing.T, url, query string, variables map[string]any, header, value string) *http.Response {
	t.Helper()
	body, err := json.Marshal(map[string]any{"query": query, "variables": variables})
	fatal.If(t, err)
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, bytes.NewReader(body))
	fatal.If(t, err)
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set(header, value)
	fatal.If(t, processtest.SignIn(request, demo.Viewer()))
	response, err := http.DefaultClient.Do(request)
	fatal.If(t, err)
	return response
}

// sendTo sends an operation as the viewer of the demo, and returns status, headers and body of the response as text,
// without what is different in each response.
func sendTo(t *testing.T, url, query string, variables map[string]any) string {
	t.Helper()
	response := post(t, url, query, variables, "X-Request-Id", "the-same")
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	fatal.If(t, err)
	response.Header.Del("Date")
	var header strings.Builder
	fatal.If(t, response.Header.Write(&header))
	return response.Status + "\n" + header.String() + "\n" + string(text)
}
