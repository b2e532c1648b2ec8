package designtools_test

import (
	"context"
	"encoding/json"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/partita/partita/internal/designtools"
	"github.com/partita/partita/internal/fatal"
)

const tasks = `type Query {
  task(id: ID!): Task @get(pk: "TASK#{id}", sk: "TASK#{id}")
  tasks(assignee: String!, dueAt: TimeRange): TaskConnection @query(index: "GSI1", pk: "ASSIGNEE#{assignee}")
}

type Task implements Node @item(pk: "TASK#{id}", sk: "TASK#{id}", maxBytes: 1024)
  @index(pk: "ASSIGNEE#{assignee}", sk: "{dueAt}#{id}") {
  id: ID!
  title: String!
  assignee: String!
  dueAt: Time!
}
`

// copied is tasks with a copy in place of the entry.
var copied = strings.NewReplacer(
	`  @index(pk: "ASSIGNEE`, `  @copy(pk: "ASSIGNEE`, `index: "GSI1", `, "",
).Replace(tasks)

// client is an agent.
type client struct {
	*mcp.ClientSession
	t *testing.T
}

// connect connects an agent with the tools over a folder with files.
func connect(t *testing.T, files map[string]string) client {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		fatal.If(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755))
		fatal.If(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	return connectTo(t, dir)
}

func connectTo(t *testing.T, dir string) client {
	t.Helper()
	config := designtools.Config{Dir: dir, Name: "partita", Version: "1", Log: slog.Default()}
	server, closed, err := designtools.New(config)
	fatal.If(t, err)
	t.Cleanup(closed)
	here, there := mcp.NewInMemoryTransports()
	_, err = server.Connect(context.Background(), there, nil)
	fatal.If(t, err)
	agent := mcp.NewClient(&mcp.Implementation{Name: "agent", Version: "1"}, nil)
	session, err := agent.Connect(context.Background(), here, nil)
	fatal.If(t, err)
	t.Cleanup(func() { _ = session.Close() }) // the server ends with it
	return client{session, t}
}

// call calls a tool and returns the text of the result, and whether it is an error. The data are stored in to, unless
// that is nil.
func (c client) call(tool, arguments string, to any) (text string, isError bool) {
	c.t.Helper()
	r, err := c.CallTool(context.Background(), &mcp.CallToolParams{Name: tool, Arguments: json.RawMessage(arguments)})
	fatal.If(c.t, err)
	for _, part := range r.Content {
		text += part.(*mcp.TextContent).Text
	}
	if to != nil {
		data, err := json.Marshal(r.StructuredContent)
		fatal.If(c.t, err)
		fatal.If(c.t, json.Unmarshal(data, to))
	}
	return text, r.IsError
}

// arguments returns arguments as JSON.
func arguments(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	fatal.If(t, err)
	return string(text)
}

type object = map[string]any

// wants checks that the text of a result has others.
func wants(t *testing.T, text string, others ...string) {
	t.Helper()
	for _, want := range others {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in:\n%s", want, text)
		}
	}
}

// TestCheck: findings have their places and edits after which they are gone, and a text takes the place of a file.
func TestCheck(t *testing.T) {
	c := connect(t, map[string]string{"tasks.graphqls": tasks})
	text, isError := c.call("check_schema", `{}`, nil)
	if isError || text != "The schema can be served. Access patterns: 4." {
		t.Errorf("a good schema has the result %q", text)
	}
	broken := tasks + "type Note { \"naïve\" text: Strxng }\n"
	var checked struct {
		Findings []struct {
			Line, Column int
			Edits        []struct {
				StartLine, StartColumn, EndColumn int
				NewText                           string
			}
		}
	}
	text, isError = c.call("check_schema", arguments(t, object{"files": object{"tasks.graphqls": broken}}), &checked)
	if isError {
		t.Error("a schema with findings is an error of the tool")
	}
	wants(t, text, "tasks.graphqls:13:27: Note.text: String is the likely name", "13:30 replace \"x\" by \"i\"",
		"cannot be served: 1 finding")
	if f := checked.Findings[0]; f.Line != 13 || f.Column != 27 ||
		f.Edits[0].StartColumn != 30 ||
		f.Edits[0].EndColumn != 31 || f.Edits[0].NewText != "i" {
		t.Errorf("the finding is %+v", f)
	}
	unread := strings.Replace(tasks, `  @index`, "  @copy(pk: \"X\", sk: \"{id}\")\n  @index", 1)
	text, _ = c.call("check_schema", arguments(t, object{"files": object{"tasks.graphqls": unread}}), nil)
	wants(t, text, "hint: copy of Task (tasks.graphqls:7:4): No field reads it", "can be served")
}

// TestPlan: an operation is planned as by the command, and a wrong one is a sentence.
func TestPlan(t *testing.T) {
	c := connect(t, map[string]string{"a/tasks.graphqls": tasks})
	query := "query Q($a: String!) { tasks(assignee: $a, first: 10) { nodes { title } } }"
	var planned struct {
		Requests           int
		EstimatedReadUnits float64
	}
	text, _ := c.call("plan_operation", arguments(t, object{
		"folder": "a", "document": query, "variables": object{"a": "ada"},
	}), &planned)
	wants(t, text, "Query  tasks(first: 10)", "GSI1PK = ASSIGNEE#ada", "at worst: 1 wave, 1 request")
	if planned.Requests != 1 || planned.EstimatedReadUnits == 0 {
		t.Errorf("the data are %+v", planned)
	}
	for document, want := range map[string]string{
		query:                            "variables do not fit the operation",
		"{ nothing }":                    "the query is not valid",
		"query A { x } query B { y":      "the query is not valid",
		strings.Repeat("{", 90_000):      "nested deeper",
		strings.Repeat("{ a } ", 90_000): "more than 100000 bytes",
	} {
		in := arguments(t, object{"folder": "a", "document": document})
		if text, isError := c.call("plan_operation", in, nil); !isError || !strings.Contains(text, want) {
			t.Errorf("%.40q: %s", document, text)
		}
	}
}

// TestCompare: two designs differ in keys, units and money.
func TestCompare(t *testing.T) {
	c := connect(t, map[string]string{"a/tasks.graphqls": tasks, "b/tasks.graphqls": copied})
	var compared struct {
		Money struct {
			Base, Other, By float64
			Cheaper         string
		}
		Changes []object
	}
	in := object{
		"base": object{"folder": "a"}, "other": object{"folder": "b"},
		"operations": []object{
			{"document": `query Tasks { tasks(assignee: "ada", first: 99) { nodes { title } } }`, "rate": "100/s"},
		},
		"objects": object{"Task": 1_000_000_000},
	}
	text, isError := c.call("compare_designs", arguments(t, in), &compared)
	if isError {
		t.Fatal(text)
	}
	wants(t, text, "Tasks: base 1 request in 1 wave", "Task is stored: base 2 times (1 item, 1 in indexes)",
		"other 2 times (2 items, 0 in indexes)", "both cost the same", "access pattern Query.tasks: changed",
		"key Task, copy: new", "key Task, entry in GSI1: removed", "write Task: changed")
	if m := compared.Money; m.Base == 0 || m.Base != m.Other || m.Cheaper != "equal" {
		t.Errorf("the money is %+v", m)
	}
	in["operations"] = []object{{"document": `query Tasks { tasks(assignee: "ada") { nodes { title } } }`, "rate": "9/s"}}
	text, _ = c.call("compare_designs", arguments(t, in), nil)
	wants(t, text, "Tasks: base has no price there (Query.tasks: ")
	in["other"] = object{"folder": "a", "files": object{"tasks.graphqls": strings.Replace(tasks, "1024", "4096", 1)}}
	text, _ = c.call("compare_designs", arguments(t, in), &compared)
	wants(t, text, "base is cheaper by")
	if m := compared.Money; m.By <= 0 || m.Other-m.Base-m.By > 1e-3 || m.Cheaper != "base" {
		t.Errorf("the money is %+v", m)
	}
	for change, want := range map[string]object{
		"is no rate":           {"operations": []object{{"document": "{ task(id: \"VGFzazox\") { id } }", "rate": "often"}}},
		"no design stores":     {"objects": object{"Tsk": 1}},
		"give a number from 0": {"objects": object{"Task": -1}},
		"with operationName":   {"operations": []object{{"document": "query A { __typename } query B { __typename }"}}},
		"operation 1 is not":   {"operations": []object{{"document": "{"}}},
	} {
		want["base"], want["other"] = in["base"], in["base"]
		if text, isError := c.call("compare_designs", arguments(t, want), nil); !isError || !strings.Contains(text, change) {
			t.Errorf("%s: %s", change, text)
		}
	}
}

// TestNothingOutsideIsRead: neither paths nor links lead out of the folder, and what is no file is not opened.
func TestNothingOutsideIsRead(t *testing.T) {
	outside := t.TempDir()
	fatal.If(t, os.WriteFile(filepath.Join(outside, "secret.graphqls"), []byte(tasks), 0o600))
	dir := t.TempDir()
	fatal.If(t, os.Mkdir(filepath.Join(dir, "linked"), 0o755))
	fatal.If(t, os.Symlink(filepath.Join(outside, "secret.graphqls"), filepath.Join(dir, "linked", "a.graphqls")))
	fatal.If(t, os.Symlink(outside, filepath.Join(dir, "out")))
	relative, err := filepath.Rel(dir, outside)
	fatal.If(t, err)
	c := connectTo(t, dir)
	for _, folder := range []string{
		outside, relative, "..", "linked/../../" + filepath.Base(outside),
		"out", "out/.", "linked", "missing", "/", "\x00", "C:\\",
	} {
		text, isError := c.call("check_schema", arguments(t, object{"folder": folder}), nil)
		if !isError || strings.Contains(text, "Task") ||
			folder != outside && strings.Contains(text, outside) {
			t.Errorf("%q: %s", folder, text)
		}
	}
	for _, name := range []string{"../a.graphqls", "a/b.graphqls", "a.txt", ".graphqls", ""} {
		in := arguments(t, object{"onlyFiles": true, "files": object{name: tasks}})
		if text, isError := c.call("check_schema", in, nil); !isError {
			t.Errorf("%q: %s", name, text)
		}
	}
}

// TestWrongInput: what is too large, too deep or no schema is a result with a sentence.
func TestWrongInput(t *testing.T) {
	c := connect(t, nil)
	for text, want := range map[string]string{
		"":                                   "there are no schema files",
		strings.Repeat("#", 1<<20+1):         "more than 1048576 bytes",
		strings.Repeat("[", 20_000):          "nested deeper",
		"type Query { a: [[[[[[ }":           "cannot be served",
		"\xff":                               "cannot be served", // JSON has another character for it
		"type A implements A & A { a: A }":   "cannot be served",
		"union U = U type Query { u: U }":    "cannot be served",
		"interface I implements I { i: I! }": "cannot be served",
	} {
		in := arguments(t, object{"onlyFiles": true, "files": object{"a.graphqls": text}})
		if got, _ := c.call("check_schema", in, nil); !strings.Contains(got, want) {
			t.Errorf("%.30q: %s", text, got)
		}
		if got, isError := c.call("propose_keys", in, nil); text != "" && !isError && !strings.Contains(got, "no findings") {
			t.Errorf("%.30q: %s", text, got)
		}
	}
}

// TestList: an agent sees how to begin, the tools and the directives.
func TestList(t *testing.T) {
	c := connect(t, nil)
	wants(t, c.InitializeResult().Instructions, "propose_keys", "check_schema", "partita://directives.graphqls")
	tools, err := c.ListTools(context.Background(), nil)
	fatal.If(t, err)
	for _, tool := range tools.Tools {
		if !tool.Annotations.ReadOnlyHint {
			t.Errorf("%s writes", tool.Name)
		}
	}
	if len(tools.Tools) != 4 {
		t.Errorf("there are %d tools", len(tools.Tools))
	}
	r, err := c.ReadResource(context.Background(), &mcp.ReadResourceParams{URI: "partita://directives.graphqls"})
	fatal.If(t, err)
	wants(t, r.Contents[0].Text, "directive @item(", "type PageInfo")
}
