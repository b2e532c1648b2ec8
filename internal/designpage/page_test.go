package designpage_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/partita/partita/internal/designpage"
)

var rewrite = flag.Bool("rewrite", false, "rewrite the files in testdata")

// TestPictures: the pictures of the examples, which pattern reads which of their items, and what writes cost.
func TestPictures(t *testing.T) {
	for _, dir := range []string{"billing", "booking", "devices"} {
		t.Run(dir, func(t *testing.T) {
			s := designpage.ReadFolder(t, filepath.Join("../../examples", dir))
			golden(t, dir+".txt", describe(designpage.New(designpage.Options{Title: dir}, s)))
		})
	}
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *rewrite {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs; -rewrite writes it:\n%s", path, got)
	}
}

// describe returns a page as text.
func describe(p *designpage.Page) string {
	var b strings.Builder
	for _, picture := range p.Pictures {
		fmt.Fprintf(&b, "= %s %s, %s %s\n", picture.Name, picture.PK, picture.SK, picture.Projection)
		for _, c := range picture.Partitions {
			fmt.Fprintf(&b, "%s\n", c.Key)
			for _, r := range c.Rows {
				fmt.Fprintf(&b, "  %s  (%s)\n", r.SK, r.What)
				for _, a := range r.Attributes {
					fmt.Fprintf(&b, "      %s: %s\n", a.Name, a.Text)
				}
				fmt.Fprintf(&b, "    read by %s\n", strings.Join(r.ReadBy, " "))
				fmt.Fprintf(&b, "    read in the example of %s\n", strings.Join(r.ReadIn, " "))
			}
		}
	}
	for _, g := range p.Groups {
		fmt.Fprintf(&b, "= %s\n", g.Title)
		for _, f := range g.Patterns {
			fmt.Fprintf(&b, "%s: %d requests, %v units, %d rows; %s\n", f.Field, f.Cost.Requests, f.Cost.Units, f.Rows, f.Who)
		}
	}
	for _, one := range p.Types {
		fmt.Fprintf(&b, "= %s: %d items, %d entries, %d claims, %d counters; %+v %+v %+v\n", one.Name, one.Items, one.Entries,
			one.Claims, one.Counters, one.Create, one.Update, one.Delete)
	}
	for _, m := range p.Mutations {
		fmt.Fprintf(&b, "%s: %s read, %s write units; %s\n", m.Name, m.ReadUnits, m.WriteUnits, m.Who)
	}
	for _, f := range p.Findings {
		fmt.Fprintf(&b, "finding: %s: %s %s\n", f.Where.Text, f.What, f.Fix)
	}
	return b.String()
}
