package prices_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/gen/contract"
	"github.com/partita/partita/internal/plan"
	"github.com/partita/partita/internal/plan/price"
	"github.com/partita/partita/internal/prices"
)

const tasks = `
type Query {
  task(id: ID!): Task @get(pk: "TASK#{id}", sk: "TASK#{id}")
  log(list: String!, at: TimeRange): TaskConnection @query(index: "GSI1", pk: "LIST#{list}#{at:month}") @live
}
type Mutation {
  import(input: ImportInput!): Int @cost(writeUnits: 1, writeUnitsEach: 2, of: "input.lines") @allow(to: ["PUBLIC"])
}
input ImportInput { lines: [Line!]! more: ImportInput }
input Line { text: String parts: [String!] }
enum Color { RED GREEN }
type Task implements Node @item(pk: "TASK#{id}", sk: "TASK#{id}", maxBytes: 1024)
  @index(pk: "LIST#{list}#{at:month}", sk: "{at}#{id}")
  @mutable(create: ["PUBLIC"], update: ["PUBLIC"]) {
  id: ID! list: String! at: Time! color: Color ownerId: ID
  owner: User @get(pk: "USER#{ownerId}", sk: "USER#{ownerId}")
  notes: NoteConnection @query(pk: "TASK#{id}", sk: "NOTE#")
}
type Note implements Node @item(pk: "TASK#{taskId}", sk: "NOTE#{n:04}", maxBytes: 1024) { id: ID! taskId: ID! n: Int! }
type User implements Node @item(pk: "USER#{id}", sk: "USER#{id}", maxBytes: 8192) { id: ID! name: String }
`

func load(t *testing.T, text string) contract.Version {
	t.Helper()
	v, err := contract.Load(&ast.Source{Name: "tasks.graphqls", Input: text})
	fatal.If(t, err)
	v.API = plan.API(v.API)
	return v
}

// TestWorst: an operation with variables costs at worst what the same operation costs with the worst values.
func TestWorst(t *testing.T) {
	version := load(t, tasks)
	now := time.Date(2026, 1, 15, 0, 0, 0, 0, time.UTC)
	id := func(typ string) string { return map[string]string{"Task": "VGFzazox", "User": "VXNlcjox"}[typ] }
	for _, c := range []struct{ operation, worst string }{
		{`query($n: Int) { task(id: "` + id("Task") + `") { notes(first: $n) { nodes { n } } } }`,
			`{ task(id: "` + id("Task") + `") { notes(first: 100) { nodes { n } } } }`},
		{`query($n: Int = 5, $l: Int, $a: String, $b: String) {
			task(id: "` + id("Task") + `") { notes(first: $n, after: $a, last: $l, before: $b) { nodes { n } } } }`,
			`{ task(id: "` + id("Task") + `") { notes(first: 100) { nodes { n } } } }`},
		{`query($with: Boolean!, $without: Boolean!) { task(id: "` + id("Task") + `") {
			owner @include(if: $with) { name } notes(first: 10) @skip(if: $without) { nodes { n } } } }`,
			`{ task(id: "` + id("Task") + `") { owner { name } notes(first: 10) { nodes { n } } } }`},
		{`query($yes: Boolean!) { task(id: "` + id("Task") + `") {
			list @include(if: $yes) notes(first: 100) @skip(if: $yes) { nodes { n } } } }`,
			`{ task(id: "` + id("Task") + `") { notes(first: 100) { nodes { n } } } }`},
		{`query($id: ID!) { node(id: $id) { ... on Task { notes(first: 50) { nodes { n } } } ... on User { name } } }`,
			`{ node(id: "` + id("Task") + `") { ... on Task { notes(first: 50) { nodes { n } } } } }`},
		{`query($id: ID!) { node(id: $id) { ... on Task { list } ... on User { name } } }`,
			`{ node(id: "` + id("User") + `") { ... on User { name } } }`},
		{`query($r: TimeRange) { log(list: "a", at: $r, first: 10) { nodes { list } } }`,
			`{ log(list: "a", at: {from: "2022-02-01T00:00:00Z"}, first: 10) { nodes { list } } }`},
		{`query($from: Time!) { log(list: "a", at: {from: $from}, first: 10) { nodes { list } } }`,
			`{ log(list: "a", at: {from: "2022-02-01T00:00:00Z"}, first: 10) { nodes { list } } }`},
		{`mutation($input: ImportInput!) { import(input: $input) }`,
			`mutation { import(input: {lines: [` + strings.Repeat("{}, ", 100) + `]}) }`},
		{`mutation($input: UpdateTaskInput!) { updateTask(input: $input) { userErrors { code } } }`,
			`mutation { updateTask(input: {id: "` + id("Task") + `", list: "a", at: "2026-01-15T00:00:00Z", color: RED,
				ownerId: "` + id("User") + `"}) { userErrors { code } } }`},
		{`mutation($id: ID!, $list: String!) { updateTask(input: {id: $id, list: $list}) { userErrors { code } } }`,
			`mutation { updateTask(input: {id: "` + id("Task") + `", list: "a"}) { userErrors { code } } }`},
	} {
		got, err := prices.Worst(prices.Listed("", "body", c.operation), version, now)
		if err != nil {
			t.Fatalf("%v\n%s", err, c.operation)
		}
		want, err := prices.Worst(prices.Listed("", "body", c.worst), version, now)
		if err != nil {
			t.Fatalf("%v\n%s", err, c.worst)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s\n(-%s):\n%s", c.operation, c.worst, diff)
		}
		if want.ReadUnits+want.WriteUnits == 0 {
			t.Errorf("it costs nothing:\n%s", c.worst)
		}
	}
}

// TestWorstOfSubscriptions: the first state counts, and so does an event, which may cost more.
func TestWorstOfSubscriptions(t *testing.T) {
	version := load(t, tasks)
	const (
		log   = `subscription { log(list: "a", at: {from: "2026-01-01T00:00:00Z"}, first: 1) `
		notes = `notes(first: 100) { nodes { n } }`
	)
	// 101 notes of 1 KB are 26 blocks of half a unit, and the page of one is a block.
	for fields, want := range map[string]float64{
		`{ node { list } }`:                          0,
		`{ node { ` + notes + ` } }`:                 13,
		`{ connection { nodes { ` + notes + ` } } }`: 13.5,
	} {
		now := time.Date(2026, 1, 15, 0, 0, 0, 0, time.UTC)
		operation := log + fields + " }"
		got, err := prices.Worst(prices.Listed("", "body", operation), version, now)
		if err != nil || got.ReadUnits != want {
			t.Errorf("%s: got %v read units, want %v; %v", operation, got.ReadUnits, want, err)
		}
	}
}

// TestUsers: which operations use what has changed.
func TestUsers(t *testing.T) {
	version := load(t, tasks)
	operations := []prices.Operation{
		prices.Listed("Fields", "", `query Fields($id: ID!) { task(id: $id) { ...F } } fragment F on Task { list color }`),
		prices.Listed("Node", "", `query Node($id: ID!) { node(id: $id) { id ... on User @include(if: true) { name } } }`),
		prices.Listed("Variable", "", `mutation Variable($in: CreateTaskInput!) { createTask(input: $in) { task { at } } }`),
		prices.Listed("Literal", "",
			`mutation Literal { updateTask(input: {id: "VGFzazox", color: RED}) { userErrors { code } } }`),
	}
	compared, err := prices.Compare(operations, version, version, prices.Limits{}, time.Now())
	fatal.If(t, err)
	for _, c := range compared {
		if len(c.Faults) > 0 {
			t.Fatal(c.Faults)
		}
	}
	for path, want := range map[string][]string{
		"Task.list":             {"Fields"},
		"Task.at":               {"Variable"},
		"Task.id":               {"Node"}, // by the interface
		"Task":                  {"Fields", "Node", "Variable"},
		"User":                  {"Node"},
		"Note":                  {"Node"},
		"Note.n":                nil,
		"Query.task(id:)":       {"Fields"},
		"Query.log":             nil,
		"Color.RED":             {"Variable", "Literal"},
		"Color.GREEN":           {"Variable"},
		"Color":                 {"Fields", "Variable", "Literal"},
		"CreateTaskInput.color": {"Variable"},
		"UpdateTaskInput.color": {"Literal"},
		"UpdateTaskInput.list":  nil,
		"UpdateTaskInput.new":   {"Literal"}, // a required one, which they lack
		"Query.task(new:)":      {"Fields"},
		"@include":              {"Node"},
		"@include(if:)":         {"Node"},
		"@include(new:)":        {"Node"},
		"@skip":                 nil,
		"schema":                {"Fields", "Node", "Variable", "Literal"},
	} {
		if got := prices.Users(compared, version.API, contract.Change{Path: path}); !slices.Equal(got, want) {
			t.Errorf("%s is used by %v, want %v", path, got, want)
		}
	}
}

// TestCompareFaults: what increases, beyond which limit.
func TestCompareFaults(t *testing.T) {
	base := load(t, tasks)
	changed := func(old, with string) contract.Version {
		text := strings.ReplaceAll(tasks, old, with)
		if text == tasks {
			t.Fatalf("there is no %q", old)
		}
		return load(t, text)
	}
	const task, update = `query O($id: ID!) { task(id: $id) { list owner { id name } } }`,
		`mutation O($in: UpdateTaskInput!) { updateTask(input: $in) { userErrors { code } } }`
	larger := changed("maxBytes: 1024)\n  @index", "maxBytes: 4500)\n  @index")
	// The key of a detail follows from that of its task, or only from the task.
	detail := func(key, attribute, id, kind string) contract.Version {
		return changed(`sk: "NOTE#")`, `sk: "NOTE#") detail: Detail @get(pk: "`+key+`#{`+id+`}", sk: "DETAIL") `+attribute+` }
type Detail implements Node @item(pk: "`+key+`#{x}", sk: "DETAIL") { id: ID! x: `+kind+`! text: String`)
	}
	early, late := detail("TASK", "", "id", "ID"), detail("DETAIL", "y: String", "y", "String")
	for _, c := range []struct {
		name, operation string
		base, head      contract.Version
		limits          prices.Limits
		want            []string
	}{
		{"equal", task, base, base, prices.Limits{}, nil},
		{"read units", task, base, larger, prices.Limits{Increase: 0.1},
			[]string{"read units 1.5 -> 2 (+33.3 %), more than 10 %"}},
		{"at the limit", task, base, larger, prices.Limits{Increase: 0.5}, nil},
		{"cheaper", task, larger, base, prices.Limits{}, nil},
		{"write units", update, base, larger, prices.Limits{Increase: 1},
			[]string{"write units 3 -> 15 (+400 %), more than 100 %"}},
		{"limit", task, base, larger, prices.Limits{Increase: 1, Prices: price.Limits{ReadUnits: 1.75}},
			[]string{"the gateway does not execute it: 2 read units are more than MAX_READ_UNITS=1.75"}},
		{"limit before", task, larger, larger, prices.Limits{Prices: price.Limits{ReadUnits: 1}}, nil},
		{"limits of a new operation", task, contract.Version{API: base.API}, base,
			prices.Limits{Prices: price.Limits{ReadUnits: 1, Objects: 2}}, []string{
				"the gateway does not execute it: 1.5 read units are more than MAX_READ_UNITS=1",
				"the gateway does not execute it: 3 objects are more than MAX_OBJECTS=2",
			}},
		{"waves", `query O($id: ID!) { task(id: $id) { list detail { text } } }`, early, late, prices.Limits{Increase: 1},
			[]string{"it has 2 waves instead of 1: requests that wait for each other"}},
		{"not valid any more", `query O($id: ID!) { task(id: $id) { detail { text } } }`, early, base, prices.Limits{},
			[]string{`it is not valid any more: Cannot query field "detail" on type "Task"`}},
		{"not valid", `query O { nothing }`, early, base, prices.Limits{},
			[]string{`it is not valid, and was not before: Cannot query field "nothing" on type "Query"`}},
		{"no GraphQL", `query O {`, early, base, prices.Limits{},
			[]string{"it is not valid, and was not before: Expected Name, found <EOF>"}},
		{"new", `query O($id: ID!) { task(id: $id) { detail { text } } }`, base, early, prices.Limits{}, nil},
	} {
		operations := []prices.Operation{prices.Listed("O", "o", c.operation)}
		got, err := prices.Compare(operations, c.base, c.head, c.limits, time.Now())
		fatal.If(t, err)
		if !slices.Equal(got[0].Faults, c.want) {
			t.Errorf("%s: got %q, want %q", c.name, got[0].Faults, c.want)
		}
	}
}
