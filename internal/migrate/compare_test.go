package migrate_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/vektah/gqlparser/v2/ast"
	"golang.org/x/tools/txtar"

	"github.com/partita/partita/internal/gen/directives"
	"github.com/partita/partita/internal/migrate"
)

var rewrite = flag.Bool("rewrite", false, "write the expected parts of testdata/compare")

// version loads a schema.
func version(t *testing.T, sdl string) migrate.Version {
	t.Helper()
	loaded, err := directives.Load(&ast.Source{Name: "schema.graphqls", Input: sdl})
	if err != nil {
		t.Fatal(err)
	}
	schema, err := directives.Read(loaded)
	if err != nil {
		t.Fatal(err)
	}
	return migrate.NewVersion(schema)
}

// TestCompare: each file has two schemas and the parts that differ, forward and back.
func TestCompare(t *testing.T) {
	files, err := filepath.Glob("testdata/compare/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("there are no files", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			archive := txtar.Parse(text)
			from, to := version(t, string(archive.Files[0].Data)), version(t, string(archive.Files[1].Data))
			got := parts(migrate.Compare(from, to))
			if *rewrite {
				archive.Files = append(archive.Files[:2], txtar.File{Name: "parts", Data: []byte(got)})
				if err := os.WriteFile(file, txtar.Format(archive), 0o600); err != nil {
					t.Fatal(err)
				}
			} else if diff := cmp.Diff(string(archive.Files[2].Data), got); diff != "" {
				t.Error(diff)
			}
			for _, same := range []migrate.Version{from, to} {
				again, err := migrate.ParseVersion(same.SDL)
				if err != nil {
					t.Fatal(err)
				}
				if d := migrate.Compare(same, again); !d.IsEmpty() || again.SDL != same.SDL || again.ID() != same.ID() {
					t.Error("a version differs from itself:", parts(d))
				}
			}
		})
	}
}

// parts returns a line for each part, with what else is known of it.
func parts(d migrate.Difference) string {
	var b strings.Builder
	for _, p := range d.Parts {
		b.WriteString(p.String())
		if p.IsInPlace {
			b.WriteString(" (in place)")
		}
		if p.IsFree {
			b.WriteString(" (free)")
		}
		b.WriteByte('\n')
	}
	return b.String()
}
