package tabletest

import (
	"context"
	"errors"
	"iter"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/table/admin"
	"github.com/partita/partita/internal/table/local"
	"github.com/partita/partita/item"
	"github.com/partita/partita/table"
)

// Seed is the initial content of the tables of several tests. It is loaded once, into
// a database that is then copied for each test.
type Seed struct {
	Schema table.Schema
	Items  iter.Seq[item.Item]
	// Stream turns the stream on once the items are there: the engine takes the longer for a write the more records it
	// has.
	Stream bool

	once     sync.Once
	database []byte
	err      error
}

// StartSeeded is Start with a table that has the items of the seed.
func StartSeeded(tb testing.TB, s *Seed) *Engine {
	tb.Helper()
	s.once.Do(func() { s.database, s.err = s.load(context.WithoutCancel(tb.Context())) })
	if s.err != nil {
		tb.Fatal(s.err)
	}
	database := filepath.Join(tb.TempDir(), "table.db")
	fatal.If(tb, os.WriteFile(database, s.database, 0o600))
	e := start(tb, s.Schema, database)
	if s.Stream {
		fatal.If(tb, admin.EnsureStream(tb.Context(), e.direct))
	}
	return e
}

// load returns the database with the items.
func (s *Seed) load(ctx context.Context) (database []byte, err error) {
	dir, err := os.MkdirTemp("", "seed")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	from := local.Settings{DataDir: dir, Engine: os.Getenv("DYNOXIDE"), Seed: s.Items}
	path, err := local.SeedDatabase(ctx, from, s.Schema, slog.New(slog.DiscardHandler))
	if err != nil {
		return nil, err
	}
	return os.ReadFile(path)
}
