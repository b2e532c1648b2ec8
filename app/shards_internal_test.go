package app

import (
	"bytes"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/partita/partita/exit"
	"github.com/partita/partita/internal/folder"
	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/item"
	"github.com/partita/partita/table"
	"github.com/partita/partita/write"
)

// spread is a folder with posts in this index.
func spread(t *testing.T, shards string) *Application {
	t.Helper()
	dir := t.TempDir()
	schema := fmt.Sprintf(`
extend type Query { posts(topic: Topic!, read: Boolean!): PostConnection @query(index: "GSI1", pk: "T#{topic}#{read}") }
enum Topic { NEWS SPORT }
type Post implements Node @item(pk: "POST#{id}", sk: "POST#{id}")
  @index(pk: "T#{topic}#{read}", sk: "{id}", %s) { id: ID! topic: Topic! read: Boolean! }
`, shards)
	if err := os.WriteFile(filepath.Join(dir, "posts.graphqls"), []byte(schema), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := folder.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	a := &Application{Name: "partita", about: " posts"}
	a.use(f)
	return a
}

// posts are n items as a schema with these shards writes them.
func posts(t *testing.T, n int, shards string) []item.Item {
	t.Helper()
	d := spread(t, shards).Design
	var all []item.Item
	for i := range n {
		items, err := write.ItemsOf(d, d.Type("Post"), item.Item{
			{Name: item.EntityType, Value: item.StringValue("Post")},
			{Name: "id", Value: item.StringValue(fmt.Sprint(i))},
			{Name: "topic", Value: item.StringValue("SPORT")},
			{Name: "read", Value: item.BoolValue(true)},
		})
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, items...)
	}
	return all
}

// TestShardsThatAreNotRead: a folder is not served if its table has entries in other shards than those that are read.
// With the fix it is, and costs nothing but the empty Queries.
func TestShardsThatAreNotRead(t *testing.T) {
	t.Parallel()
	settings := sampleSettings{TableSample: 100}
	for _, c := range []struct{ stored, declared, want, fixed string }{
		{"shards: 8", "shards: 8", "", ""},
		{"shards: 8", "shards: 4", "write was: [8] in ", "shards: 4, was: [8]"},
		{"shards: 16", "shards: 4", "write was: [16] in ", "shards: 4, was: [16]"},
		{"shards: 96", "shards: 2", "write was: [96] in ", "shards: 2, was: [96]"}, // a multiple of many numbers
		{"shards: 8", "shards: 1", "write was: [8] in ", "shards: 1, was: [8]"},
		{"shards: 1", "shards: 4", "write was: [1] in ", "shards: 4, was: [1]"},
		{"shards: 16", "shards: 4, was: [8]", "write was: [8, 16] in ", "shards: 4, was: [8, 16]"},
		{"shards: 100", "shards: 99", "write was: [100] in ", "shards: 99, was: [100]"},
		{"shards: 4", "shards: 8", "", ""}, // all are read
	} {
		e := tabletest.Start(t, table.SchemaOf(spread(t, c.declared).Design))
		e.Load(t, posts(t, 400, c.stored)...)
		check := func(shards string) error {
			return settings.checkShards(t.Context(), spread(t, shards), e.Table, slog.New(slog.DiscardHandler))
		}
		e.Proxy.Reset()
		err := check(c.declared)
		if c.want != "" {
			tabletest.WantExitError(t, err, exit.Config, c.want)
			e.Proxy.Reset()
			err = check(c.fixed)
		}
		if err != nil {
			t.Errorf("%s after %s: %v", c.declared, c.stored, err)
		}
		queries := 4 * (1 + 8) // each topic, read or not: one without a shard, and the first ones beyond
		switch {
		case strings.Contains(c.declared+c.fixed, "1,") || strings.Contains(c.fixed, "[1]"):
			queries = 4 * 8
		case strings.Contains(c.fixed, "96"):
			queries = 4 * (1 + 4)
		case strings.Contains(c.fixed, "100"):
			queries = 4
		}
		n := e.Proxy.Counts()
		if got, want := fmt.Sprint(n.Requests), fmt.Sprintf("map[Query:%d]", queries); got != want ||
			n.ReadUnits != float64(queries)/2 {
			t.Errorf("%s after %s: %s, %v read units; want %s", c.declared, c.stored, got, n.ReadUnits, want)
		}
	}
}

// TestShardsOfAnotherProgram: its entries are found although no number of shards leads to their shards, and so are
// those that only the sample shows. A table that does not say so, with tenants, or without a sample delays nothing.
func TestShardsOfAnotherProgram(t *testing.T) {
	t.Parallel()
	a := spread(t, "shards: 2")
	e := tabletest.Start(t, a.tableSchema())
	for i, it := range posts(t, 5, "shards: 2") {
		for n := range it {
			if it[n].Name == "GSI1PK" {
				it[n].Value = item.StringValue(fmt.Sprint("T#SPORT#true#", i+2))
			}
		}
		e.Load(t, it)
	}
	var b bytes.Buffer
	log := slog.New(slog.NewTextHandler(&b, nil))
	settings := sampleSettings{TableSample: 100}
	const problem = "entries of Post in index GSI1 are in shards that are not read, such as that of POST#"
	tabletest.WantExitError(t, settings.checkShards(t.Context(), a, e.Table, log), exit.Config, problem)
	settings.log(t.Context(), a, e.Table, log)
	for _, part := range []string{"level=ERROR", "items are missing in answers", problem, `write was: [7] in `} {
		if !strings.Contains(b.String(), part) {
			t.Errorf("the log has no %s: %s", part, &b)
		}
	}
	e.Proxy.Inject(tabletest.Faults{ErrorCode: "AccessDeniedException"})
	b.Reset()
	err := settings.checkShards(t.Context(), a, e.Table, log)
	if err != nil || !strings.Contains(b.String(), "level=INFO") {
		t.Errorf("without the permission: %v, %s", err, &b)
	}
	e.Proxy.Inject(tabletest.Faults{})
	e.Proxy.Reset()
	tenants := e.Table.Schema()
	tenants.Tenants = true
	for _, err := range []error{
		sampleSettings{}.checkShards(t.Context(), a, e.Table, log),
		settings.checkShards(t.Context(), a, e.Table.WithSchema(tenants), log),
	} {
		if n := e.Proxy.Counts().Requests; err != nil || len(n) > 0 {
			t.Errorf("got %v, requests %v", err, n)
		}
	}
}
