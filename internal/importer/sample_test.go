package importer_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/importer"
	"github.com/partita/partita/internal/table/admin"
	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/request"
	"github.com/partita/partita/table"
)

// start returns a table with that many users.
func start(t *testing.T, users int) *tabletest.Engine {
	t.Helper()
	e := tabletest.Start(t, table.Schema{Indexes: []string{"GSI1"}})
	items := make([]item.Item, users)
	for i := range items {
		id := fmt.Sprintf("u%05d", i)
		items[i] = tabletest.Stored("USER#"+id, "USER#"+id, "entityType", "User", "id", id,
			"GSI1PK", "EMAIL#"+id+"@x.org", "GSI1SK", "USER#"+id, "email", id+"@x.org")
	}
	e.Load(t, items...)
	return e
}

// TestSample: a sample consumes no more than its budget, and its items are from all parts of the table.
func TestSample(t *testing.T) {
	t.Parallel()
	e := start(t, 4000)
	const budget = 150
	sample, options, err := importer.NewSample(t.Context(), e.Table, budget)
	fatal.If(t, err)
	e.Proxy.Reset()
	read := map[string]bool{}
	result, err := importer.Import(func(yield func(item.Item, error) bool) {
		for it, err := range sample.Items(t.Context()) {
			read[it.Text("PK")] = true
			if !yield(it, err) {
				return
			}
		}
	}, options)
	fatal.If(t, err)
	used := e.Proxy.Counts().ReadUnits
	if used > budget || used < budget/2 || sample.Left() != budget-used {
		t.Errorf("%v read units, %v left", used, sample.Left())
	}
	if r := result.Report; !r.Partial || r.Items >= 4000 || r.Items < 100 || r.Classified() != 1 {
		t.Errorf("got %s", r)
	}
	if n := positions(t, e, read); n[0] == 0 || n[1] == 0 || n[2] == 0 || n[3] == 0 {
		t.Errorf("items by quarter of the table: %v", n)
	}
	if !strings.Contains(result.Schema, `@index(name: "GSI1", pk: "EMAIL#{email}", sk: "USER#{id}")`) {
		t.Errorf("the index is missing:\n%s", result.Schema)
	}
}

// positions returns how many of the items are in each quarter of the table, in the order of a Scan.
func positions(t *testing.T, e *tabletest.Engine, read map[string]bool) (quarters [4]int) {
	t.Helper()
	var all []item.Item
	scanner := admin.Scanner{Table: e.Table}
	for start := (keys.Key{}); ; {
		page, err := scanner.Scan(t.Context(), admin.Scan{Start: start})
		fatal.If(t, err)
		all = append(all, page.Items...)
		if start = page.Last.Base; start == (keys.Key{}) {
			break
		}
	}
	for i, it := range all {
		if read[it.Text("PK")] {
			quarters[4*i/len(all)]++
		}
	}
	return quarters
}

// TestSampleOfAll: a table that the budget suffices for is no sample.
func TestSampleOfAll(t *testing.T) {
	t.Parallel()
	e := start(t, 40)
	sample, options, err := importer.NewSample(t.Context(), e.Table, 1000)
	fatal.If(t, err)
	result, err := importer.Import(sample.Items(t.Context()), options)
	fatal.If(t, err)
	if r := result.Report; r.Partial || r.Items != 40 {
		t.Errorf("got %s", r)
	}
}

// TestSampleWithoutSortKey: the description of a table has that it has no sort key, and a Number as its key.
func TestSampleWithoutSortKey(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(designs, "sample-productcatalog")
	items := itemsOf(t, filepath.Join(dir, "data.jsonl"))
	want := importFile(t, filepath.Join(dir, "data.jsonl"), readDesign(t, dir).options(t))
	s := serve(t, items, want.Schema)
	sample, options, err := importer.NewSample(t.Context(), s.table, 1000)
	fatal.If(t, err)
	options.Table = "ProductCatalog"
	result, err := importer.Import(sample.Items(t.Context()), options)
	if err != nil || result.Schema != want.Schema {
		t.Errorf("%v, %s\nwant %s", err, result.Schema, want.Schema)
	}
}

func TestSampleErrors(t *testing.T) {
	t.Parallel()
	e := start(t, 40)
	sample, options, err := importer.NewSample(t.Context(), e.Table, 1000)
	fatal.If(t, err)
	e.Proxy.Inject(tabletest.Faults{ErrorCode: "AccessDeniedException"})
	if _, err := importer.Import(sample.Items(t.Context()), options); !errors.Is(err, request.ErrAccessDenied) {
		t.Errorf("got %v", err)
	}
	if _, _, err := importer.NewSample(t.Context(), e.Table, 1000); !errors.Is(err, request.ErrAccessDenied) {
		t.Errorf("got %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := importer.Import(sample.Items(ctx), options); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// TestMemory: of an export with many items, and many kinds of keys, a limited number is kept, and all are counted.
func TestMemory(t *testing.T) {
	t.Parallel()
	const items = 70_000
	kept, result, err := importer.ImportCounting(func(yield func(item.Item, error) bool) {
		for i := range items {
			kind := fmt.Sprintf("KIND_%c", 'A'+i%26)
			if i%2 == 0 {
				kind = "USER"
			}
			it := tabletest.Stored(fmt.Sprintf("%s#%d", kind, i), kind, "text", strings.Repeat("x", 10))
			if !yield(it, nil) {
				return
			}
		}
	}, importer.Options{PK: "PK", SK: "SK"})
	fatal.If(t, err)
	if kept > importer.MaxKept {
		t.Errorf("%d items are kept", kept)
	}
	r := result.Report
	i := slices.IndexFunc(r.Types, func(t importer.TypeReport) bool { return t.Name == "User" })
	if r.Items != items || i < 0 || r.Types[i].Items != items/2 || r.Classified() < 0.999 {
		t.Errorf("%d items, %.3f classified, %v", r.Items, r.Classified(), r.Types[max(0, i)])
	}
}
