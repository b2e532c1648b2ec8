package shop_test

import (
	"bufio"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/validator/rules"

	"github.com/partita/partita/demo"
	"github.com/partita/partita/graph"
	"github.com/partita/partita/graph/typed"
	"github.com/partita/partita/internal/gateway/playground"
	"github.com/partita/partita/internal/plan"
	"github.com/partita/partita/internal/processtest"
	"github.com/partita/partita/internal/tabletest"
)

// examples returns the operations of the playground by their names.
func examples(t *testing.T) map[string]*ast.QueryDocument {
	t.Helper()
	schema := plan.API(graph.NewExecutableSchema(graph.Config{}).Schema())
	documents := map[string]*ast.QueryDocument{}
	for _, tab := range playground.Tabs(demo.Query()) {
		document, err := gqlparser.LoadQueryWithRules(schema, tab.Query, rules.NewDefaultRules())
		if err != nil {
			t.Fatalf("%v in %s", err, tab.Query)
		}
		documents[document.Operations[0].Name] = document
	}
	return documents
}

// TestExamplesOfThePlayground: each tab finds what it says. Most have an answer without errors and without a null at
// the root, and mutations have no user errors. Of a subscription, the answer is its first event.
func TestExamplesOfThePlayground(t *testing.T) {
	t.Parallel()
	e := tabletest.StartSeeded(t, demoData)
	shop := processtest.Start(t, "DYNAMODB_ENDPOINT="+e.Settings.Endpoint, "INTROSPECTION=on", "READ_UNITS_BUCKET=0")
	for _, tab := range playground.Tabs(demo.Query()) {
		send := sendTo
		if strings.Contains(tab.Query, "\nsubscription ") {
			send = firstEventOf
		}
		response := send(t, shop.URL+"/graphql", tab.Query, map[string]any{"idempotencyKey": "one"})
		var answer struct {
			Data   map[string]any
			Errors []struct{ Extensions struct{ Code string } }
		}
		if err := json.Unmarshal([]byte(response[strings.LastIndex(response, "\n")+1:]), &answer); err != nil {
			t.Fatalf("%v in %s", err, response)
		}
		var codes []string
		for _, err := range answer.Errors {
			codes = append(codes, err.Extensions.Code)
		}
		for field, value := range answer.Data {
			payload, _ := value.(map[string]any)
			errs, _ := payload["userErrors"].([]any)
			for _, err := range errs {
				codes = append(codes, err.(map[string]any)["code"].(string))
			}
			if value == nil || payload["user"] == nil && payload["userErrors"] != nil && len(errs) > 0 {
				t.Errorf("%s is null: %s", field, response)
			}
		}
		var want []string
		switch {
		case strings.Contains(tab.Query, "mutation Conflict"):
			want = []string{"CONFLICT"}
		case strings.Contains(tab.Query, "query TooExpensive"):
			want = []string{"COST_LIMIT"}
		}
		if !slices.Equal(codes, want) {
			t.Errorf("got the codes %q, want %q for %s\n%s", codes, want, tab.Query, response)
		}
	}
}

// firstEventOf subscribes as the viewer of the demo, and returns the first event. Before the stream of the table is
// read, it subscribes again.
func firstEventOf(t *testing.T, url, query string, variables map[string]any) string {
	t.Helper()
	for {
		event := subscribeTo(t, url, query, variables)
		if !strings.Contains(event, `"code":"UNAVAILABLE"`) {
			return event
		}
		select {
		case <-t.Context().Done():
			t.Fatal(event)
		case <-time.After(20 * time.Millisecond):
		}
	}
}

func subscribeTo(t *testing.T, url, query string, variables map[string]any) string {
	t.Helper()
	response := post(t, url, query, variables, "Accept", "text/event-stream")
	defer func() { _ = response.Body.Close() }()
	lines := bufio.NewScanner(response.Body)
	for lines.Scan() {
		if data, is := strings.CutPrefix(lines.Text(), "data: "); is {
			return data
		}
	}
	t.Fatalf("%s: no event of %s", response.Status, query)
	return ""
}

// TestExamplesHaveEachAccessPattern: there is a tab with each field that reads the table, except for those of payloads.
func TestExamplesHaveEachAccessPattern(t *testing.T) {
	selected := map[string]bool{}
	var visit func(ast.SelectionSet)
	visit = func(set ast.SelectionSet) {
		for _, selection := range set {
			switch s := selection.(type) {
			case *ast.Field:
				selected[s.ObjectDefinition.Name+"."+s.Name] = true
				visit(s.SelectionSet)
			case *ast.InlineFragment:
				visit(s.SelectionSet)
			}
		}
	}
	for _, document := range examples(t) {
		visit(document.Operations[0].SelectionSet)
	}
	patterns := 0
	for _, field := range typed.Design.Fields {
		if strings.HasSuffix(field.Parent, "Payload") {
			continue
		}
		patterns++
		if !selected[field.Parent+"."+field.Name] {
			t.Errorf("no tab has %s.%s", field.Parent, field.Name)
		}
	}
	if patterns < 15 {
		t.Errorf("the shop has %d access patterns", patterns)
	}
}
