package admin_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/partita/partita/exit"
	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/table/admin"
	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/stored"
	"github.com/partita/partita/request"
	"github.com/partita/partita/table"
)

// exportLines returns lines as Export writes them, attributes in order.
func exportLines(n int) []string {
	lines := make([]string, n)
	for i := range lines {
		lines[i] = fmt.Sprintf(
			`{"Item":{"PK":{"S":"P%d"},"SK":{"S":"%05d"},"n":{"N":"%d"},"set":{"SS":["a","b"]}}}`, i%7, i, i)
	}
	return lines
}

func export(t *testing.T, opened *table.Table) []string {
	t.Helper()
	var out bytes.Buffer
	n := must(admin.Export(t.Context(), opened, &out))
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
	fatal.If(t, json.Unmarshal([]byte(text), &v))
	sorted := must(json.Marshal(v))
	return string(sorted)
}

func TestLoadAndExport(t *testing.T) {
	t.Parallel()
	lines := exportLines(1003)
	text := strings.Join(lines, "\n")
	var zipped bytes.Buffer
	w := gzip.NewWriter(&zipped)
	must(w.Write([]byte(text)))
	fatal.If(t, w.Close())
	for name, input := range map[string]string{"plain": text + "\n", "gzip": zipped.String()} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := tabletest.Start(t, schema)
			e.Proxy.Inject(tabletest.Faults{Seed: 6, Unprocessed: 0.3, Throttled: 0.1})
			stats := must(admin.Load(t.Context(), e.Table, strings.NewReader(input)))
			if stats != (admin.LoadStats{Items: 1003, Lines: 1003}) {
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
		`{"Item":`:                                    "not a JSON object",
		`{"PK":{"S":"A"}}`:                            `no "Item"`,
		`{"Item":{"PK":{"S":"A"}}}`:                   "no SK, a key of the table",
		`{"Item":{"PK":"A","SK":"B"}}`:                "not an item in DynamoDB's JSON",
		`{"Item":{"PK":{"N":"1"},"SK":{"S":"B"}}}`:    "PK is not of type S, as the key of the table",
		"\x1f\x8b nonsense":                           "not a JSON object",
		strings.Repeat("x", 5<<20):                    "longer than 4 MiB",
		`[]`:                                          "not an object but of the type array",
		`{"Item":1}`:                                  "not an item in DynamoDB's JSON, such as",
		`{"Item":{"PK":null,"SK":{"S":"B"}}}`:         "no value",
		good[:20] + "\x00":                            "not JSON at byte",
		withN(`{"N":"NaN"}`):                          `"n": "NaN" is no number`,
		withN(`{"N":"Infinity"}`):                     "is no number",
		withN(`{"N":""}`):                             "is no number",
		withN(`{"NS":["1","0x1"]}`):                   "is no number",
		withN(`{"M":{"a":{"L":[{"N":"1e"}]}}}`):       "is no number",
		withN(lists(100) + strings.Repeat(`]}`, 100)): "deeper than 32 levels",
		withN(lists(100_000)):                         "not JSON",
		withN(`{"S":"a","N":"1"}`):                    "a value has one type",
		withN(`{"s":"a"}`):                            "a value has one type",
		withN(`{"M":{"a":{"L":[{"S":"","N":"1"}]}}}`): "a value has one type",
		withN("{\"S\":\"\xff\"}"):                     "not in UTF-8",
	} {
		_, err := admin.Load(t.Context(), e.Table, strings.NewReader(good+bad+"\n"+good))
		var line *admin.LineError
		if !errors.As(err, &line) || line.Number != 31 || !strings.Contains(err.Error(), reason) {
			t.Errorf("%.40q: got %v", bad, err)
		}
	}
	_, err := admin.Load(t.Context(), e.Table, strings.NewReader("\x1f\x8b nonsense"))
	if err == nil || !strings.Contains(err.Error(), "line 1: the gzip file is damaged") {
		t.Errorf("got %v", err)
	}
	var zipped bytes.Buffer
	w := gzip.NewWriter(&zipped)
	must(w.Write([]byte(good)))
	fatal.If(t, w.Close())
	cut := bytes.NewReader(zipped.Bytes()[:zipped.Len()/2])
	if _, err := admin.Load(t.Context(), e.Table, cut); err == nil || !strings.Contains(err.Error(), "is cut off") {
		t.Errorf("of a file that is cut off: %v", err)
	}
}

// TestLoadRepeatsWhatHasNoAnswer: a busy endpoint that does not answer for a while does not end a load. What it rejects
// is an error of the data.
func TestLoadRepeatsWhatHasNoAnswer(t *testing.T) {
	t.Parallel()
	e := tabletest.Start(t, schema)
	var lost atomic.Int64
	e.Proxy.Inject(tabletest.Faults{Lost: 1, Only: func(r tabletest.Request) bool {
		return r.Operation == "BatchWriteItem" && lost.Add(1) <= 20
	}})
	stats, err := admin.Load(t.Context(), e.Table, strings.NewReader(strings.Join(exportLines(20), "\n")))
	if err != nil || stats.Items != 20 {
		t.Errorf("got %+v, %v", stats, err)
	}
	e.Proxy.Inject(tabletest.Faults{ErrorCode: "ValidationException"})
	_, err = admin.Load(t.Context(), e.Table, strings.NewReader(exportLines(1)[0]))
	if end, is := errors.AsType[*exit.Error](err); !is || end.Code != exit.DataError {
		t.Errorf("got %v", err)
	}
}

// TestLoadNamesWhatIsNotStored: one item that DynamoDB does not store is named, and those before it are stored.
func TestLoadNamesWhatIsNotStored(t *testing.T) {
	t.Parallel()
	e := tabletest.Start(t, schema)
	lines := exportLines(20)
	lines[9] = withN(`{"SS":["a","a"]}`)
	stats, err := admin.Load(t.Context(), e.Table, strings.NewReader(strings.Join(lines, "\n")))
	if end, is := errors.AsType[*exit.Error](err); !is || end.Code != exit.DataError ||
		!strings.Contains(end.Problem, `the key "A" "B"`) || stats.Items != 9 {
		t.Errorf("got %+v, %v", stats, err)
	}
}

// TestLoadLeavesLeasesOut: an export to S3 has the leases of the table, which would replace those of replicas that run.
func TestLoadLeavesLeasesOut(t *testing.T) {
	t.Parallel()
	e := tabletest.Start(t, schema)
	lease := `{"Item":{"PK":{"S":"` + stored.LeasePK + `"},"SK":{"S":"LEASE#0"},"holder":{"S":"another"}}}`
	stats, err := admin.Load(t.Context(), e.Table, strings.NewReader(lease+"\n"+exportLines(1)[0]))
	if err != nil || stats.Items != 1 {
		t.Errorf("got %+v, %v", stats, err)
	}
	got, err := e.Table.GetItem(t.Context(), request.GetItem{Key: keys.Key{PK: stored.LeasePK, SK: "LEASE#0"}})
	if err != nil || len(got.Items) != 0 {
		t.Errorf("got %v, %v", got, err)
	}
}

// TestLoadOfAFolder: what cannot be read is not an error of a line.
func TestLoadOfAFolder(t *testing.T) {
	t.Parallel()
	dir, err := os.Open(t.TempDir())
	fatal.If(t, err)
	defer func() { _ = dir.Close() }() // it was only read
	_, err = admin.Load(t.Context(), tabletest.Start(t, schema).Table, dir)
	if path, is := errors.AsType[*fs.PathError](err); !is || errors.As(err, new(*admin.LineError)) {
		t.Errorf("got %v, %v", err, path)
	}
}

func TestLoadTellsWhatFailed(t *testing.T) {
	t.Parallel()
	e := tabletest.Start(t, schema)
	e.Proxy.Inject(tabletest.Faults{ErrorCode: "AccessDeniedException"})
	stats, err := admin.Load(t.Context(), e.Table, strings.NewReader(strings.Join(exportLines(100), "\n")))
	if !errors.Is(err, request.ErrAccessDenied) || stats.Items != 0 {
		t.Errorf("got %+v, %v", stats, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := admin.Load(ctx, e.Table, strings.NewReader("")); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// Of two items with one key in a batch the later one is stored.
func TestLoadItemsKeepsTheLast(t *testing.T) {
	t.Parallel()
	e := tabletest.Start(t, schema)
	must(admin.LoadItems(t.Context(), e.Table, slices.Values([]item.Item{
		tabletest.Stored("A", "A", "name", "first"), tabletest.Stored("B", "B"),
		tabletest.Stored("A", "A", "name", "last"),
	})))
	got, err := e.Table.GetItem(t.Context(), request.GetItem{Key: keys.Key{PK: "A", SK: "A"}})
	if err != nil || len(got.Items) != 1 || got.Items[0].Text("name") != "last" {
		t.Errorf("got %v, %v", got, err)
	}
}

// withN returns a line with an item whose attribute n has a value.
func withN(value string) string { return `{"Item":{"PK":{"S":"A"},"SK":{"S":"B"},"n":` + value + `}}` }

// lists returns the beginnings of nested lists.
func lists(n int) string { return strings.Repeat(`{"L":[`, n) }
