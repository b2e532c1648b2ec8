package app_test

import (
	"bufio"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/partita/partita/internal/processtest"
)

const notes = `extend type Query { note(id: ID!): Note @get(pk: "NOTE#{id}", sk: "NOTE#{id}") }
type Note implements Node @item(pk: "NOTE#{id}", sk: "NOTE#{id}") { id: ID! text: String! }
`

// eventsOf returns a function that returns the data of the next event that a page of the playground gets.
func eventsOf(t *testing.T, p *processtest.Process) (next func() string) {
	t.Helper()
	response, err := http.Get(p.URL + "/changes")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = response.Body.Close() })
	if got := response.Header.Get("Content-Type"); got != "text/event-stream" {
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

// TestWatch: a page gets an event for each change of the folder, which does not delay the end of the process.
func TestWatch(t *testing.T) {
	dir := t.TempDir()
	save := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	save("notes.graphqls", notes)
	p := processtest.Launch(t, "serve --watch "+dir)
	p.AwaitServing(t)
	next := eventsOf(t, p)
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
