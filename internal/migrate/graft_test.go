package migrate_test

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/migrate"
	"github.com/partita/partita/internal/plan"
	"github.com/partita/partita/keys/design"
)

// TestGraft: each file has two schemas, and how the later one is served over what the former one stores, and back.
func TestGraft(t *testing.T) {
	files, err := filepath.Glob("testdata/graft/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("there are no files", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			fatal.If(t, err)
			archive := txtar.Parse(text)
			from, to := version(t, string(archive.Files[0].Data)), version(t, string(archive.Files[1].Data))
			migration := migrate.Compare(from, to)
			got := []txtar.File{
				{Name: "later over former", Data: []byte(grafted(t, to, from, migrate.GraftOptions{}))},
				{Name: "former over later", Data: []byte(grafted(t, from, to, migrate.GraftOptions{}))},
				{Name: "later over former, in place", Data: []byte(grafted(t, to, from,
					migrate.GraftOptions{Migration: &migration}))},
				{Name: "former, in place", Data: []byte(grafted(t, from, from, migrate.GraftOptions{Migration: &migration}))},
			}
			if got[2].Data = others(got[2].Data, got[0].Data); len(got[2].Data) == 0 {
				got = slices.Delete(got, 2, 3)
			}
			if *rewrite {
				archive.Files = append(archive.Files[:2], got...)
				fatal.If(t, os.WriteFile(file, txtar.Format(archive), 0o600))
			} else if diff := cmp.Diff(string(txtar.Format(&txtar.Archive{Files: archive.Files[2:]})),
				string(txtar.Format(&txtar.Archive{Files: got}))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// others returns the lines that another text does not have.
func others(text, than []byte) []byte {
	return slices.Concat(slices.DeleteFunc(bytes.SplitAfter(text, []byte("\n")), func(line []byte) bool {
		return bytes.Contains(than, line)
	})...)
}

// grafted returns a line for each field of an API, for what else is not ready, and for each type of the graft.
func grafted(t *testing.T, api, stored migrate.Version, o migrate.GraftOptions) string {
	t.Helper()
	d, notReady, err := migrate.Graft(api, stored, o)
	fatal.If(t, err)
	if d == api.Design && len(notReady) == 0 {
		return "the API's own design\n"
	}
	plan.NewSchema(d.WithNotReady(notReady, nil), api.AST) // it can be compiled
	var b strings.Builder
	rest := maps.Clone(notReady)
	for _, f := range api.Fields {
		own := d.Field(f.Parent, f.Name)
		delete(rest, f.Coordinate())
		switch reason := notReady[f.Coordinate()]; {
		case reason != "":
			fmt.Fprintf(&b, "%s: NOT_READY: %s\n", f.Coordinate(), reason)
		case own == nil:
			t.Errorf("%s is neither served nor not ready", f.Coordinate())
		case condition(own) == condition(f):
			fmt.Fprintf(&b, "%s: as is\n", f.Coordinate())
		default:
			fmt.Fprintf(&b, "%s: former: %s\n", f.Coordinate(), condition(own))
		}
	}
	for _, m := range api.Mutations {
		if notReady["Mutation."+m.Name] == "" {
			fmt.Fprintf(&b, "Mutation.%s: as is\n", m.Name)
		}
	}
	for _, coordinate := range slices.Sorted(maps.Keys(rest)) {
		fmt.Fprintf(&b, "%s: NOT_READY: %s\n", coordinate, rest[coordinate])
	}
	for _, typ := range d.Types {
		fmt.Fprintf(&b, "type %s: %s\n", typ.Name, typeText(typ))
	}
	return b.String()
}

func condition(f *design.Field) string {
	text := fmt.Sprintf("%s %q %q", f.Index, f.PK, f.SK)
	if f.Descending {
		text += " DESC"
	}
	return strings.TrimSpace(text)
}

func typeText(t *design.Type) string {
	text := fmt.Sprintf("%q %q, id %s", t.Item.PK, t.Item.SK, strings.Join(t.Identity, ":"))
	if values := append([]string{t.TypeValue()}, t.Values...); t.TypeValue() != t.Name || len(values) > 1 {
		text += " is " + strings.Join(values, " or ")
	}
	for _, id := range t.FormerIDs {
		text += fmt.Sprintf(", also %s:%s", id.Type, strings.Join(id.Identity, ":"))
	}
	for _, a := range t.Attributes {
		if a.Stored != "" || a.As != 0 {
			text += fmt.Sprintf(", %s = %s %s", a.Name, a.StoredName(), a.As)
		}
	}
	return text
}
