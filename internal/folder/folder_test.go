package folder_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/partita/partita/exit"
	"github.com/partita/partita/internal/editors"
	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/folder"
	"github.com/partita/partita/internal/gen/directives"
	"github.com/partita/partita/internal/tabletest"
)

const notes = `extend type Query { note(id: ID!): Note @get(pk: "NOTE#{id}", sk: "NOTE#{id}") }
type Note implements Node @item(pk: "NOTE#{id}", sk: "NOTE#{id}") { id: ID! text: String! }
`

// write returns a folder with the files.
func write(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		fatal.If(t, os.MkdirAll(filepath.Dir(path), 0o755))
		fatal.If(t, os.WriteFile(path, []byte(text), 0o600))
	}
	return dir
}

func TestOpen(t *testing.T) {
	dir := write(t, map[string]string{
		"notes.graphqls":       notes,
		"data.jsonl.gz":        "",
		"query.graphql":        "{ note(id: \"1\") { text } }",
		"below/other.graphqls": "nonsense",
		".#notes.graphqls":     "an editor's file",
		"dir.graphqls/file":    "a folder",
		"schema.graphqls~":     "an editor's copy",
	})
	f, err := folder.Open(dir)
	fatal.If(t, err)
	if f.Schema.Type("Note") == nil || f.Data != filepath.Join(dir, "data.jsonl.gz") ||
		!strings.HasPrefix(f.Query, "{ note") {
		t.Errorf("got %+v", f)
	}
	if !folder.IsFolder(dir) || folder.IsFolder(filepath.Join(dir, "dir.graphqls")) ||
		folder.IsFolder(filepath.Join(dir, "notes.graphqls")) {
		t.Error("the folder is not told apart from others")
	}
}

// TestWriteForEditors: a folder gets files only if it has a place for them, and they are not read as its schema.
func TestWriteForEditors(t *testing.T) {
	dir := write(t, map[string]string{"notes.graphqls": notes})
	f, err := folder.Open(dir)
	fatal.If(t, err)
	fatal.If(t, f.WriteForEditors())
	if _, err := os.Stat(filepath.Join(dir, editors.Dir)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the folder has another one now: %v", err)
	}
	fatal.If(t, os.Mkdir(filepath.Join(dir, editors.Dir), 0o755))
	fatal.If(t, f.WriteForEditors())
	for name, want := range map[string]string{
		"built-in.graphql": "directive @item(", "api.graphql": "note(id: ID!): Note",
	} {
		text, err := os.ReadFile(filepath.Join(dir, editors.Dir, name))
		fatal.If(t, err)
		if !strings.Contains(string(text), want) {
			t.Errorf("%s has no %q:\n%s", name, want, text)
		}
	}
	again, err := folder.Open(dir)
	fatal.If(t, err)
	if again.Version != f.Version {
		t.Error("the schema is another one")
	}
}

func TestOpenWhatIsNoFolder(t *testing.T) {
	empty := write(t, map[string]string{"below/notes.graphqls": notes})
	two := write(t, map[string]string{"notes.graphqls": notes, "data.jsonl": "", "data.jsonl.gz": ""})
	dangling := t.TempDir()
	fatal.If(t, os.Symlink("nowhere", filepath.Join(dangling, "a.graphqls")))
	for _, c := range []struct {
		dir  string
		code int
		want string
	}{
		{empty + "/nowhere", exit.NoInput, "there is no folder " + empty + "/nowhere: name a folder with schema files"},
		{empty, exit.NoInput, "has no schema files (*.graphqls): name the folder that has them"},
		{two + "/notes.graphqls", exit.NoInput, "notes.graphqls is no folder: name the folder of the file"},
		{dangling, exit.NoInput, "a.graphqls cannot be read (no such file or directory)"},
		{two, exit.DataError, "data.jsonl.gz have the items of a new table: remove one of them"},
	} {
		_, err := folder.Open(c.dir)
		tabletest.WantExitError(t, err, c.code, c.want)
	}
}

// TestFindings: what cannot be served is found, with file and line, and not more.
func TestFindings(t *testing.T) {
	dir := write(t, map[string]string{"notes.graphqls": notes, "more.graphqls": `type Mutation {
  add(text: String!): Note @allow(to: ["PUBLIC"])
  addBoth(text: String!): Note @allow(to: ["PUBLIC"]) @cost(writeUnits: 2)
}
extend type Query {
  hello: String
  latest: Note
  count: Int! @cost
}
extend type Note {
  excerpt(length: Int): String
  words: Int! @cost
}
`})
	_, err := folder.Open(dir)
	findings, is := errors.AsType[directives.Findings](err)
	if !is {
		t.Fatal(err)
	}
	var got []string
	for _, f := range findings {
		line, _, _ := strings.Cut(f.Error(), "\n")
		got = append(got, strings.TrimPrefix(line, dir+"/"))
	}
	const needsGo = ": the field has no directive, and a folder has no code in Go"
	want := []string{
		"more.graphqls:2:3: Mutation.add" + needsGo,
		"more.graphqls:6:3: Query.hello" + needsGo,
		"more.graphqls:7:3: Query.latest: Note is stored as items of its own, but has no directive that reads it",
		"more.graphqls:11:3: Note.excerpt" + needsGo,
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestUnserved: what is served as an error is found, too.
func TestUnserved(t *testing.T) {
	dir := write(t, map[string]string{"notes.graphqls": notes, "more.graphqls": `type Mutation {
  addBoth(text: String!): Note @allow(to: ["PUBLIC"]) @cost(writeUnits: 2)
}
extend type Query { count: Int! @cost }
extend type Note { words: Int! @cost, first(length: Int): String @cost, title: String }
`})
	f, err := folder.Open(dir)
	fatal.If(t, err)
	var got []string
	for _, finding := range f.Unserved() {
		got = append(got, fmt.Sprintf("%d:%d %s", finding.Line, finding.Column, finding.Coordinate))
	}
	want := []string{"4:21 Query.count", "2:3 Mutation.addBoth", "5:20 Note.words", "5:39 Note.first"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestCompiledServices: the folders of compiled services, whose resolvers have @cost, have no findings but for rules
// that ask Go code.
func TestCompiledServices(t *testing.T) {
	for dir, rules := range map[string]int{"../testservice/graph/schema": 1, "../../graph/schema": 0} {
		_, err := folder.Open(dir)
		findings, _ := errors.AsType[directives.Findings](err)
		if n := strings.Count(fmt.Sprint(findings), "the rule asks Go code"); n != rules || len(findings) != rules {
			t.Errorf("%s: %v", dir, err)
		}
	}
}
