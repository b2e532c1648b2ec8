// Package lsp is a language server for schema files: it shows editors the findings of the folder that a file is in, and
// carries out their fixes.
//
// A folder is read anew for each answer: its files, and for those that are open the text of the editor. A fix is
// offered if the finding is gone after it.
package lsp

import (
	"context"
	"errors"
	"io"
	"path/filepath"
	"strings"

	"github.com/creachadair/jrpc2"
	"github.com/creachadair/jrpc2/channel"
	"github.com/creachadair/jrpc2/handler"

	"github.com/partita/partita/internal/folder"
	"github.com/partita/partita/internal/gen/directives"
	"github.com/partita/partita/internal/gen/directives/edits"
)

// server has the state of one connection. Messages are handled one after the other.
type server struct {
	info serverInfo
	// texts are those of the open documents by their paths, and uris how the editor writes the paths.
	texts, uris map[string]string
	// shown are the files of a folder for which the editor has diagnostics.
	shown map[string]map[string]bool
}

// Serve answers an editor until it ends the connection. exit is called when it asks for the end of the program: the
// reader must then end.
func Serve(in io.Reader, out io.WriteCloser, name, version string, exit func()) error {
	s := &server{
		info: serverInfo{name, version}, texts: map[string]string{}, uris: map[string]string{},
		shown: map[string]map[string]bool{},
	}
	methods := handler.Map{
		"initialize":              s.initialize,
		"shutdown":                func(context.Context, *jrpc2.Request) (any, error) { return nil, nil },
		"exit":                    func(context.Context, *jrpc2.Request) (any, error) { exit(); return nil, nil },
		"textDocument/didOpen":    handler.New(s.opened),
		"textDocument/didChange":  handler.New(s.changed),
		"textDocument/didSave":    handler.New(s.saved),
		"textDocument/didClose":   handler.New(s.closed),
		"textDocument/codeAction": handler.New(s.actions),
	}
	options := &jrpc2.ServerOptions{AllowPush: true, DisableBuiltin: true, Concurrency: 1}
	err := jrpc2.NewServer(methods, options).Start(channel.LSP(in, out)).Wait()
	if errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}

func (s *server) initialize(context.Context, *jrpc2.Request) (any, error) {
	return initializeResult{
		Capabilities: capabilities{
			TextDocumentSync:   textDocumentSync{OpenClose: true, Change: fullText, Save: true},
			CodeActionProvider: codeActionOptions{[]string{quickFix}},
		},
		ServerInfo: s.info,
	}, nil
}

func (s *server) opened(ctx context.Context, p documentParams) error {
	return s.set(ctx, p.TextDocument.URI, p.TextDocument.Text)
}

func (s *server) changed(ctx context.Context, p documentParams) error {
	if len(p.ContentChanges) == 0 {
		return nil
	}
	return s.set(ctx, p.TextDocument.URI, p.ContentChanges[len(p.ContentChanges)-1].Text)
}

func (s *server) set(ctx context.Context, uri, text string) error {
	path := schemaFile(uri)
	if path == "" {
		return nil
	}
	s.texts[path], s.uris[path] = text, uri
	return s.publish(ctx, path)
}

// saved looks at the folder again: the files that are not open may have changed, too.
func (s *server) saved(ctx context.Context, p documentParams) error {
	path := schemaFile(p.TextDocument.URI)
	if path == "" {
		return nil
	}
	return s.publish(ctx, path)
}

func (s *server) closed(ctx context.Context, p documentParams) error {
	path := schemaFile(p.TextDocument.URI)
	if path == "" {
		return nil
	}
	delete(s.texts, path)
	return s.publish(ctx, path)
}

// schemaFile returns the path of a document that is a schema file which a person writes, "" for any other.
func schemaFile(uri string) string {
	path := pathOf(uri)
	if !folder.IsSchemaFile(filepath.Base(path)) || strings.HasSuffix(path, "_gen.graphqls") {
		return ""
	}
	return path
}

// publish sends the findings of a file's folder.
func (s *server) publish(ctx context.Context, path string) error {
	dir := filepath.Dir(path)
	read := read(path, s.texts)
	shown := map[string]bool{}
	for _, file := range read.sources {
		diagnostics := []diagnostic{}
		for _, f := range read.of(file) {
			diagnostics = append(diagnostics, diagnosticOf(file.Input, f))
		}
		if len(diagnostics) == 0 && !s.shown[dir][file.Name] {
			continue
		}
		if err := s.send(ctx, file.Name, diagnostics); err != nil {
			return err
		}
		delete(s.shown[dir], file.Name)
		if len(diagnostics) > 0 {
			shown[file.Name] = true
		}
	}
	for gone := range s.shown[dir] {
		if err := s.send(ctx, gone, []diagnostic{}); err != nil {
			return err
		}
	}
	s.shown[dir] = shown
	return nil
}

func (s *server) send(ctx context.Context, path string, diagnostics []diagnostic) error {
	params := publishDiagnosticsParams{s.uri(path), diagnostics}
	return jrpc2.ServerFromContext(ctx).Notify(ctx, "textDocument/publishDiagnostics", params)
}

func (s *server) uri(path string) string {
	if uri := s.uris[path]; uri != "" {
		return uri
	}
	return uriOf(path)
}

func diagnosticOf(text string, f directives.Finding) diagnostic {
	return diagnostic{
		Range: rangeOf(text, f), Severity: severityError, Source: "partita",
		Message: strings.TrimSpace(f.Coordinate + ": " + f.What + "\n" + f.Fix),
	}
}

// actions returns the fixes of the findings in a range.
func (s *server) actions(_ context.Context, p codeActionParams) ([]codeAction, error) {
	actions := []codeAction{}
	path := schemaFile(p.TextDocument.URI)
	if path == "" {
		return actions, nil
	}
	read := read(path, s.texts)
	for _, file := range read.sources {
		if file.Name != path {
			continue
		}
		for _, f := range read.of(file) {
			d := diagnosticOf(file.Input, f)
			if !d.Range.touches(p.Range) {
				continue
			}
			if changes := read.changes(f); len(changes) > 0 {
				actions = append(actions, s.action(f, d, changes))
			}
		}
	}
	return actions, nil
}

func (s *server) action(f directives.Finding, d diagnostic, changes []edits.Change) codeAction {
	edit := workspaceEdit{map[string][]textEdit{}}
	for _, c := range changes {
		edit.Changes[s.uri(c.File.Name)] = []textEdit{editOf(c)}
	}
	return codeAction{
		Title: edits.Title(f), Kind: quickFix, Diagnostics: []diagnostic{d}, IsPreferred: true, Edit: edit,
	}
}
