package table_test

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/table/admin"
	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/request"
	"github.com/partita/partita/table"
	"github.com/partita/partita/write"
)

// startKeyTable returns an engine with the items of the table.
func startKeyTable(t *testing.T, k tabletest.KeyTable) *tabletest.Engine {
	t.Helper()
	e := tabletest.Start(t, table.SchemaOf(k.Design))
	e.LoadLines(t, strings.NewReader(k.Lines))
	return e
}

// lineOf returns the line of an item as it is stored, with its attributes in order.
func lineOf(t *testing.T, d *design.Design, it item.Item) string {
	t.Helper()
	line := must(admin.EncodeLine(d.ToStored(it)))
	return ordered(t, string(line))
}

func ordered(t *testing.T, line string) string {
	t.Helper()
	var v any
	fatal.If(t, json.Unmarshal([]byte(line), &v))
	text := must(json.Marshal(v))
	return string(text)
}

// TestReadsByAllKindsOfKeys: GetItem, BatchGetItem with keys that were left unprocessed, and one page of a Query for
// each item, forwards and backwards, in tables with a Number as a key and without a sort key.
func TestReadsByAllKindsOfKeys(t *testing.T) {
	t.Parallel()
	for _, k := range tabletest.KeyTables() {
		t.Run(k.Name, func(t *testing.T) {
			t.Parallel()
			e := startKeyTable(t, k)
			var wanted []keys.Key
			lines := map[keys.Key]string{}
			for i, line := range strings.Split(strings.TrimSpace(k.Lines), "\n") {
				key := k.Key(t, k.Keys[i])
				wanted, lines[key] = append(wanted, key), ordered(t, line)
				got, err := e.Table.GetItem(t.Context(), request.GetItem{Key: key})
				if err != nil || len(got.Items) != 1 || got.ReadUnits != 0.5 {
					t.Fatalf("%s: %+v, %v", key, got, err)
				}
				if diff := cmp.Diff(lines[key], lineOf(t, k.Design, got.Items[0])); diff != "" {
					t.Error(diff)
				}
			}
			readBatches(t, e, wanted, lines, k.Design)
			for _, key := range wanted {
				for _, descending := range []bool{false, true} {
					readPages(t, e, k.Design, lines, key.PK, descending)
				}
			}
		})
	}
}

// readBatches reads all items by BatchGetItem, of which some are left unprocessed.
func readBatches(
	t *testing.T, e *tabletest.Engine, wanted []keys.Key, lines map[keys.Key]string, d *design.Design,
) {
	t.Helper()
	e = e.Again(t)
	e.Proxy.Inject(tabletest.Faults{Seed: 3, Unprocessed: 0.5})
	read := 0
	for requests := 0; len(wanted) > 0; requests++ {
		if requests == 100 {
			t.Fatal("keys remain unprocessed:", wanted)
		}
		got := must(e.Table.BatchGetItem(t.Context(), request.BatchGetItem{Keys: wanted}))
		for _, it := range got.Items {
			read++
			if key := keys.KeyOf(it); lines[key] != lineOf(t, d, it) {
				t.Errorf("%s: %s", key, lineOf(t, d, it))
			}
		}
		for _, key := range got.Unprocessed {
			if !slices.Contains(wanted, key) {
				t.Errorf("the key %q was not requested", key)
			}
		}
		wanted = got.Unprocessed
	}
	if read != len(lines) {
		t.Errorf("%d items, want %d", read, len(lines))
	}
}

// readPages reads a partition by pages of one item each.
func readPages(
	t *testing.T, e *tabletest.Engine, d *design.Design, lines map[keys.Key]string, pk keys.PK, descending bool,
) {
	t.Helper()
	var want, got []keys.SK
	for key := range lines {
		if key.PK == pk {
			want = append(want, key.SK)
		}
	}
	slices.Sort(want)
	if descending {
		slices.Reverse(want)
	}
	q := request.Query{PK: pk, Limit: 1, Descending: descending}
	for more := true; more; more = !q.Start.IsZero() {
		page, err := e.Table.Query(t.Context(), q)
		if err != nil || len(got) > len(lines) {
			t.Fatal(got, err)
		}
		for _, it := range page.Items {
			if key := keys.KeyOf(it); lines[key] != lineOf(t, d, it) {
				t.Errorf("%s: %s", key, lineOf(t, d, it))
			}
			got = append(got, keys.KeyOf(it).SK)
		}
		q.Start = page.Last
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q: sort keys %q, want %q", pk, got, want)
	}
}

// TestPagesOfIndexesOverAllKindsOfKeys: the position after an entry has the key of its item, in which a Number is one,
// and an attribute of both keys is there once.
func TestPagesOfIndexesOverAllKindsOfKeys(t *testing.T) {
	t.Parallel()
	tables := tabletest.KeyTables()
	for _, c := range []struct {
		of    tabletest.KeyTable
		pk    keys.PK
		index string
		want  []string
	}{
		{tables[0], "BRAND#Acme", "byBrand", []string{"101", "205"}},
		{tables[2], "Drama", "byGenre", []string{"987 Annals", "2013 Gravity", "2013 Rush"}},
	} {
		t.Run(c.of.Name, func(t *testing.T) {
			t.Parallel()
			e := startKeyTable(t, c.of)
			for _, descending := range []bool{false, true} {
				var got []string
				q := request.Query{Index: c.index, PK: c.pk, Limit: 1, Descending: descending}
				for more := true; more && len(got) < 10; more = !q.Start.IsZero() {
					page := must(e.Table.Query(t.Context(), q))
					for _, it := range page.Items {
						pk, sk := c.of.Design.Layout.ShowKey(keys.KeyOf(it))
						got = append(got, strings.TrimSpace(pk+" "+sk))
					}
					q.Start = page.Last
				}
				slices.Sort(got) // Entries with equal keys have no order.
				if want := slices.Sorted(slices.Values(c.want)); !slices.Equal(got, want) {
					t.Errorf("descending %t: %q, want %q", descending, got, want)
				}
			}
		})
	}
}

// TestWritesByAllKindsOfKeys: each kind of action finds its item, alone and in a transaction, and the failed condition
// of one is that of its key.
func TestWritesByAllKindsOfKeys(t *testing.T) {
	t.Parallel()
	for _, k := range tabletest.KeyTables() {
		t.Run(k.Name, func(t *testing.T) {
			t.Parallel()
			e := startKeyTable(t, k)
			first, second, third := k.Key(t, k.Keys[0]), k.Key(t, k.Keys[1]), k.Key(t, k.Keys[2])
			set := write.Action{
				Kind: write.ActionUpdate, Key: first, If: []write.Precondition{write.IfExists()},
				Set: item.Item{{Name: "seen", Value: item.StringValue("yes")}},
			}
			must(transact(t, e, set))
			if got := storedItem(t, e, first).Text("seen"); got != "yes" {
				t.Errorf("after an update: %q", got)
			}
			put := write.PutItem(storedItem(t, e, first), write.IfMissing())
			_, err := transact(t, e, set, write.DeleteItem(second), write.CheckItem(third, write.IfMissing()))
			failed, is := errors.AsType[*write.ConditionError](err)
			if !is || len(failed.Failed) != 1 || failed.Failed[0].Action != 2 {
				t.Errorf("the condition of %q: %v", third, err)
			}
			must(transact(t, e, write.DeleteItem(first), write.DeleteItem(second, write.IfExists())))
			if storedItem(t, e, first) != nil || storedItem(t, e, second) != nil || storedItem(t, e, third) == nil {
				t.Error("other items than the two are deleted")
			}
			if _, err := transact(t, e, put); err != nil || storedItem(t, e, first).Text("seen") != "yes" {
				t.Error("not put anew:", err)
			}
		})
	}
}

// stored returns an item, nil if there is none.
func storedItem(t *testing.T, e *tabletest.Engine, key keys.Key) item.Item {
	t.Helper()
	got := must(e.Table.GetItem(t.Context(), request.GetItem{Key: key, Consistent: true}))
	if len(got.Items) == 0 {
		return nil
	}
	return got.Items[0]
}
