package admin_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/table/admin"
	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/table"
)

// TestTablesWithAllKindsOfKeys: a table with a Number as a key, or without a sort key, is created and fits its schema;
// an export has the lines that were loaded, and Scans by pages of any size have all items, without leases.
func TestTablesWithAllKindsOfKeys(t *testing.T) {
	t.Parallel()
	for _, k := range tabletest.KeyTables() {
		t.Run(k.Name, func(t *testing.T) {
			t.Parallel()
			e := tabletest.Start(t, table.SchemaOf(k.Design))
			fatal.If(t, admin.Verify(t.Context(), e.Table))
			stats, err := admin.Load(t.Context(), e.Table, strings.NewReader(k.Lines))
			if err != nil || stats != (admin.LoadStats{Items: 3, Lines: 3}) {
				t.Fatal(stats, err)
			}
			lease := must(admin.EncodeLine(k.Design.Layout.StoredKey(k.Design.Layout.LeaseKey(1))))
			must(admin.Load(t.Context(), e.Table, strings.NewReader(string(lease))))
			want := canonicalLines(t, strings.Split(strings.TrimSpace(k.Lines), "\n"))
			if got := canonicalLines(t, export(t, e.Table)); !slices.Equal(got, want) {
				t.Errorf("exported %q, want %q", got, want)
			}
			for limit := range 5 {
				if got := canonicalLines(t, scanned(t, e, k.Design, limit)); !slices.Equal(got, want) {
					t.Errorf("limit %d: %q, want %q", limit, got, want)
				}
				scanKeys(t, e, k, limit+1)
			}
		})
	}
}

// scanned returns the lines of all items by Scans with the limit.
func scanned(t *testing.T, e *tabletest.Engine, d *design.Design, limit int) []string {
	t.Helper()
	var lines []string
	for scan := (admin.Scan{Limit: limit}); ; {
		page, err := admin.Scanner{Table: e.Table}.Scan(t.Context(), scan)
		if err != nil || len(lines) > 10 {
			t.Fatal(lines, err)
		}
		for _, it := range page.Items {
			line := must(admin.EncodeLine(d.ToStored(it)))
			lines = append(lines, string(line))
		}
		if scan.Start = page.Last.Base; page.Last.IsZero() {
			return lines
		}
	}
}

// scanKeys compares the keys of the table, and of its indexes, by pages of some items.
func scanKeys(t *testing.T, e *tabletest.Engine, k tabletest.KeyTable, limit int) {
	t.Helper()
	for _, index := range append([]string{""}, k.Design.IndexNames()...) {
		var want, got []string
		for i, line := range strings.Split(strings.TrimSpace(k.Lines), "\n") {
			if index == "" || strings.Contains(line, k.Design.Layout.Index(index).PK.String()) {
				want = append(want, fmt.Sprint(k.Keys[i]))
			}
		}
		for scan := (admin.KeyScan{Index: index, Limit: limit}); ; {
			page, err := admin.Scanner{Table: e.Table}.ScanKeys(t.Context(), scan)
			if err != nil || len(got) > 10 {
				t.Fatal(got, err)
			}
			for _, it := range page.Items {
				pk, sk := k.Design.Layout.ShowKey(k.Design.Layout.KeyOf(it))
				got = append(got, fmt.Sprint([2]string{pk, sk}))
			}
			if scan.Start = page.Next; page.Next == nil {
				break
			}
		}
		slices.Sort(want)
		if slices.Sort(got); !slices.Equal(got, want) {
			t.Errorf("index %q, limit %d: keys %q, want %q", index, limit, got, want)
		}
	}
}

// TestLinesWithOtherKeys: the first line that the table cannot store ends a load, with what is wrong about it.
func TestLinesWithOtherKeys(t *testing.T) {
	t.Parallel()
	tables := tabletest.KeyTables()
	for _, c := range []struct {
		of   tabletest.KeyTable
		key  item.Item
		want string
	}{
		{tables[0], item.Item{{Name: "Id", Value: item.StringValue("101")}}, "Id is not of type N, as the key of the table"},
		{tables[0], item.Item{{Name: "id", Value: item.NumberValue(1)}}, "no Id, a key of the table"},
		{tables[1], item.Item{{Name: "id", Value: item.NumberValue(1)}}, "id is not of type S, as the key of the table"},
		{tables[1], item.Item{{Name: "id", Value: item.StringValue("")}}, "a key of the table is empty"},
		{tables[2], item.Item{{Name: "year", Value: item.NumberValue(1)}}, "no title, a key of the table"},
		{
			tables[0], item.Item{{Name: "Id", Value: item.Value{Kind: item.Number, Text: "1E+200"}}},
			"a key of the table is empty, or beyond DynamoDB's Numbers",
		},
	} {
		line, err := admin.EncodeLine(c.key)
		fatal.If(t, err)
		e := tabletest.Start(t, table.SchemaOf(c.of.Design))
		_, err = admin.Load(t.Context(), e.Table, strings.NewReader(c.of.Lines+string(line)))
		if err == nil || !strings.HasPrefix(err.Error(), "line 4: "+c.want) {
			t.Errorf("%s: %v", c.of.Name, err)
		}
	}
}
