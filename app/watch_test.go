package app_test

import (
	"bufio"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/processtest"
)

const notes = `extend type Query { note(id: ID!): Note @get(pk: "NOTE#{id}", sk: "NOTE#{id}") }
type Note implements Node @item(pk: "NOTE#{id}", sk: "NOTE#{id}") { id: ID! text: String! }
`

// eventsAt returns a function that returns the data of the next event of a path: an empty text after the last one.
func eventsAt(t *testing.T, p *processtest.Process, path string) (next func() string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, p.URL+path, nil)
	fatal.If(t, err)
	request.Header.Set("Accept", "text/event-stream")
	response, err := http.DefaultClient.Do(request)
	fatal.If(t, err)
	t.Cleanup(func() { _ = response.Body.Close() })
	if got := response.Header.Get("Content-Type"); !strings.HasPrefix(got, "text/event-stream") {
		t.Fatalf("the content type is %s", got)
	}
	lines := bufio.NewScanner(response.Body)
	return func() string {
		for lines.Scan() {
			if data, is := strings.CutPrefix(lines.Text(), "data: "); is {
				return data
			}
		}
		return ""
	}
}

// saver returns a function that writes a file of a folder.
func saver(t *testing.T, dir string) func(name, text string) {
	t.Helper()
	return func(name, text string) {
		t.Helper()
		fatal.If(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
}

// TestWatch: a page gets an event for each change of the folder, which does not delay the end of the process.
func TestWatch(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	save := saver(t, dir)
	save("notes.graphqls", notes)
	p := processtest.Launch(t, "serve --watch "+dir)
	p.AwaitServing(t)
	next := eventsAt(t, p, "/changes")
	first := next()

	save("notes.graphqls", strings.Replace(notes, "Note @get", "Nota @get", 1))
	if got := next(); !strings.HasPrefix(got, strings.TrimSuffix(first, "}")+`,"problem":"`+dir+`/notes.graphqls:1:`) {
		t.Errorf("a finding: %s", got)
	}
	save("notes.graphqls", notes)
	if got := next(); got != first {
		t.Errorf("corrected: %s, want %s", got, first)
	}
	save("query.graphql", "{ __typename }")
	if got := next(); got == first || strings.Contains(got, "problem") {
		t.Errorf("another query: %s", got)
	}
	save("notes.graphqls", strings.ReplaceAll(notes, "NOTE#", "TEXT#"))
	const migrated = `"migrated":["Note: ITEM_KEY \"NOTE#{id}\" \"NOTE#{id}\" becomes \"TEXT#{id}\" \"TEXT#{id}\""]}`
	if got := next(); !strings.HasSuffix(got, migrated) {
		t.Errorf("another key: %s", got)
	}
	const settings = `"changes":"/changes","tabs":[{"query":"{ __typename }"}]`
	if status, page := p.Get(t, "/"); status != http.StatusOK || !strings.Contains(page, settings) {
		t.Errorf("the page is %d %s", status, page)
	}
	p.Signal(t, syscall.SIGTERM)
	if got := next(); got != "" {
		t.Errorf("after the end: %s", got)
	}
	for _, line := range []string{"the last valid schema is served", "stopped"} {
		if n := p.Logged(line); n != 1 {
			t.Errorf("the log has %q %d times", line, n)
		}
	}
}

// TestWatchNamesWhatStops: objects that stop the migration of the table are listed, and a default lets it go on.
func TestWatchNamesWhatStops(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	save := saver(t, dir)
	save("notes.graphqls", notes)
	save("data.jsonl", `{"Item":{"PK":{"S":"NOTE#a"},"SK":{"S":"NOTE#a"},"entityType":{"S":"Note"},"id":{"S":"a"},`+
		`"text":{"S":"one"}}}`)
	p := processtest.Launch(t, "serve --watch "+dir)
	p.AwaitServing(t)
	next := eventsAt(t, p, "/changes")
	next()
	save("notes.graphqls", strings.Replace(notes, "text: String!", "text: String! size: Int!", 1))
	const stops = `1 object stops the migration of the table: correct what is stored, or change the schema\n` +
		`MISSING_VALUE NOTE#a NOTE#a: `
	if got := next(); !strings.Contains(got, stops) {
		t.Errorf("without a value: %s", got)
	}
	save("notes.graphqls", strings.Replace(notes, "text: String!", "text: String! size: Int! @default(value: 1)", 1))
	if got := next(); !strings.Contains(got, `"migrated":["Note: ATTRIBUTE size is new`) {
		t.Errorf("with a default: %s", got)
	}
}

// TestWatchEndsSubscriptions: a subscription ends when another schema is served, with a message that says so, and can
// be made again.
func TestWatchEndsSubscriptions(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	save := func(text string) {
		t.Helper()
		fatal.If(t, os.WriteFile(filepath.Join(dir, "notes.graphqls"), []byte(text), 0o600))
	}
	live := strings.Replace(notes, `sk: "NOTE#{id}") }`, `sk: "NOTE#{id}") @live }`, 1)
	save(live)
	p := processtest.Launch(t, "serve --watch "+dir)
	p.AwaitServing(t)
	const state = `{"data":{"note":null}`
	const query = `subscription { note(id: "Tm90ZTox") { text } }`
	next := subscribe(t, p, query, state)
	save(live + "# saved\n")
	const want = `{"errors":[{"message":"The gateway serves another schema now. Subscribe again.",` +
		`"extensions":{"code":"UNAVAILABLE"`
	if got := next(); !strings.HasPrefix(got, want) {
		t.Errorf("after a reload: %s", got)
	}
	subscribe(t, p, query, state)
}

// subscribe subscribes, again until the stream is read, and returns a function that returns the data of the next event
// after the first one, which begins with state.
func subscribe(t *testing.T, p *processtest.Process, query, state string) (next func() string) {
	t.Helper()
	for {
		next := eventsAt(t, p, "/graphql?query="+url.QueryEscape(query))
		got := next()
		if strings.HasPrefix(got, state) {
			return next
		}
		if !strings.Contains(got, `"UNAVAILABLE"`) {
			t.Fatalf("the first event is %s", got)
		}
	}
}
