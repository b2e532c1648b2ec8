package importer_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/partita/partita/exit"
	"github.com/partita/partita/internal/importer"
	"github.com/partita/partita/internal/soak"
	"github.com/partita/partita/item"
)

// TestRandomItems: whatever the items are, the result is a schema that the checks accept, or an error that says what to
// do. The items are some of those of the nine tables and of the
// public designs, changed at random.
func TestRandomItems(t *testing.T) {
	t.Parallel()
	paths, err := filepath.Glob(filepath.Join(systems, "*", "data.jsonl"))
	public, publicErr := filepath.Glob(filepath.Join(designs, "*", "data.jsonl"))
	if err != nil || publicErr != nil || len(paths) == 0 || len(public) == 0 {
		t.Fatal("no tables", err, publicErr)
	}
	var tables [][]item.Item
	for _, path := range append(paths, public...) {
		tables = append(tables, itemsOf(t, path))
	}
	for seed := range soak.Seeds(600) {
		r := rand.New(rand.NewPCG(seed, 0))
		items := change(r, tables[r.IntN(len(tables))])
		_, err := importer.Import(all(items), importer.Options{Partial: func() bool { return r.IntN(2) == 0 }})
		var e *exit.Error
		if err != nil && !errors.As(err, &e) {
			t.Errorf("seed %d: %v", seed, err)
		}
	}
}

// change returns some of the items, with attributes that are missing, renamed, or have the value of others.
func change(r *rand.Rand, items []item.Item) []item.Item {
	var some []item.Item
	keep := 1 + r.IntN(100)
	names := map[string]string{}
	values := []item.Value{
		item.StringValue(""), item.StringValue("a#b/c:d|e"), item.StringValue("ÄÖ"), item.StringValue("0017"),
		item.IntValue(1 << 40), item.IntValue(1700000000), item.FloatValue(-0.5), item.BoolValue(true),
		item.ListValue(nil), item.FieldsValue(nil), {}, {Kind: item.Binary, Text: "\x00"},
		item.StringValue("2026-01-01T00:00:00.000Z"), item.StringValue("first"),
	}
	other := []string{
		"id", "first", "__x", "é", "1a", "node", "nodes", "viewer", "Query", "deletedAt", "PK", "entityType", "a-b",
	}
	chance := r.IntN(60)
	for _, it := range items {
		if r.IntN(100) >= keep {
			continue
		}
		it = slices.SortedFunc(slices.Values(it), func(a, b item.Attribute) int {
			return strings.Compare(a.Name, b.Name)
		})
		for i := range it {
			name := it[i].Name
			if _, known := names[name]; !known {
				names[name] = name
				if r.IntN(6) == 0 {
					names[name] = fmt.Sprint(other[r.IntN(len(other))], len(names))[:1+r.IntN(3)] + name
				}
				if r.IntN(10) == 0 {
					names[name] = other[r.IntN(len(other))]
				}
			}
			it[i].Name = names[name]
			if r.IntN(1000) < chance {
				it[i].Value = values[r.IntN(len(values))]
			}
		}
		some = append(some, it)
	}
	return some
}
