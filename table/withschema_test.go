package table_test

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"

	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/request"
	"github.com/partita/partita/table"
)

// TestWithSchema: a table with another schema has the indexes of that one, and the connections of the first table.
func TestWithSchema(t *testing.T) {
	t.Parallel()
	var connections atomic.Int32
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, "{}")
	}))
	server.Config.ConnContext = func(ctx context.Context, _ net.Conn) context.Context {
		connections.Add(1)
		return ctx
	}
	server.Start()
	t.Cleanup(server.Close)
	settings := table.Settings{Endpoint: server.URL, BySDK: tabletest.BySDK}
	first := must(table.Open(t.Context(), settings, table.Schema{Indexes: []string{"GSI1"}}, discard))
	t.Cleanup(func() { first.Close() })
	second := first.WithSchema(table.Schema{Indexes: []string{"GSI2"}})
	for _, c := range []struct {
		of    *table.Table
		index string
		has   bool
	}{{first, "GSI1", true}, {second, "GSI2", true}, {second, "GSI1", false}, {first, "GSI2", false}, {second, "", true}} {
		if _, err := c.of.Query(t.Context(), request.Query{Index: c.index, PK: "P", Limit: 1}); (err == nil) != c.has {
			t.Errorf("the index %q of %v: %v", c.index, c.of.Schema().Indexes, err)
		}
	}
	if n := connections.Load(); n != 1 {
		t.Errorf("%d connections, want 1", n)
	}
}
