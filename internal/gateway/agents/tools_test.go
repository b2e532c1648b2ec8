package agents_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/gateway"
	"github.com/partita/partita/internal/testservice"
)

// TestTools compares what an agent reads about each tool.
func TestTools(t *testing.T) {
	t.Parallel()
	s := start(t, settings)
	bothVersions(t, func(t *testing.T, version string) {
		listed, err := s.agent(t, testservice.Anonymous, version).ListTools(t.Context(), nil)
		fatal.If(t, err)
		var got strings.Builder
		for _, tool := range listed.Tools {
			hints := tool.Annotations
			fmt.Fprintf(&got, "%s: %s\n", tool.Name, tool.Description)
			fmt.Fprintf(&got, "reads: %v, repeats: %v, open: %v", hints.ReadOnlyHint, hints.IdempotentHint, *hints.OpenWorldHint)
			if hints.DestructiveHint != nil {
				fmt.Fprintf(&got, ", destroys: %v", *hints.DestructiveHint)
			}
			input, err := json.MarshalIndent(tool.InputSchema, "", " ")
			fatal.If(t, err)
			fmt.Fprintf(&got, "\n%s\n", input)
		}
		datadriven.RunTest(t, "testdata/tools", func(*testing.T, *datadriven.TestData) string { return got.String() })
	})
}

// TestHints: a tool is as harmless as the most harmful of its fields.
func TestHints(t *testing.T) {
	t.Parallel()
	const (
		create = `createClub(input: $create) { club { id } } `
		update = `updateClub(input: $update) { club { id } } `
		remove = `deleteClub(input: $delete) { deletedClubId } `
		byHand = `countVisit(input: $visit) { userErrors { code } } `
	)
	for name, c := range map[string]struct {
		fields                  string
		destroys, repeats, open bool
	}{
		"Creates":        {fields: create},
		"CreatesTwice":   {fields: "a: " + create + "b: " + create},
		"Updates":        {fields: update, destroys: true, repeats: true},
		"Deletes":        {fields: remove, destroys: true, repeats: true},
		"CreatesDeletes": {fields: create + remove, destroys: true},
		"UpdatesDeletes": {fields: update + remove, destroys: true, repeats: true},
		"ByHand":         {fields: byHand, destroys: true, open: true},
		"CreatesByHand":  {fields: create + byHand, destroys: true, open: true},
		"InAFragment":    {fields: "... on Mutation { " + remove + "}", destroys: true, repeats: true},
	} {
		variables := ""
		for variable, input := range map[string]string{
			"$create": "CreateClub", "$update": "UpdateClub", "$delete": "DeleteClub", "$visit": "CountVisit",
		} {
			if strings.Contains(c.fields, variable) {
				variables += variable + ": " + input + "Input! "
			}
		}
		tools, err := parse("mutation "+name+"("+variables+") { "+c.fields+"}", `{"mutations": ["`+name+`"]}`)
		fatal.If(t, err)
		s := start(t, settings, func(c *gateway.Config) { c.Agents.Tools = tools })
		listed, err := s.agent(t, testservice.Anonymous, withSessions).ListTools(t.Context(), nil)
		fatal.If(t, err)
		got := listed.Tools[0].Annotations
		if got.ReadOnlyHint || *got.DestructiveHint != c.destroys || got.IdempotentHint != c.repeats ||
			*got.OpenWorldHint != c.open {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// TestLeftOut: mutations and subscriptions that the settings do not name are no tools.
func TestLeftOut(t *testing.T) {
	t.Parallel()
	tools, err := parse(operations, settings)
	fatal.If(t, err)
	if got := fmt.Sprint(tools.LeftOut); got != "[PostNotice Loans]" {
		t.Errorf("left out are %s", got)
	}
}

// TestInvalidTools: what cannot be a tool is an error at start.
func TestInvalidTools(t *testing.T) {
	t.Parallel()
	const query = `query A { book(id: "x") { title } }`
	for _, c := range []struct{ documents, settings, want string }{
		{`{ __typename }`, `{}`, "an operation without a name cannot be a tool"},
		{`query A { nothing }`, `{}`, `operation 1, "A": body:2:2: Cannot query field "nothing"`},
		{query + query, `{}`, `two tools have the name "A"`},
		{
			query + `query B { book(id: "x") { id } } query B { book(id: "x") { title } }`, `{}`,
			`another operation has the id "B"`,
		},
		{strings.Replace(query, "A", "price", 1), `{}`, `two tools have the name "price"`},
		{strings.Replace(query, "A", "Q"+strings.Repeat("x", 64), 1), `{}`, "a tool needs a name of at most 64"},
		{query, `{"mutations": ["CreateClub"]}`, `tools.json: there is no mutation "CreateClub"`},
		{query, `{"mutations": ["A"]}`, `tools.json: there is no mutation "A"`},
		{query, `{"subscriptions": ["A"]}`, `tools.json: there is no subscription "A"`},
		{query, `{"limit": 1}`, `tools.json: `},
		{query, `{"session": {"units": 0}}`, "tools.json: session.units must be positive"},
		{query, `{} {}`, "tools.json: there is something after the object"},
		{``, `{}`, "there is no operation that can be a tool"},
	} {
		if _, err := parse(c.documents, c.settings); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s with %s: %v", c.documents, c.settings, err)
		}
	}
}

// TestSearch: the search finds what a query can use, and is bounded.
func TestSearch(t *testing.T) {
	t.Parallel()
	a := start(t, settings).agent(t, testservice.Anonymous, withSessions)
	found := a.call("search_schema", map[string]any{"words": "loan state"})
	if text := strings.Join(found.texts, "\n"); strings.Contains(text, "Input") ||
		!strings.HasPrefix(text, "Query.loansByState(state: LoanState!, lentAt: TimeRange, ") ||
		!strings.Contains(text, "\nLoanState.OVERDUE value") {
		t.Errorf("found:\n%s", text)
	}
	if all := a.call("search_schema", map[string]any{"words": "e"}); strings.Count(all.texts[0], "\n") != 21 {
		t.Errorf("found:\n%s", all.texts[0])
	}
	if none := a.call("search_schema", map[string]any{"words": "zebra"}); none.isError ||
		!strings.HasPrefix(none.texts[0], "Nothing in the schema has these words.") {
		t.Errorf("found:\n%s", none.texts[0])
	}
	wrong := a.call("search_schema", map[string]any{"text": "loan"})
	if !wrong.isError || wrong.code() != "BAD_USER_INPUT" {
		t.Errorf("%+v", wrong)
	}
	if a := start(t, `{}`).agent(t, testservice.Anonymous, withSessions); true {
		listed, err := a.ListTools(t.Context(), nil)
		fatal.If(t, err)
		for _, tool := range listed.Tools {
			if tool.Name == "query" || tool.Name == "search_schema" || tool.Name == "CreateClub" {
				t.Errorf("%s is not enabled", tool.Name)
			}
		}
	}
}
