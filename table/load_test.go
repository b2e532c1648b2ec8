package table_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/loaders/request"
	"github.com/partita/partita/table"
	"github.com/partita/partita/table/tabletest"
)

// exportLines are lines as Export writes them, attributes in order.
func exportLines(n int) []string {
	lines := make([]string, n)
	for i := range lines {
		lines[i] = fmt.Sprintf(`{"Item":{"PK":{"S":"P%d"},"SK":{"S":"%05d"},"n":{"N":"%d"},"set":{"SS":["a","b"]}}}`, i%7, i, i)
	}
	return lines
}

func export(t *testing.T, opened *table.Table) []string {
	t.Helper()
	var out bytes.Buffer
	n, err := opened.Export(t.Context(), &out)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
	if n != len(lines) {
		t.Errorf("%d items reported, %d lines", n, len(lines))
	}
	return lines
}

// canonicalLines makes lines comparable: an item's attributes and a table's
// items come in any order.
func canonicalLines(t *testing.T, lines []string) []string {
	t.Helper()
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = sortedJSON(t, l)
	}
	slices.Sort(out)
	return out
}

func sortedJSON(t *testing.T, text string) string {
	t.Helper()
	var v any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatal(err)
	}
	sorted, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(sorted)
}

func TestLoadAndExport(t *testing.T) {
	t.Parallel()
	lines := exportLines(1003)
	text := strings.Join(lines, "\n")
	var zipped bytes.Buffer
	w := gzip.NewWriter(&zipped)
	if _, err := w.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	for name, input := range map[string]string{"plain": text + "\n", "gzip": zipped.String()} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := tabletest.Start(t, schema)
			e.Proxy.Inject(tabletest.Faults{Seed: 6, Unprocessed: 0.3, Throttled: 0.1})
			stats, err := e.Table.Load(t.Context(), strings.NewReader(input))
			if err != nil {
				t.Fatal(err)
			}
			if stats != (table.LoadStats{Items: 1003, Lines: 1003}) {
				t.Errorf("got %+v", stats)
			}
			if e.Proxy.Counts().Unprocessed == 0 {
				t.Error("no put was left unprocessed")
			}
			got := canonicalLines(t, export(t, e.Table))
			if want := canonicalLines(t, lines); !slices.Equal(got, want) {
				t.Errorf("got %d lines, want %d; first %s", len(got), len(want), got[0])
			}
		})
	}
}

func TestLoadMalformedLine(t *testing.T) {
	t.Parallel()
	e := tabletest.Start(t, schema)
	good := strings.Join(exportLines(30), "\n") + "\n"
	for bad, reason := range map[string]string{
		`{"Item":`:                                 "not a JSON object",
		`{"PK":{"S":"A"}}`:                         `no "Item"`,
		`{"Item":{"PK":{"S":"A"}}}`:                "no string PK and SK",
		`{"Item":{"PK":"A","SK":"B"}}`:             "not an item in DynamoDB's JSON",
		`{"Item":{"PK":{"N":"1"},"SK":{"S":"B"}}}`: "no string PK and SK",
		"\x1f\x8b nonsense":                        "not a JSON object",
		strings.Repeat("x", 5<<20):                 "too long",
	} {
		_, err := e.Table.Load(t.Context(), strings.NewReader(good+bad+"\n"+good))
		var line *table.LineError
		if !errors.As(err, &line) || line.Number != 31 || !strings.Contains(err.Error(), reason) {
			t.Errorf("%.40q: got %v", bad, err)
		}
	}
	_, err := e.Table.Load(t.Context(), strings.NewReader("\x1f\x8b nonsense"))
	if err == nil || !strings.Contains(err.Error(), "line 1: not gzip") {
		t.Errorf("got %v", err)
	}
}

func TestLoadTellsWhatFailed(t *testing.T) {
	t.Parallel()
	e := tabletest.Start(t, schema)
	e.Proxy.Inject(tabletest.Faults{Refuse: "AccessDeniedException"})
	stats, err := e.Table.Load(t.Context(), strings.NewReader(strings.Join(exportLines(100), "\n")))
	if !errors.Is(err, request.ErrAccessDenied) || stats.Items != 0 {
		t.Errorf("got %+v, %v", stats, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := e.Table.Load(ctx, strings.NewReader("")); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// Of two items with one key in a batch the later one stays.
func TestBatchWriteKeepsTheLast(t *testing.T) {
	t.Parallel()
	e := tabletest.Start(t, schema)
	err := e.Table.BatchWrite(t.Context(), []item.Item{
		stored("A", "A", "name", "first"), stored("B", "B"), stored("A", "A", "name", "last"),
	})
	if err != nil {
		t.Fatal(err)
	}
	got, err := e.Table.GetItem(t.Context(), request.GetItem{Key: keys.Key{PK: "A", SK: "A"}})
	if err != nil || len(got.Items) != 1 || got.Items[0].Text("name") != "last" {
		t.Errorf("got %v, %v", got, err)
	}
}

// BenchmarkLoad fills a local engine on disk with 25,000 items of the demo
// data's size, by BatchWriteItem and by the engine's import.
func BenchmarkLoad(b *testing.B) {
	const n = 25000
	items := func(yield func(item.Item) bool) {
		for i := range n {
			if !yield(stored(fmt.Sprintf("USER#%d", i%200), fmt.Sprintf("ORDER#%d", i), "entityType", "Order",
				"GSI1PK", fmt.Sprintf("STATUS#%d", i%16), "GSI1SK", fmt.Sprint(i), "name", strings.Repeat("x", 60))) {
				return
			}
		}
	}
	b.Run("BatchWriteItem", func(b *testing.B) {
		for b.Loop() {
			opened, err := table.Open(b.Context(), local(b.TempDir()), schema, discard)
			if err != nil {
				b.Fatal(err)
			}
			if err := opened.CreateTable(b.Context()); err != nil {
				b.Fatal(err)
			}
			if _, err := opened.LoadItems(b.Context(), items); err != nil {
				b.Fatal(err)
			}
			opened.Close()
		}
		b.ReportMetric(n*float64(b.N)/b.Elapsed().Seconds(), "items/s")
	})
	b.Run("Seed", func(b *testing.B) {
		for b.Loop() {
			s := local(b.TempDir())
			s.Seed = items
			opened, err := table.Open(b.Context(), s, schema, discard)
			if err != nil {
				b.Fatal(err)
			}
			opened.Close()
		}
		b.ReportMetric(n*float64(b.N)/b.Elapsed().Seconds(), "items/s")
	})
}

func writeFile(tb testing.TB, path, text string) {
	tb.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		tb.Fatal(err)
	}
}

// relative is path from the working directory.
func relative(tb testing.TB, path string) string {
	tb.Helper()
	dir, err := os.Getwd()
	if err != nil {
		tb.Fatal(err)
	}
	short, err := filepath.Rel(dir, path)
	if err != nil {
		tb.Fatal(err)
	}
	return short
}
