package importer_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/importer"
	"github.com/partita/partita/internal/table/admin"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/table/check"
)

// designs are public designs of single tables: the data as published, the description of the table, and the access
// patterns that the source lists, or that its indexes serve if it lists none.
const designs = "testdata/designs"

// designsPage has the table of what is made of them.
const designsPage = "../../docs/reference/public-designs.md"

// design is one public design.
type tableDesign struct {
	dir, name, source, licence string
	// exceptions are the violations that the data has.
	exceptions []string
	patterns   []pattern
}

// pattern is an access pattern of a design with values of its data.
type pattern struct {
	// kind is get, query, or scan, which no key serves.
	kind, index, pk string
	// sk is the sort key of a get, "" for a whole partition, or one of: = KEY, begins PREFIX, from KEY to KEY.
	sk, title string
}

func readDesign(t *testing.T, dir string) *tableDesign {
	t.Helper()
	d := &tableDesign{dir: dir}
	for line := range strings.Lines(readFile(t, filepath.Join(dir, "design.txt"))) {
		line = strings.TrimSpace(line)
		if key, value, is := strings.Cut(line, ": "); is && !strings.Contains(line, "|") {
			if key == "check" {
				d.exceptions = strings.Fields(value)
				continue
			}
			*map[string]*string{"name": &d.name, "source": &d.source, "licence": &d.licence}[key] = value
			continue
		}
		if line == "" {
			continue
		}
		c := strings.Split(line, "|")
		if len(c) != 5 {
			t.Fatalf("%s: %s", dir, line)
		}
		for i := range c {
			c[i] = strings.TrimSpace(c[i])
		}
		d.patterns = append(d.patterns, pattern{c[0], c[1], c[2], c[3], c[4]})
	}
	return d
}

// options returns the description of the table.
func (d *tableDesign) options(t *testing.T) importer.Options {
	t.Helper()
	o, err := importer.ReadDescription(strings.NewReader(readFile(t, filepath.Join(d.dir, "table.json"))))
	if err != nil {
		t.Fatal(d.dir, err)
	}
	return o
}

// selects reports whether a sort key is one of those of a pattern.
func (p pattern) selects(sk string) bool {
	verb, rest, _ := strings.Cut(p.sk, " ")
	from, to, isRange := strings.Cut(rest, " to ")
	switch {
	case p.kind == "get":
		return sk == p.sk
	case verb == "begins":
		return strings.HasPrefix(sk, rest)
	case verb == "=":
		return sk == rest
	case isRange:
		return sk >= from && sk <= to
	}
	return true
}

// isExpressed reports whether the schema has a field that returns exactly the items of a pattern, by a key condition on
// the same partition.
func (s *service) isExpressed(t *testing.T, p pattern) bool {
	t.Helper()
	if p.kind == "scan" {
		return false
	}
	var items []item.Item
	want := []string{}
	for _, stored := range s.items {
		at, ok := s.keyIn(p.index, stored)
		if at = s.shown(p.index, at); !ok || at.pk != p.pk || !p.selects(at.sk) {
			continue
		}
		typ := s.typeOf(stored)
		if typ == nil {
			return false
		}
		items = append(items, stored)
		want = append(want, keys.NewID(typ.Name, identity(typ, s.FromStored(stored))...).Encode())
	}
	if len(items) == 0 {
		t.Errorf("no item is selected by %v", p)
		return false
	}
	slices.Sort(want)
	if p.kind == "get" {
		return s.hasGet(s.FromStored(items[0]).Type())
	}
	for _, f := range s.Design.Fields {
		if f.Kind != design.Query || f.Result != design.Connection || f.Index != p.index {
			continue
		}
		for _, stored := range items {
			for _, m := range f.Matches() {
				for n := range len(s.optional(f)) + 1 {
					c := s.collectionWith(f, &m, stored, n)
					if c == nil || s.shown(p.index, place{pk: c.pk}).pk != p.pk || !c.restrict(p) {
						continue
					}
					got, err := s.readAll(t, c)
					if err == nil && slices.Equal(slices.Sorted(slices.Values(got)), want) {
						return true
					}
				}
			}
		}
	}
	return false
}

// hasGet reports whether a field of Query returns an object of a type by its key. checkObjects compares its answers.
func (s *service) hasGet(typ string) bool {
	return slices.ContainsFunc(s.Design.Fields, func(f *design.Field) bool {
		return f.Parent == "Query" && f.Kind == design.Get && slices.Equal(f.Types, []string{typ})
	})
}

// restrict adds the range of a pattern to the arguments of a collection: times from one to another, or a day with which
// sort keys begin. It reports whether the field has one, or needs none.
func (c *collection) restrict(p pattern) bool {
	from, to, isRange := strings.Cut(strings.TrimPrefix(p.sk, "from "), " to ")
	kind := keys.Time
	if day, ok := dayOf(p.sk); ok && c.prefix == "" {
		isRange, kind, from, to = true, keys.Date, day, day
	}
	if !isRange {
		return true
	}
	for _, a := range c.field.Arguments {
		if a.Range && a.Kind == kind {
			if kind == keys.Time {
				from, to = zoned(from), zoned(to)
			}
			c.query += fmt.Sprintf(", %s: {from: %q, to: %q}", a.Name, from, to)
			return true
		}
	}
	return false
}

// dayOf returns the day with which the sort keys of a pattern begin.
func dayOf(sk string) (day string, ok bool) {
	day = strings.TrimSuffix(strings.TrimPrefix(sk, "begins "), keys.Delimiter)
	_, err := time.Parse(time.DateOnly, day)
	return day, err == nil
}

// zoned returns a time with its zone.
func zoned(at string) string {
	if strings.HasSuffix(at, "Z") {
		return at
	}
	return at + "Z"
}

// checkTable checks the table with the proposal as `partita table check` does. It finds nothing but items without a
// type, and the exceptions: what the data itself lacks.
func (s *service) checkTable(t *testing.T, exceptions []string) {
	t.Helper()
	report, err := check.Table(t.Context(), admin.Scanner{Table: s.table}, check.Options{Design: s.Design})
	fatal.If(t, err)
	for _, v := range report.Violations {
		if v.Kind != check.ItemUnknown && !slices.Contains(exceptions, string(v.Kind)) {
			t.Errorf("check: %s %s %s: %s", v.Kind, v.PK, v.SK, v.Problem)
		}
	}
}

// TestDesigns imports each public design, serves it, and compares with the data what its fields answer. The result is
// the table in the documentation; -rewrite writes it.
func TestDesigns(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join(designs, "*", "design.txt"))
	if err != nil || len(paths) < 10 {
		t.Fatal("there are not ten designs", paths, err)
	}
	var rows, missing strings.Builder
	for _, path := range paths {
		t.Run(filepath.Base(filepath.Dir(path)), func(t *testing.T) {
			d := readDesign(t, filepath.Dir(path))
			data := filepath.Join(d.dir, "data.jsonl")
			items, result := itemsOf(t, data), importFile(t, data, d.options(t))
			s := serve(t, items, result.Schema)
			s.checkCollections(t)
			s.checkObjects(t)
			s.checkTable(t, d.exceptions)
			expressed := 0
			for _, p := range d.patterns {
				if s.isExpressed(t, p) {
					expressed++
				} else {
					fmt.Fprintf(&missing, "- %s: %s\n", d.name, p.title)
				}
			}
			repository, _, _ := strings.Cut(d.source, ",")
			fmt.Fprintf(&rows, "| [%s](https://%s) | %d | %d | %.0f %% | %d of %d |\n", d.name, repository, len(items),
				len(result.Report.Types),
				100*result.Report.Classified(), expressed, len(d.patterns))
			if t.Failed() {
				t.Log(result.Schema)
			}
		})
	}
	if !t.Failed() {
		comparePage(t, rows.String(), missing.String())
	}
}

const (
	rowsHead    = "| design | items | types | placed | access patterns |\n| --- | --- | --- | --- | --- |\n"
	missingHead = "Not expressed:\n\n"
)

// comparePage compares the table and the list below it with the page.
func comparePage(t *testing.T, rows, missing string) {
	t.Helper()
	page := readFile(t, designsPage)
	before, rest, ok := strings.Cut(page, rowsHead)
	_, end, found := strings.Cut(rest, "\n"+missingHead)
	_, end, last := strings.Cut(end, "\n\n")
	if !ok || !found || !last {
		t.Fatal("the page has no table, or no list behind it")
	}
	want := before + rowsHead + rows + "\n" + missingHead + missing + "\n" + end
	switch {
	case want == page:
	case flag.Lookup("rewrite").Value.String() != "true":
		t.Errorf("%s is outdated: run go test ./internal/importer -run TestDesigns -rewrite", designsPage)
	default:
		fatal.If(t, os.WriteFile(designsPage, []byte(want), 0o600))
	}
}
