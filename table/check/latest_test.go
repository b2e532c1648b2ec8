package check_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/partita/partita/internal/table/admin"
	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/keys/stored"
	"github.com/partita/partita/table"
	"github.com/partita/partita/table/check"
	"github.com/partita/partita/write"
)

// versions are documents' versions, with a copy of the latest one.
var versions = design.MustDesign(nil, []*design.Type{{
	Name: "Version", Identity: []string{"document", "version"}, MaxBytes: 512,
	Attributes: []design.Attribute{text("document"), count("version"), text("text")},
	Item:       shape("DOCUMENT#{document}", "v{version:04}"),
	Copies:     []design.Copy{{Shape: shape("DOCUMENT#{document}", "LATEST"), Latest: "version"}},
}}, nil)

// version returns the items of a version of the document d.
func version(t *testing.T, n int) []item.Item {
	t.Helper()
	items := must(write.ItemsOf(versions, versions.Type("Version"),
		with(nil, "document=d", fmt.Sprintf("version:=%d", n), fmt.Sprintf("text=text-%d", n))))
	return items
}

// TestLatest: a repair puts the greatest version into the copy that all share, whatever is there, and nothing more.
// Before `latest`, it put each version in turn.
func TestLatest(t *testing.T) {
	base := contentOf(nil)
	for n := 1; n <= 11; n++ {
		it := version(t, n)[0]
		base[keys.KeyOf(it)] = it
	}
	latest := keyOf("DOCUMENT#d", "LATEST")
	for name, c := range map[string]struct {
		stored item.Item
		kind   check.Kind
	}{
		"right":               {version(t, 11)[1], ""},
		"missing":             {nil, check.LatestWrong},
		"an older one":        {version(t, 9)[1], check.LatestWrong},
		"other attributes":    {with(version(t, 11)[1], "text=other"), check.CopyDiffers},
		"one that is deleted": {version(t, 12)[1], check.CopyOrphan},
		"a higher number": {
			with(version(t, 11)[1], "version:=13", "text=other"), check.CopyOrphan,
		},
		"a tombstone": {
			with(nil, "PK=DOCUMENT#d", "SK=LATEST", "entityType=Version", "version:=12",
				"deletedAt=2026-01-01T00:00:00.000Z"), check.LatestUnknown,
		},
		"a tombstone below": {
			with(nil, "PK=DOCUMENT#d", "SK=LATEST", "entityType=Version", "version:=3",
				"deletedAt=2026-01-01T00:00:00.000Z"), check.LatestUnknown,
		},
	} {
		t.Run(name, func(t *testing.T) {
			all := contentOf(base.inOrder())
			if c.stored != nil {
				all[latest] = c.stored
			}
			e := start(t, all)
			o := check.Options{Design: versions, Scope: check.Scope{Only: check.Kinds}}
			found := must(check.Table(t.Context(), e.Scanner, o))
			kinds := map[check.Kind]bool{}
			for _, v := range found.Violations {
				kinds[v.Kind] = true
			}
			if kinds[c.kind] != (c.kind != "") || c.kind == "" && len(kinds) > 0 {
				t.Errorf("found %v, want %s", describe(found.Violations), c.kind)
			}
			repaired, err := check.Repair(t.Context(), e.Scanner, o)
			if err != nil || len(repaired.Violations) > 0 {
				t.Fatal(describe(repaired.Violations), err)
			}
			want := contentOf(append(base.inOrder(), version(t, 11)[1]))
			if diff := cmp.Diff(want.texts(), e.content(t).texts()); diff != "" {
				t.Error(diff)
			}
			again, err := check.Repair(t.Context(), e.Scanner, o)
			if err != nil || len(again.Repaired) > 0 || !again.Clean() {
				t.Errorf("the next repair: %v, %v", describe(again.Repaired), err)
			}
		})
	}
}

// TestLatestOfKeyOnly: the latest of objects whose identity has a value in keys only is put, and put again after it was
// deleted.
func TestLatestOfKeyOnly(t *testing.T) {
	layout := &stored.Layout{PK: keys.Named("pk"), SK: keys.Named("sk"), Type: "type", Delimiter: "#"}
	d := design.MustDesign(layout, []*design.Type{{
		Name: "Version", Identity: []string{"document", "version"}, MaxBytes: 512,
		Attributes: []design.Attribute{
			{Name: "document", Kind: keys.String, NonNull: true, InKeys: true}, count("version"), text("text"),
		},
		Item:   shape("DOCUMENT#{document}", "v{version:04}"),
		Copies: []design.Copy{{Shape: shape("DOCUMENT#{document}", "LATEST"), Latest: "version"}},
	}}, nil)
	for _, latest := range []string{
		"",
		`{"Item":{"pk":{"S":"DOCUMENT#d"},"sk":{"S":"LATEST"},"type":{"S":"Version"},"version":{"N":"3"},` +
			`"deletedAt":{"S":"2026-01-01T00:00:00.000Z"}}}`,
		`{"Item":{"pk":{"S":"DOCUMENT#d"},"sk":{"S":"LATEST"},"type":{"S":"Version"},"version":{"N":"1"},` +
			`"text":{"S":"t1"}}}`,
	} {
		e := tabletest.Start(t, table.SchemaOf(d))
		for n := 1; n <= 2; n++ {
			latest += fmt.Sprintf("\n"+`{"Item":{"pk":{"S":"DOCUMENT#d"},"sk":{"S":"v%04d"},"type":{"S":"Version"},`+
				`"version":{"N":"%[1]d"},"text":{"S":"t%[1]d"}}}`, n)
		}
		e.LoadLines(t, strings.NewReader(strings.TrimSpace(latest)))
		scanner, o := admin.Scanner{Table: e.Table}, check.Options{Design: d}
		repairs := o
		repairs.Scope.Only = []check.Kind{check.LatestWrong, check.LatestUnknown}
		repaired, err := check.Repair(t.Context(), scanner, repairs)
		if err != nil || len(repaired.Violations) > 0 || len(repaired.Repaired) == 0 {
			t.Errorf("%v, %v", describe(repaired.Violations), err)
		}
		found, err := check.Table(t.Context(), scanner, o)
		got := (&engine{e, scanner}).content(t)[keyOf("DOCUMENT#d", "LATEST")]
		if err != nil || !found.Clean() || got.Text("version") != "2" || got.Text("text") != "t2" {
			t.Errorf("%v, %v, the latest is %v", describe(found.Violations), err, got)
		}
	}
}
