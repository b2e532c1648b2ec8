package app

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/partita/partita/internal/defaults"
	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/folder"
	"github.com/partita/partita/internal/gateway"
	"github.com/partita/partita/internal/gateway/auth"
	"github.com/partita/partita/internal/table/local"
	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/table"
)

// notes is a schema with a field of a name.
func notes(field string) string {
	return fmt.Sprintf(`extend type Query { note(id: ID!): Note @get(pk: "NOTE#{id}", sk: "NOTE#{id}") }
type Note implements Node @item(pk: "NOTE#{id}", sk: "NOTE#{id}") { id: ID! %s: String }
`, field)
}

// watched is a folder that is served by a watcher.
type watched struct {
	*watcher
	url string
	// engine has the table, and connections is how many connections it has accepted.
	engine      *tabletest.Engine
	connections *atomic.Int32
	path        string
}

func startWatched(t *testing.T) *watched {
	t.Helper()
	dir := t.TempDir()
	s := &watched{path: filepath.Join(dir, "notes.graphqls"), connections: new(atomic.Int32)}
	s.save(t, notes("text"))
	f, err := folder.Open(dir)
	fatal.If(t, err)
	a := &Application{Name: defaultName}
	a.use(f)
	s.engine = tabletest.Start(t, a.tableSchema())
	s.engine.Load(t, tabletest.Stored("NOTE#1", "NOTE#1",
		"entityType", "Note", "id", "1", "text", "Hello", "more", "World"))
	opened, err := local.Open(t.Context(), local.Settings{
		Settings: table.Settings{Endpoint: s.countConnections(t), StartTimeout: s.engine.Settings.StartTimeout},
	}, a.tableSchema(), slog.New(slog.DiscardHandler))
	fatal.If(t, err)
	t.Cleanup(func() { _ = opened.Close() })

	s.watcher, err = s.command(t, a, opened)
	fatal.If(t, err)
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	s.url = server.URL
	return s
}

// command returns the watcher of `serve --watch`.
func (s *watched) command(t *testing.T, a *Application, opened *local.Table) (*watcher, error) {
	t.Helper()
	c := &serveCommand{}
	if err := defaults.Apply(c); err != nil {
		return nil, err
	}
	log := slog.New(slog.DiscardHandler)
	observed, err := c.Telemetry.open(t.Context(), a.Name, opened, nil, log)
	if err != nil {
		return nil, err
	}
	authenticator, err := auth.New(t.Context(), c.Auth, log)
	if err != nil {
		return nil, err
	}
	return c.newWatcher(t.Context(), a, opened, func(a *Application, t *local.Table) (gateway.Config, error) {
		config := c.config(a, t, nil, observed, authenticator, log)
		c.setSchema(&config, a, t, t, observed, log)
		return config, nil
	}, log)
}

// countConnections returns the URL of a proxy before the table.
func (s *watched) countConnections(t *testing.T) string {
	t.Helper()
	to, err := url.Parse(s.engine.Settings.Endpoint)
	fatal.If(t, err)
	proxy := httptest.NewUnstartedServer(httputil.NewSingleHostReverseProxy(to))
	proxy.Config.ConnContext = func(ctx context.Context, _ net.Conn) context.Context {
		s.connections.Add(1)
		return ctx
	}
	proxy.Start()
	t.Cleanup(proxy.Close)
	return proxy.URL
}

func (s *watched) save(t *testing.T, text string) {
	t.Helper()
	fatal.If(t, os.WriteFile(s.path, []byte(text), 0o600))
}

// ask returns the answer to an operation that selects a field of the note.
func (s *watched) ask(t *testing.T, field string) string {
	t.Helper()
	body := fmt.Sprintf(`{"query": "{ note(id: \"Tm90ZTox\") { %s } }"}`, field)
	response, err := http.Post(s.url+"/graphql", "application/json", strings.NewReader(body))
	if err != nil {
		t.Error(err)
		return ""
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Error(err)
	}
	return string(text)
}

// TestReloadsLeakNothing: after 200 reloads there are hardly more goroutines and connections to the table than after
// the first ones, and as much memory is in use.
func TestReloadsLeakNothing(t *testing.T) {
	s := startWatched(t)
	reload := func(times int) {
		for n := range times {
			field := [...]string{"text", "more"}[(n+1)%2]
			s.save(t, notes(field))
			s.reload(t.Context())
			if got := s.ask(t, field); !strings.HasPrefix(got, `{"data":{"note":{"`+field+`":"`) {
				t.Fatalf("reload %d: %s", n, got)
			}
		}
	}
	used := func() (memory uint64, goroutines int, connections int32) {
		var m runtime.MemStats
		runtime.GC()
		runtime.GC() // pools are emptied by the second one
		runtime.ReadMemStats(&m)
		return m.HeapAlloc, runtime.NumGoroutine(), s.connections.Load()
	}
	reload(20)
	memory, goroutines, connections := used()
	reload(200)
	memoryAfter, goroutinesAfter, connectionsAfter := used()
	// A gateway that looks for another design while an operation is answered has one more connection, through the proxy.
	const more, goroutinesOfEach = 2, 8
	if memoryAfter > memory+memory/4 || goroutinesAfter > goroutines+more*goroutinesOfEach ||
		connectionsAfter > connections+more {
		t.Errorf("200 reloads: %d bytes became %d, %d goroutines %d, %d connections %d",
			memory, memoryAfter, goroutines, goroutinesAfter, connections, connectionsAfter)
	}
	t.Logf("%d and %d bytes, %d goroutines, %d connections", memory, memoryAfter, goroutinesAfter, connectionsAfter)
}

// TestOperationsInFlightKeepTheirSchema: an operation that waits for the table while the schema changes is answered by
// the schema that it was sent to.
func TestOperationsInFlightKeepTheirSchema(t *testing.T) {
	s := startWatched(t)
	hold := s.engine.Proxy.Hold(func(r tabletest.Request) bool { return r.Operation == "GetItem" })
	answered := make(chan string)
	go func() { answered <- s.ask(t, "text") }()
	<-hold.Arrived()
	s.save(t, notes("more"))
	s.reload(t.Context())
	hold.Release()
	if got := <-answered; !strings.HasPrefix(got, `{"data":{"note":{"text":"Hello"}}`) {
		t.Errorf("got %s", got)
	}
	if got := s.ask(t, "text"); !strings.Contains(got, `Cannot query field \"text\"`) {
		t.Errorf("the new schema: %s", got)
	}
}

// TestReloadKeepsTheLastValidSchema: neither findings nor a table without a new index change what is served. The state
// for the playground says what is wrong, until it is corrected.
func TestReloadKeepsTheLastValidSchema(t *testing.T) {
	s := startWatched(t)
	var printed strings.Builder
	s.out = &printed
	first, _ := s.changes.get()
	index := strings.Replace(notes("more"), "@item", `@index(pk: "ALL#{more}", sk: "{id}") @item`, 1)
	for _, c := range []struct{ text, problem string }{
		{strings.Replace(notes("more"), "String", "Strin", 1), s.path + ":2:83: Note.more: String is the likely name"},
		{index, `table "partita" has no index GSI1: add the index with the keys GSI1PK (HASH, S), GSI1SK (RANGE, S)`},
		{"type", s.path + ":1:5: schema: the text is not GraphQL"},
		{notes("text"), ""},
	} {
		s.save(t, c.text)
		s.reload(t.Context())
		s.reload(t.Context())
		state, _ := s.changes.get()
		if state.Schema != first.Schema || !strings.HasPrefix(state.Problem, c.problem) ||
			(c.problem == "") != (state.Problem == "") {
			t.Errorf("the state is %+v, want the problem %q", state, c.problem)
		}
		if got := s.ask(t, "text"); !strings.HasPrefix(got, `{"data":{"note":{"text":"Hello"}}`) {
			t.Errorf("got %s", got)
		}
	}
	for _, finding := range []string{"String is the likely name", "the text is not GraphQL"} {
		if n := strings.Count(printed.String(), finding); n != 1 {
			t.Errorf("%q is printed %d times", finding, n)
		}
	}
	s.save(t, notes("more"))
	s.reload(t.Context())
	if state, _ := s.changes.get(); state.Schema == first.Schema || state.Problem != "" {
		t.Errorf("the state is %+v", state)
	}
}
