package local

import (
	"context"
	"errors"
	"log/slog"

	"github.com/partita/partita/internal/table/admin"
	"github.com/partita/partita/table"
)

// Table is a table with the engine that it is in, if that is a local one.
type Table struct {
	*table.Table
	engine *Engine // nil for a remote table
}

// Open connects to the remote table that the Settings name, or else starts the
// local engine and connects to that. To a remote table it sends nothing yet. Its
// errors are *exit.Error, or the context's.
func Open(ctx context.Context, s Settings, schema table.Schema, log *slog.Logger) (*Table, error) {
	if err := s.applyDefaults(); err != nil {
		return nil, err
	}
	// Before the engine creates any data.
	if err := s.Check(); err != nil {
		return nil, err
	}
	schema = s.Apply(schema)
	if err := schema.Check(); err != nil {
		return nil, err
	}
	t := &Table{}
	if s.Local(ctx) {
		engine, err := startOn(ctx, s, schema, log)
		if err != nil {
			return nil, err
		}
		t.engine, s.Service = engine, engine
	}
	opened, err := table.Open(ctx, s.Settings, schema, log)
	if err != nil {
		return nil, errors.Join(err, t.stop())
	}
	t.Table = opened
	if t.IsLocal() && s.hasSeed() {
		if err := admin.EnsureExpiry(ctx, t.Table); err != nil {
			return nil, errors.Join(err, t.Close())
		}
	}
	if t.IsLocal() && schema.Stream {
		if err := admin.EnsureStream(ctx, t.Table); err != nil {
			return nil, errors.Join(err, t.Close())
		}
	}
	return t, nil
}

// WithSchema returns the table with another schema, see table.Table.WithSchema.
func (t *Table) WithSchema(s table.Schema) *Table { return &Table{t.Table.WithSchema(s), t.engine} }

// With returns the table with another client of it, over the same connections.
func (t *Table) With(client *table.Table) *Table { return &Table{client, t.engine} }

// IsLocal reports whether the table is in a local engine.
func (t *Table) IsLocal() bool { return t.engine != nil }

// IsNew reports whether Open has created the table, in a local engine.
func (t *Table) IsNew() bool { return t.engine != nil && t.engine.isNew }

// Died delivers one error if the local engine ends without Close. For a remote
// table it never does.
func (t *Table) Died() <-chan error {
	if t.engine == nil {
		return nil
	}
	return t.engine.Died()
}

// Close ends the connections and the local engine. The caller waits for its
// requests first.
func (t *Table) Close() error { return errors.Join(t.Table.Close(), t.stop()) }

func (t *Table) stop() error {
	if t.engine == nil {
		return nil
	}
	return t.engine.Close()
}
