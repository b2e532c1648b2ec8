package local_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/table/admin"
	"github.com/partita/partita/internal/table/local"
	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/keys/stored"
	"github.com/partita/partita/request"
	"github.com/partita/partita/table"
)

const (
	firstLine = `{"Item":{"PK":{"S":"A"},"SK":{"S":"A"},"name":{"S":"first"}}}`
	lastLine  = `{"Item":{"PK":{"S":"A"},"SK":{"S":"A"},"name":{"S":"kept"},"tags":{"SS":["a","b"]}}}`
)

func writeFile(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	fatal.If(t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

// TestSeedFile: a new table has the items of the file. It gets them again only if it is reset.
func TestSeedFile(t *testing.T) {
	var zipped bytes.Buffer
	w := gzip.NewWriter(&zipped)
	must(w.Write([]byte(lastLine)))
	fatal.If(t, w.Close())
	for _, file := range []string{
		writeFile(t, "data.jsonl", firstLine+"\n\n"+lastLine+"\n"), writeFile(t, "data.jsonl.gz", zipped.String()),
	} {
		s := settings(t.TempDir())
		s.SeedFile = file
		opened := openLocal(t, s)
		hasA(t, opened)
		fatal.If(t, put(t.Context(), opened, tabletest.Stored("B", "B")))
		for _, reset := range []bool{false, true} {
			fatal.If(t, opened.Close())
			s.Reset = reset
			opened = openLocal(t, s)
			hasA(t, opened)
			got, err := opened.GetItem(t.Context(), request.GetItem{Key: keys.Key{PK: "B", SK: "B"}})
			if err != nil || len(got.Items) == 1 == reset {
				t.Errorf("%s, reset %t: %v, %v", filepath.Base(file), reset, got.Items, err)
			}
		}
	}
}

// TestMalformedSeedFile: the error has file and line, and there is no table afterwards.
func TestMalformedSeedFile(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{`{"Item":{"PK":{"S":"A"}}}`, "no SK, a key of the table"},
		{`{"Item":{"PK":{"S":"A"},"SK":{"S":"B"},"GSI1PK":{"N":"1"}}}`, "GSI1PK is not of type S, as the key of an index"},
		{`{"PK":"A"}`, `no "Item": a line is {"Item": {...}}, as in a full export to S3`},
	} {
		s := settings(t.TempDir())
		s.SeedFile = writeFile(t, "data.jsonl", firstLine+"\n"+c.line+"\n")
		_, err := local.Open(t.Context(), s, schema, discard)
		if _, is := errors.AsType[*admin.LineError](err); !is || err.Error() != s.SeedFile+":2: "+c.want {
			t.Errorf("%s: got %v", c.line, err)
		}
		if _, err := os.Stat(filepath.Join(s.DataDir, "partita.db")); !errors.Is(err, fs.ErrNotExist) {
			t.Error("the table exists:", err)
		}
	}
}

// TestSeedOfEachIndex: a table that the engine imports has the indexes of the schema, whatever they project.
func TestSeedOfEachIndex(t *testing.T) {
	layout := &stored.Layout{PK: keys.Named("pk"), SK: keys.Named("sk"), Delimiter: "#", Indexes: []stored.IndexLayout{
		{Name: "all", PK: keys.Named("a"), SK: keys.KeyAttributes{{Name: "n", Number: true}}},
		{Name: "inverted", PK: keys.Named("sk"), SK: keys.Named("pk"), Projection: stored.KeysOnly},
		{Name: "some", PK: keys.Named("a"), Projection: stored.Include, Include: []string{"x", "y"}},
	}}
	design := &design.Design{Layout: layout}
	s := settings(t.TempDir())
	s.SeedFile = writeFile(t, "data.jsonl", `{"Item":{"pk":{"S":"A"},"sk":{"S":"A"},"a":{"S":"x"},"n":{"N":"-1"}}}`)
	opened, err := local.Open(t.Context(), s, table.Schema{Design: design, Indexes: []string{"all", "inverted", "some"}},
		discard)
	fatal.If(t, err)
	t.Cleanup(func() { opened.Close() })
	if err := admin.Verify(t.Context(), opened.Table); err != nil {
		t.Error(err)
	}
}
