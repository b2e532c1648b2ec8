package lsp_test

import (
	"context"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/creachadair/jrpc2"
	"github.com/creachadair/jrpc2/channel"
	"github.com/google/go-cmp/cmp"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/lsp"
)

// editor is a client that has the text of the documents, as the protocol wants it.
type editor struct {
	*jrpc2.Client
	t     *testing.T
	dir   string
	shown chan published
	texts map[string]string
}

type (
	span      struct{ Start, End struct{ Line, Character int } }
	published struct {
		URI         string
		Diagnostics []struct {
			Range           span
			Severity        int
			Source, Message string
		}
	}
	action struct {
		Title, Kind string
		Edit        struct {
			Changes map[string][]struct {
				Range   span
				NewText string
			}
		}
	}
)

// start starts the server and an editor that has opened a folder with the files.
func start(t *testing.T, files map[string]string) *editor {
	t.Helper()
	e := &editor{t: t, dir: t.TempDir(), shown: make(chan published, 100), texts: map[string]string{}}
	for name, text := range files {
		fatal.If(t, os.MkdirAll(filepath.Dir(filepath.Join(e.dir, name)), 0o755))
		fatal.If(t, os.WriteFile(filepath.Join(e.dir, name), []byte(text), 0o600))
	}
	fromServer, toClient := io.Pipe()
	fromClient, toServer := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		ended <- lsp.Serve(fromClient, toClient, "partita", "v1", func() { _ = toServer.CloseWithError(context.Canceled) })
	}()
	e.Client = jrpc2.NewClient(channel.LSP(fromServer, toServer), &jrpc2.ClientOptions{OnNotify: func(r *jrpc2.Request) {
		var p published
		if err := r.UnmarshalParams(&p); err != nil {
			t.Error(err)
		}
		e.shown <- p
	}})
	t.Cleanup(func() {
		fatal.If(t, e.CallResult(context.Background(), "shutdown", nil, new(any)))
		fatal.If(t, e.Notify(context.Background(), "exit", nil))
		if err := <-ended; err != nil {
			t.Errorf("the server ends with %v", err)
		}
		_ = e.Close() // the connection has ended
	})
	var result struct {
		Capabilities struct {
			TextDocumentSync   struct{ Change int }
			CodeActionProvider struct{ CodeActionKinds []string }
		}
	}
	fatal.If(t, e.CallResult(t.Context(), "initialize", map[string]any{"rootUri": e.uri("")}, &result))
	can := result.Capabilities
	if can.TextDocumentSync.Change != 1 || len(can.CodeActionProvider.CodeActionKinds) != 1 {
		t.Errorf("got %+v", result)
	}
	fatal.If(t, e.Notify(t.Context(), "initialized", map[string]any{}))
	return e
}

func (e *editor) uri(name string) string {
	return (&url.URL{Scheme: "file", Path: filepath.ToSlash(filepath.Join(e.dir, name))}).String()
}

// set opens a document with a text, or changes the text of one that is open. Nothing is saved.
func (e *editor) set(name, text string) {
	e.t.Helper()
	method, document := "textDocument/didChange", map[string]any{"uri": e.uri(name), "version": 2}
	params := map[string]any{"textDocument": document, "contentChanges": []map[string]string{{"text": text}}}
	if _, isOpen := e.texts[name]; !isOpen {
		method = "textDocument/didOpen"
		params = map[string]any{"textDocument": map[string]any{"uri": e.uri(name), "languageId": "graphql", "text": text}}
	}
	e.texts[name] = text
	fatal.If(e.t, e.Notify(e.t.Context(), method, params))
}

// wantShown compares the next diagnostics of a file: each with the text that it underlines.
func (e *editor) wantShown(name string, want ...string) {
	e.t.Helper()
	select {
	case p := <-e.shown:
		var got []string
		for _, d := range p.Diagnostics {
			text := e.text(name)
			got = append(got, text[at(text, d.Range.Start.Line, d.Range.Start.Character):at(
				text, d.Range.End.Line, d.Range.End.Character)]+": "+strings.ReplaceAll(d.Message, e.dir, ""))
		}
		if p.URI != e.uri(name) {
			e.t.Errorf("got %s, want %s", p.URI, e.uri(name))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			e.t.Errorf("shown for %s:\n%s", name, diff)
		}
	case <-time.After(time.Minute):
		e.t.Fatalf("nothing is shown for %s", name)
	}
}

func (e *editor) text(name string) string {
	if text, isOpen := e.texts[name]; isOpen {
		return text
	}
	text, err := os.ReadFile(filepath.Join(e.dir, name))
	fatal.If(e.t, err)
	return string(text)
}

// fixes returns the titles of the fixes at the first place of a word in a file, and carries out the first.
func (e *editor) fixes(name, word string) []string {
	e.t.Helper()
	line, character := 0, 0
	for i, text := range strings.Split(e.text(name), "\n") {
		if before, _, has := strings.Cut(text, word); has {
			line, character = i, len(utf16.Encode([]rune(before)))
			break
		}
	}
	place := map[string]int{"line": line, "character": character}
	var actions []action
	fatal.If(e.t, e.CallResult(e.t.Context(), "textDocument/codeAction", map[string]any{
		"textDocument": map[string]string{"uri": e.uri(name)},
		"range":        map[string]any{"start": place, "end": place},
		"context":      map[string]any{"diagnostics": []any{}},
	}, &actions))
	var titles []string
	for i, a := range actions {
		titles = append(titles, a.Title)
		if a.Kind != "quickfix" {
			e.t.Errorf("%s is a %s", a.Title, a.Kind)
		}
		if i == 0 {
			e.apply(a)
		}
	}
	return titles
}

func (e *editor) apply(a action) {
	e.t.Helper()
	for uri, edits := range a.Edit.Changes {
		name, is := strings.CutPrefix(uri, e.uri("")+"/")
		if !is || len(edits) != 1 {
			e.t.Fatalf("%d edits of %s", len(edits), uri)
		}
		text, r := e.text(name), edits[0].Range
		e.set(name, text[:at(text, r.Start.Line, r.Start.Character)]+edits[0].NewText+
			text[at(text, r.End.Line, r.End.Character):])
	}
}

// at returns the byte of a position.
func at(text string, line, character int) int {
	start := 0
	for range line {
		start += strings.IndexByte(text[start:], '\n') + 1
	}
	units := utf16.Encode([]rune(text[start:]))
	return start + len(string(utf16.Decode(units[:character])))
}

// TestExample: a mistake in an example is shown while it is typed, and its fix leads back to the example.
func TestExample(t *testing.T) {
	text, err := os.ReadFile("../../examples/chat/schema.graphqls")
	fatal.If(t, err)
	e := start(t, map[string]string{"schema.graphqls": string(text)})
	const finding = `Query.channel: CHANNEL is the likely name: no item is stored under pk "WORKSPACE#{workspaceId}", ` +
		`sk "CHANEL#{name}"; it would need a Scan` + "\n" + `write sk: "CHANNEL#{name}"`
	e.set("schema.graphqls", strings.Replace(string(text), `"CHANNEL#{name}"`, `"CHANEL#{name}"`, 1))
	e.wantShown("schema.graphqls", "channel: "+finding)
	page, err := os.ReadFile("../../docs/how-to/editors.md")
	fatal.If(t, err)
	if !strings.Contains(string(page), finding) {
		t.Error("the page about editors shows another finding")
	}
	wantFixes(t, e.fixes("schema.graphqls", "channel("), `write sk: "CHANNEL#{name}"`)
	e.wantShown("schema.graphqls")
	if diff := cmp.Diff(string(text), e.text("schema.graphqls")); diff != "" {
		t.Error(diff)
	}
}

const notes = `# 🎵 type Note has notes
extend type Query { "🎵" note(id: ID!): Note @get(pk: "NTOE#{id}", sk: "NOTE#{id}") }
extend type Query { texts(word: String!): [Note!] @query(index: "GSI1", pk: "WORD#{word}", atMost: 5) }
`

const types = `"""
type Note { } is described, and { is never closed
"""
type Note @item(pk: "NOTE#{id}", sk: "NOTE#{id}") { id: ID!, text: String! }
`

const (
	wrongKey = `note: Query.note: NOTE is the likely name: no item is stored under pk "NTOE#{id}", sk "NOTE#{id}"; ` +
		`it would need a Scan` + "\n" + `write pk: "NOTE#{id}"`
	noIndex = `texts: Query.texts: nothing is written into index GSI1 under pk "WORD#{word}", sk ""; ` +
		`it would need a Scan` + "\n" + `add word: String! to type Note` + "\n" +
		`add @index(pk: "WORD#{word}", sk: "{id}") to type Note`
)

func wantFixes(t *testing.T, got []string, want ...string) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("fixes:\n%s", diff)
	}
}

// TestFolder: a folder is checked as a whole, also its files that are not open.
func TestFolder(t *testing.T) {
	e := start(t, map[string]string{"notes.graphqls": notes, "types.graphqls": types, "notes.graphql": "{ a }"})
	e.set("notes.graphql", "{ b }") // no schema
	e.set("notes.graphqls", notes)
	e.wantShown("notes.graphqls", wrongKey, noIndex)
	wantFixes(t, e.fixes("notes.graphqls", "note("), `write pk: "NOTE#{id}"`)
	e.wantShown("notes.graphqls", noIndex)
	wantFixes(t, e.fixes("notes.graphqls", "texts("),
		`add word: String! to type Note; add @index(pk: "WORD#{word}", sk: "{id}") to type Note`)
	e.wantShown("notes.graphqls")
	// The last text is what was saved.
	document := map[string]string{"uri": e.uri("notes.graphqls")}
	fatal.If(t, e.Notify(t.Context(), "textDocument/didClose", map[string]any{"textDocument": document}))
	delete(e.texts, "notes.graphqls")
	e.wantShown("notes.graphqls", wrongKey)
}

// TestModule: in a Go module, code resolves a field without a directive. In a folder, a person has to decide about it.
func TestModule(t *testing.T) {
	const text = "type Query { greeting: String! }\n"
	e := start(t, map[string]string{
		"gqlgen.yml": "schema:\n  - graph/schema/*.graphqls\n", "graph/schema/a.graphqls": text, "folder/a.graphqls": text,
	})
	e.set("graph/schema/a.graphqls", text) // nothing is shown
	e.set("folder/a.graphqls", text)
	e.wantShown("folder/a.graphqls", "greeting: Query.greeting: the field has no directive, and a folder has no code "+
		"in Go\nreturn a stored type and add @get or @query, or remove the field; with @cost it is served as an error")
	wantFixes(t, e.fixes("folder/a.graphqls", "greeting"))
	e.set("folder/a.graphqls", "tpye Query { a: Int }")
	e.wantShown("folder/a.graphqls", `tpye: schema: type is the likely name: the text is not GraphQL: unexpected "tpye"`+
		"\nreplace tpye with type")
	wantFixes(t, e.fixes("folder/a.graphqls", "tpye"), "replace tpye with type")
}
