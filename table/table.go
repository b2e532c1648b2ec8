// Package table is the border to DynamoDB.
//
// Open connects to the table that Settings name, or starts the local engine and
// connects to that. Verify checks the table against the Schema, CreateTable
// makes it. While the gateway runs, GetItem, BatchGetItem, Query and
// TransactWriteItems are the only requests it sends; each is retried inside its
// context's deadline, and what finally fails wraps one of the Err values. Load,
// LoadItems and Export are for operators.
//
// Words: a request is one call of a method here; it takes one HTTP request, or
// more when it is retried. The endpoint is what answers, the engine is the
// dynoxide process when that is ours.
package table

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
)

// Schema is what the gateway's design asks of the table: string keys PK and SK,
// and for each index, string keys named by keys.IndexPK and keys.IndexSK.
type Schema struct {
	Indexes []string
}

// Table is one DynamoDB table. Its methods may be called concurrently.
type Table struct {
	name       string
	where      string // the endpoint or the region, for messages
	schema     Schema
	settings   Settings
	log        *slog.Logger
	client     *dynamodb.Client
	transport  *http.Transport
	engine     *Engine // nil unless local
	conditions map[string]indexConditions
	queues     queues
}

// Open connects to the table, starting the local engine when Settings ask for
// it. It sends nothing to a remote endpoint yet: Verify does. Its errors are
// *exit.Error, or the context's.
func Open(ctx context.Context, s Settings, schema Schema, log *slog.Logger) (*Table, error) {
	s = s.withDefaults()
	if err := s.check(); err != nil {
		return nil, err
	}
	t := &Table{name: s.TableName, schema: schema, settings: s, log: log, conditions: newConditions(schema)}
	endpoint := s.endpoint()
	if s.Local(ctx) {
		engine, err := openLocal(ctx, s, schema, log)
		if err != nil {
			return nil, err
		}
		t.engine = engine
		endpoint = engine.Endpoint()
	}
	client, transport, err := newClient(ctx, s, endpoint, func() bool { return t.engineDeath() != nil }, log)
	if err != nil {
		return nil, errors.Join(err, t.Close())
	}
	t.client, t.transport = client, transport
	switch {
	case t.engine != nil:
		t.where = "the local engine in " + s.DataDir
		if s.Seed != nil {
			if err := t.ensureExpiry(ctx); err != nil {
				return nil, errors.Join(err, t.Close())
			}
		}
	case endpoint != "":
		t.where = endpoint
	default:
		t.where = "Amazon DynamoDB in " + client.Options().Region
	}
	return t, nil
}

// Name is the table's name.
func (t *Table) Name() string { return t.name }

// Local reports whether the table is in a local engine that this process runs.
func (t *Table) Local() bool { return t.engine != nil }

// Died delivers one error when the local engine ends without Close. Without a
// local engine it never delivers.
func (t *Table) Died() <-chan error {
	if t.engine == nil {
		return nil
	}
	return t.engine.Died()
}

// Close ends the connections and the local engine. The caller waits for its
// requests first.
func (t *Table) Close() error {
	if t.transport != nil {
		t.transport.CloseIdleConnections()
	}
	if t.engine == nil {
		return nil
	}
	return t.engine.Close()
}

// Ready reports whether requests can be answered now: the engine lives, and the
// table exists as the Schema asks. It takes no longer than the context or
// Settings.StartTimeout.
func (t *Table) Ready(ctx context.Context) error {
	return t.Verify(ctx)
}

// engineDeath is nil while the local engine, if any, lives.
func (t *Table) engineDeath() error {
	if t.engine == nil {
		return nil
	}
	select {
	case <-t.engine.done:
		return fmt.Errorf("%w: the local engine has ended (%w)", ErrUnavailable, t.engine.waitErr)
	default:
		return nil
	}
}

func (t *Table) nameParam() *string { return aws.String(t.name) }
