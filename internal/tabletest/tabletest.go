// Package tabletest has a real table for tests: the local engine in memory, and a
// Proxy in front of it that counts and records each HTTP request and can inject
// faults.
//
// Words: a fault is what the Proxy does instead of, or beside, forwarding a request.
// A Hold delays requests until the test releases them.
package tabletest

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/table/admin"
	"github.com/partita/partita/internal/table/local"
	"github.com/partita/partita/item"
	"github.com/partita/partita/table"
)

// startTimeout is generous, for machines that are busy with other tests.
const startTimeout = 30 * time.Second

// Engine is a local engine with one table, and the Proxy in front of it.
type Engine struct {
	// Table goes through the Proxy.
	Table *table.Table
	// Settings open further tables through the Proxy.
	Settings table.Settings
	Proxy    *Proxy

	direct   *table.Table
	endpoint string
	schema   table.Schema
	process  *local.Engine
	database string
}

// BySDK is the setting of the same name in the tables that Start opens.
var BySDK bool

// BothWays returns tests that run twice: with reads that package wire sends, and with reads that the SDK sends.
func BothWays(m *testing.M) interface{ Run() int } { return bothWays{m} }

type bothWays struct{ *testing.M }

// Run runs the tests, and the second time only if the first has succeeded.
func (b bothWays) Run() int {
	for _, BySDK = range []bool{false, true} {
		if code := b.M.Run(); code != 0 {
			fmt.Fprintf(os.Stderr, "with BySDK %v\n", BySDK)
			return code
		}
	}
	return 0
}

// Start runs the engine until the test ends, with an empty table made from the
// schema. The engine is the binary that the environment's DYNOXIDE names, or
// else that in node_modules of the working directory or above it. Its log is
// discarded.
func Start(tb testing.TB, schema table.Schema) *Engine {
	tb.Helper()
	e := start(tb, schema, "")
	fatal.If(tb, admin.Create(tb.Context(), e.direct))
	return e
}

// StartStored is Start with a table in a file, for Restart.
func StartStored(tb testing.TB, schema table.Schema) *Engine {
	tb.Helper()
	e := start(tb, schema, filepath.Join(tb.TempDir(), "table.db"))
	fatal.If(tb, admin.Create(tb.Context(), e.direct))
	return e
}

// start runs the engine on a database; "" is one in memory, and empty.
func start(tb testing.TB, schema table.Schema, database string) *Engine {
	tb.Helper()
	e := &Engine{schema: schema, database: database}
	e.run(tb)
	return e.Again(tb)
}

// run starts the process.
func (e *Engine) run(tb testing.TB) {
	tb.Helper()
	binary, err := local.FindEngine(os.Getenv("DYNOXIDE"))
	fatal.If(tb, err)
	log := slog.New(slog.DiscardHandler)
	e.process, err = local.StartEngine(tb.Context(),
		local.EngineSettings{Binary: binary, Database: e.database, Log: log})
	fatal.If(tb, err)
	tb.Cleanup(func() { closeAll(tb, e.process.Close) })
	fatal.If(tb, e.process.AddSeveral(e.schema))
	e.endpoint = e.process.Endpoint()
	e.direct = open(tb, settings(e.endpoint), e.schema)
}

// Restart kills the engine, and starts it again on what it has stored. Other tables of the engine, as of Again, have
// none then.
func (e *Engine) Restart(tb testing.TB) {
	tb.Helper()
	process, err := os.FindProcess(e.process.PID())
	fatal.If(tb, err)
	_ = process.Kill() // It fails only if the process has ended.
	<-e.process.Died() //nolint:errcheck // that it has ended
	e.run(tb)
	e.Proxy.direct(e.endpoint)
}

// Again returns the same table behind another Proxy, which counts on its own and has no faults.
func (e *Engine) Again(tb testing.TB) *Engine {
	tb.Helper()
	proxy, err := NewProxy(e.endpoint, e.schema.Layout())
	fatal.If(tb, err)
	tb.Cleanup(proxy.Close)
	again := *e
	again.Proxy, again.Settings = proxy, settings(proxy.URL())
	again.Table = open(tb, again.Settings, e.schema)
	return &again
}

// Direct returns the same table without a Proxy, for tests that neither count requests nor need faults.
func (e *Engine) Direct() *Engine {
	direct := *e
	direct.Table, direct.Settings, direct.Proxy = e.direct, settings(e.endpoint), nil
	return &direct
}

// With returns the same table behind another Proxy, with a schema that has the same keys and indexes.
func (e *Engine) With(tb testing.TB, schema table.Schema) *Engine {
	tb.Helper()
	other := *e
	other.schema = schema
	other.direct = open(tb, settings(e.endpoint), schema)
	return other.Again(tb)
}

// LoadLines puts the items in the lines of r as admin.Load does, without the Proxy.
func (e *Engine) LoadLines(tb testing.TB, r io.Reader) {
	tb.Helper()
	if _, err := admin.Load(tb.Context(), e.direct, r); err != nil {
		tb.Fatal(err)
	}
}

// Load puts items without the Proxy, so that they are neither counted nor affected by faults.
func (e *Engine) Load(tb testing.TB, items ...item.Item) {
	tb.Helper()
	if _, err := admin.LoadItems(tb.Context(), e.direct, slices.Values(items)); err != nil {
		tb.Fatal(err)
	}
}

func settings(endpoint string) table.Settings {
	return table.Settings{
		Endpoint: endpoint, Region: "us-east-1", StartTimeout: startTimeout, RequestTimeout: startTimeout,
		BySDK: BySDK,
	}
}

func open(tb testing.TB, s table.Settings, schema table.Schema) *table.Table {
	tb.Helper()
	t, err := table.Open(context.WithoutCancel(tb.Context()), s, schema, slog.New(slog.DiscardHandler))
	fatal.If(tb, err)
	tb.Cleanup(func() { closeAll(tb, t.Close) })
	return t
}

func closeAll(tb testing.TB, closers ...func() error) {
	tb.Helper()
	for _, c := range closers {
		if err := c(); err != nil {
			tb.Error(err)
		}
	}
}
