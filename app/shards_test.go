package app_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/partita/partita/internal/processtest"
	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/table"
	"github.com/partita/partita/viewer"
)

// queue is a folder with tasks, whose entries are in these shards.
const queue = `
extend type Query {
  tasks(state: State!): TaskConnection @query(index: "GSI1", pk: "STATE#{state}")
}
enum State { OPEN CLOSED }
type Task implements Node @item(pk: "TASK#{id}", sk: "TASK#{id}")
  @index(pk: "STATE#{state}", sk: "{at:04}#{id}", %s) @mutable(create: ["VIEWER"], update: ["VIEWER"]) {
  id: ID!
  name: String! @unique(key: "NAME#{name}")
  state: State!
  at: Int!
}
`

// spreadQueue is a table with tasks and the gateways that serve it.
type spreadQueue struct {
	endpoint string
	// order are the names of the open tasks.
	order []string
	ids   map[string]string
	at    map[string]int
}

// TestChangeOfShards follows docs/reference/operations.md: gateways of two neighbouring steps run at the same time.
// Through both, tasks are created and changed, and pages of all sizes in both directions have all tasks in order. A
// gateway that would not read all entries does not start.
func TestChangeOfShards(t *testing.T) {
	t.Parallel()
	e := tabletest.Start(t, table.Schema{Indexes: []string{"GSI1"}})
	q := &spreadQueue{endpoint: e.Settings.Endpoint, ids: map[string]string{}, at: map[string]int{}}
	before := q.serve(t, "shards: 8")
	q.use(t, before)
	for _, change := range [][2]int{{8, 2}, {2, 1}, {1, 4}} {
		was, now := change[0], change[1]
		readers := q.serve(t, fmt.Sprintf("shards: %d, was: [%d]", was, now))
		q.use(t, before, readers)
		moving := fmt.Sprintf("shards: %d, was: [%d]", now, was)
		writers := q.serve(t, moving)
		before.Signal(t, syscall.SIGTERM)
		q.use(t, readers, writers)
		readers.Signal(t, syscall.SIGTERM)
		after := fmt.Sprintf("shards: %d", now)
		rejected := processtest.Launch(t, "serve "+folderOf(t, after), q.settings()...)
		rejected.WantExit(t, "exit status 78", fmt.Sprintf("write was: [%d] in @index of type Task", was))
		for _, command := range []string{"repair", "check"} {
			processtest.Run(t, "table "+command+" "+folderOf(t, moving), q.settings()...)
		}
		before = q.serve(t, after)
		q.use(t, writers, before)
		writers.Signal(t, syscall.SIGTERM)
	}
	if n := len(q.order); n != 6+3*3*6 {
		t.Errorf("there are %d tasks", n)
	}
}

func (q *spreadQueue) settings() []string {
	return []string{
		"DYNAMODB_ENDPOINT=" + q.endpoint, "LIVE=off", "READ_UNITS_BUCKET=0", "WRITE_UNITS_BUCKET=0", "OBJECTS_BUCKET=0",
	}
}

func folderOf(t *testing.T, shards string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "queue.graphqls"), []byte(fmt.Sprintf(queue, shards)), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

func (q *spreadQueue) serve(t *testing.T, shards string) *processtest.Process {
	t.Helper()
	p := processtest.Launch(t, "serve "+folderOf(t, shards), q.settings()...)
	p.AwaitServing(t)
	return p
}

// use creates and moves tasks through both gateways, and reads all of them through both.
func (q *spreadQueue) use(t *testing.T, gateways ...*processtest.Process) {
	t.Helper()
	for i := range 6 {
		p := gateways[i%len(gateways)]
		name := fmt.Sprintf("task %02d", len(q.at))
		q.at[name] = (7 * len(q.at)) % 23
		q.ids[name] = q.change(t, p, fmt.Sprintf(`createTask(input: {name: %q, state: OPEN, at: %d, idempotencyKey: %q})`,
			name, q.at[name], name))
		earlier := fmt.Sprintf("task %02d", 5*len(q.at)%len(q.at))
		q.at[earlier] = (q.at[earlier] + 5) % 23
		q.change(t, p, fmt.Sprintf(`updateTask(input: {id: %q, at: %d})`, q.ids[earlier], q.at[earlier]))
	}
	q.order = q.order[:0]
	for name := range q.at {
		q.order = append(q.order, name)
	}
	key := func(name string) string {
		id, err := keys.ParseID(q.ids[name])
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprintf("%04d#%s", q.at[name], id.Value())
	}
	slices.SortFunc(q.order, func(a, b string) int { return strings.Compare(key(a), key(b)) })
	for _, p := range gateways {
		for _, size := range []int{1, 2, 3, 4, 5, 6, 7, 100} {
			for _, paging := range []string{"first: %d, after: $c", "last: %d, before: $c"} {
				if diff := cmp.Diff(q.order, q.pages(t, p, fmt.Sprintf(paging, size))); diff != "" {
					t.Fatalf(paging+":\n%s", size, diff)
				}
			}
		}
	}
}

// change executes a mutation and returns the id of the task.
func (q *spreadQueue) change(t *testing.T, p *processtest.Process, field string) string {
	t.Helper()
	var data struct {
		Change struct{ Task struct{ ID string } }
	}
	send(t, p, "mutation { change: "+field+" { task { id } userErrors { message } } }", nil, &data)
	if data.Change.Task.ID == "" {
		t.Fatalf("%s is not carried out", field)
	}
	return data.Change.Task.ID
}

// pages returns the names of the open tasks, read in pages.
func (q *spreadQueue) pages(t *testing.T, p *processtest.Process, paging string) []string {
	t.Helper()
	var all []string
	isBack := strings.HasPrefix(paging, "last")
	for cursor := (*string)(nil); ; {
		var data struct {
			Tasks struct {
				Nodes    []struct{ Name string }
				PageInfo struct {
					HasNextPage, HasPreviousPage bool
					StartCursor, EndCursor       *string
				}
			}
		}
		send(t, p, `query($c: String) { tasks(state: OPEN, `+paging+`) {
			nodes { name } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`,
			map[string]any{"c": cursor}, &data)
		var names []string
		for _, n := range data.Tasks.Nodes {
			names = append(names, n.Name)
		}
		info := data.Tasks.PageInfo
		more := info.HasNextPage
		if cursor = info.EndCursor; isBack {
			all, more, cursor = append(names, all...), info.HasPreviousPage, info.StartCursor
		} else {
			all = append(all, names...)
		}
		if !more {
			return all
		}
	}
}

// send sends an operation that must have no errors.
func send(t *testing.T, p *processtest.Process, query string, variables map[string]any, data any) {
	t.Helper()
	body, err := json.Marshal(map[string]any{"query": query, "variables": variables})
	if err != nil {
		t.Fatal(err)
	}
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, p.URL+"/graphql", bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	if err := processtest.SignIn(request, viewer.Viewer{ID: "ada"}); err != nil {
		t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	answer := struct {
		Data   any
		Errors json.RawMessage
	}{Data: data}
	if err := json.NewDecoder(response.Body).Decode(&answer); err != nil || answer.Errors != nil {
		t.Fatalf("%s: %v %s", query, err, answer.Errors)
	}
}
