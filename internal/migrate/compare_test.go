package migrate_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/vektah/gqlparser/v2/ast"
	"golang.org/x/tools/txtar"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/gen/directives"
	"github.com/partita/partita/internal/migrate"
)

var rewrite = flag.Bool("rewrite", false, "write the expected parts of testdata/compare")

// version loads a schema.
func version(t *testing.T, sdl string) migrate.Version {
	t.Helper()
	loaded, err := directives.Load(&ast.Source{Name: "schema.graphqls", Input: sdl})
	fatal.If(t, err)
	schema, err := directives.Read(loaded)
	fatal.If(t, err)
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
			fatal.If(t, err)
			archive := txtar.Parse(text)
			from, to := version(t, string(archive.Files[0].Data)), version(t, string(archive.Files[1].Data))
			got := parts(migrate.Compare(from, to))
			if *rewrite {
				archive.Files = append(archive.Files[:2], txtar.File{Name: "parts", Data: []byte(got)})
				fatal.If(t, os.WriteFile(file, txtar.Format(archive), 0o600))
			} else if diff := cmp.Diff(string(archive.Files[2].Data), got); diff != "" {
				t.Error(diff)
			}
			for _, same := range []migrate.Version{from, to} {
				again, err := migrate.ParseVersion(same.SDL)
				fatal.If(t, err)
				if d := migrate.Compare(same, again); !d.IsEmpty() || again.SDL != same.SDL || again.ID() != same.ID() {
					t.Error("a version differs from itself:", parts(d))
				}
			}
		})
	}
}

// TestCompareTenants: which way leads from what a record says of tenants to what another version does.
func TestCompareTenants(t *testing.T) {
	const schema = `type Query { a(id: ID!): A @get(pk: "%s{id}", sk: "A") }
		type A implements Node @item(pk: "%[1]s{id}", sk: "A") { id: ID! name: String @unique }`
	a, b, bare := version(t, fmt.Sprintf(schema, "A#")), version(t, fmt.Sprintf(schema, "B#")),
		version(t, fmt.Sprintf(schema, ""))
	const owned = `TABLE_TENANTS no tenants becomes tenants, and all that is stored is that of %q`
	text := func(first, blocked string) string { return fmt.Sprintf(owned, first) + blocked }
	unsaid, none := migrate.Tenancy{}, migrate.Tenancy{Kind: migrate.WithoutTenants}
	many := migrate.Tenancy{Kind: migrate.WithTenants, First: "acme"}
	of := func(first string) migrate.Tenancy { return migrate.Tenancy{Kind: migrate.OfFirst, First: first} }
	for _, tt := range []struct {
		from, to migrate.Version
		want     string
	}{
		{a.With(unsaid), a.With(none), ""}, {a.With(unsaid), a.With(many), ""}, {a.With(many), a.With(unsaid), ""},
		{a.With(many), a.With(migrate.Tenancy{Kind: migrate.WithTenants}), ""}, {a.With(many), a.With(of("x")), ""},
		{a.With(none), a.With(of("acme")), text("acme", "")}, {a.With(unsaid), a.With(of("acme")), text("acme", "")},
		{a.With(none), a.With(many), "TABLE_TENANTS no tenants becomes tenants; nobody has said whose all that is " +
			"stored is: name the tenant with --tenant"},
		{a.With(many), a.With(none), "TABLE_TENANTS tenants becomes no tenants; objects of several tenants have the same " +
			"keys: load an export of each tenant into a table of its own"},
		{a.With(none), b.With(of("acme")), text("acme", `; a table gets tenants without another change of `+
			`what it stores: migrate and finish the schema first, then the tenants, or the other way round`+"\n"+
			`A: ITEM_KEY "A#{id}" "A" becomes "B#{id}" "A"`)},
		{a.With(none), a.With(of("A")), text("A", `; the key "A#{id}" of A begins with "A#" already: `+
			`choose another name of the tenant`)},
		{bare.With(none), bare.With(of("x")), text("x", `; a key "{id}" of A may begin with "x#" already: `+
			`load an export into another table with --tenant`)},
		{a.With(none), a.With(of("ONCE")), text("ONCE", `; the keys of idempotency keys begin with "ONCE#": `+
			`choose another name of the tenant`)},
	} {
		if got := strings.TrimSpace(parts(migrate.Compare(tt.from, tt.to))); got != tt.want {
			t.Errorf("%v to %v:\n%s\nwant\n%s", tt.from.Tenancy, tt.to.Tenancy, got, tt.want)
		}
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
