package app_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/processtest"
	"github.com/partita/partita/viewer"
)

// documented is an operation of the README with its cost and its answer.
var documented = regexp.MustCompile("(?s)```graphql\n(# requests [^\n]*)\n(.*?)```\n\n```json\n(.*?)```\n")

// followed is the body of the request with which the README subscribes.
var followed = regexp.MustCompile(`(?m)-d '(\{.*\})'$`)

// TestNew: a new folder is served at once, its operations are answered as its README says, and so are those for
// GraphiQL. A subscription gets what they change.
func TestNew(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "cookbook")
	processtest.Run(t, "new "+dir)
	processtest.Launch(t, "new "+dir).WantExit(t, "exit status 73", "cookbook has a schema already")
	p := processtest.Launch(t, "serve "+dir)
	p.AwaitServing(t)
	readme, err := os.ReadFile(filepath.Join(dir, "README.md"))
	fatal.If(t, err)
	operations := documented.FindAllStringSubmatch(string(readme), -1)
	if n := strings.Count(string(readme), "```graphql"); n == 0 || n != len(operations) {
		t.Fatalf("%d of %d operations have an answer", len(operations), n)
	}
	var live struct{ Query string }
	fatal.If(t, json.Unmarshal([]byte(followed.FindStringSubmatch(string(readme))[1]), &live))
	next := subscribe(t, p, live.Query, `{"data":{"recipesByCuisine":{"change":"CURRENT","connection":{"nodes":[{`)
	for _, m := range operations {
		cost, got := ask(t, p, m[2])
		if cost != m[1] || !sameJSON(t, m[3], got) {
			t.Errorf("%s%s\nis answered with\n%s\n%s", m[1], m[2], cost, got)
		}
	}
	for _, want := range []string{`"ADDED","connection":null,"node":{"title":"Tiramisu"}`, `"CHANGED"`} {
		if got := next(); !strings.HasPrefix(got, `{"data":{"recipesByCuisine":{"change":`+want) {
			t.Errorf("an event: %s, want %s", got, want)
		}
	}
	query, err := os.ReadFile(filepath.Join(dir, "query.graphql"))
	fatal.If(t, err)
	for _, tab := range strings.Split(string(query), "\n\n") {
		if strings.Contains(tab, "\nsubscription") {
			subscribe(t, p, tab, `{"data":{"recipesByCuisine":{"change":"CURRENT"`)
		} else if _, got := ask(t, p, tab); strings.Contains(got, `"errors"`) || strings.Contains(got, `"message"`) {
			t.Errorf("query.graphql: %s", got)
		}
	}
	p.Signal(t, syscall.SIGTERM)
	p.WantExit(t, "exit status 0", "")
	processtest.Run(t, "table check "+dir)
}

func sameJSON(t *testing.T, texts ...string) bool {
	t.Helper()
	values := make([]any, len(texts))
	for i, text := range texts {
		if err := json.Unmarshal([]byte(text), &values[i]); err != nil {
			t.Fatalf("%v in %s", err, text)
		}
	}
	return reflect.DeepEqual(values[0], values[1])
}

// ask returns the cost of an operation as the README has it, and the answer without its extensions.
func ask(t *testing.T, p *processtest.Process, query string) (cost, text string) {
	t.Helper()
	body, err := json.Marshal(map[string]string{"query": query})
	fatal.If(t, err)
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, p.URL+"/graphql", bytes.NewReader(body))
	fatal.If(t, err)
	request.Header.Set("Content-Type", "application/json")
	fatal.If(t, processtest.SignIn(request, viewer.Viewer{ID: "ada"}))
	response, err := http.DefaultClient.Do(request)
	fatal.If(t, err)
	defer func() { _ = response.Body.Close() }()
	var answer struct {
		Data       json.RawMessage `json:"data"`
		Errors     json.RawMessage `json:"errors,omitempty"`
		Extensions *struct {
			Cost struct {
				Requests              int
				ReadUnits, WriteUnits float64
			}
		} `json:"extensions,omitempty"`
	}
	fatal.If(t, json.NewDecoder(response.Body).Decode(&answer))
	consumed := answer.Extensions.Cost
	cost = fmt.Sprintf("# requests %d, read units %g", consumed.Requests, consumed.ReadUnits)
	if consumed.WriteUnits > 0 {
		cost += fmt.Sprintf(", write units %g", consumed.WriteUnits)
	}
	answer.Extensions = nil
	rest, err := json.Marshal(answer)
	fatal.If(t, err)
	return cost, string(rest)
}
