package gateway_test

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/gateway"
	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/loaders"
	"github.com/partita/partita/table"
)

// TestMutationThatExpires: an object that is written with an expiry in the past is null in the payload, without a read
// that the estimate does not have.
func TestMutationThatExpires(t *testing.T) {
	design, schema := folderOf(t, `
type Query { pass(id: ID!): Pass @get(pk: "PASS#{id}", sk: "PASS#{id}") }
type Pass @item(pk: "PASS#{id}", sk: "PASS#{id}", expires: "until") @mutable(create: ["PUBLIC"], update: ["PUBLIC"]) {
  id: ID!
  until: Time
}`)
	engine := tabletest.Start(t, table.SchemaOf(design))
	logger := slog.New(slog.DiscardHandler)
	handler := gateway.New(gateway.Config{
		Schema:     schema,
		Monitoring: gateway.Monitoring{Logger: logger},
		Engine:     loaders.New(design, schema.Schema(), engine.Table, loaders.Options{Logger: logger}),
	})
	type payload struct{ Pass *struct{ ID, Until string } }
	send := func(document string) (data struct{ CreatePass, UpdatePass payload }, requests string) {
		t.Helper()
		body, err := json.Marshal(map[string]string{"query": document})
		fatal.If(t, err)
		r := httptest.NewRequest(http.MethodPost, "/graphql", strings.NewReader(string(body)))
		r.Header.Set("Content-Type", "application/json")
		w := httptest.NewRecorder()
		engine.Proxy.Reset()
		handler.ServeHTTP(w, r)
		answer := struct {
			Data   any
			Errors []any
		}{Data: &data}
		if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil || len(answer.Errors) > 0 {
			t.Fatalf("%v: %s", err, w.Body)
		}
		return data, fmt.Sprint(engine.Proxy.Counts().Requests)
	}
	past, later := time.Now().Add(-time.Minute).Format(time.RFC3339), time.Now().Add(time.Hour).Format(time.RFC3339)
	const create = `mutation { createPass(input: {until: %q}) { pass { id until } userErrors { code } } }`
	data, requests := send(fmt.Sprintf(create, past))
	if data.CreatePass.Pass != nil || requests != "map[PutItem:1]" {
		t.Errorf("created %+v by %s", data.CreatePass.Pass, requests)
	}
	data, requests = send(fmt.Sprintf(create, later))
	if data.CreatePass.Pass == nil || requests != "map[PutItem:1]" {
		t.Fatalf("created %+v by %s", data.CreatePass.Pass, requests)
	}
	data, requests = send(fmt.Sprintf(
		`mutation { updatePass(input: {id: %q, until: %q}) { pass { until } userErrors { code } } }`,
		data.CreatePass.Pass.ID, past))
	if data.UpdatePass.Pass != nil || requests != "map[GetItem:1 UpdateItem:1]" {
		t.Errorf("updated %+v by %s", data.UpdatePass.Pass, requests)
	}
}
