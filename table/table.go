// Package table sends requests to DynamoDB.
//
// Open connects to the table that Settings name. GetItem, BatchGetItem, Query and
// TransactWriteItems implement loaders.Source: they are the only requests that the
// gateway sends while it runs. Each is retried until its context's deadline, and
// errors wrap those of package request.
//
// The packages below it have the rest: local runs the local engine, admin has the
// operators' commands, check finds and repairs violations, stack writes the
// CloudFormation template, and tabletest gives tests a real table. wire sends the
// reads that do not need a proxy; attempt counts the attempts of a request and
// explains its error; attribute converts the SDK's items.
//
// Words: the endpoint is the HTTP server that responds, Amazon DynamoDB's or
// another. A service is an endpoint that this process runs itself.
package table

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"

	"github.com/partita/partita/internal/defaults"
	"github.com/partita/partita/internal/hotkeys"
	"github.com/partita/partita/internal/table/attempt"
	"github.com/partita/partita/internal/table/pace"
	"github.com/partita/partita/internal/table/wire"
	"github.com/partita/partita/keys/stored"
	"github.com/partita/partita/request"
)

// Table is one DynamoDB table. Its methods may be called concurrently.
type Table struct {
	schema    Schema
	layout    *stored.Layout
	settings  Settings
	log       *slog.Logger
	client    *dynamodb.Client
	streams   *dynamodbstreams.Client
	wire      *wire.Client // nil if the SDK sends all requests
	transport *http.Transport
	location  string
	// indexes are the names of the indexes, with "" for the table itself.
	indexes map[string]stored.IndexLayout
	queues  *queues
	// writeLanes and readLanes are the partition keys that are throttled.
	writeLanes, readLanes *pace.Lanes

	usage *hotkeys.Usage // nil if nothing is counted
	clock *clock
	// follower is nil if nothing else is written with a transaction.
	follower Follower
	// checkWrite returns why nothing may be written; nil if that is never so.
	checkWrite func() error
}

// Open connects to the table. It sends nothing yet: admin.Verify checks that the
// table exists. Its errors are *exit.Error.
func Open(ctx context.Context, s Settings, schema Schema, log *slog.Logger) (*Table, error) {
	if err := defaults.Apply(&s); err != nil {
		return nil, err
	}
	s.StartTimeout = cmp.Or(s.StartTimeout, s.RequestTimeout+2*time.Second)
	if err := s.Check(); err != nil {
		return nil, err
	}
	if err := s.Apply(schema).Check(); err != nil {
		return nil, err
	}
	t := &Table{settings: s, log: log, queues: &queues{}, clock: &clock{}}
	t.writeLanes, t.readLanes = pace.New(pace.WriteUnits), pace.New(pace.ReadUnits)
	t.setSchema(schema)
	endpoint := s.endpoint()
	client, streams, transport, err := newClients(ctx, s, endpoint, t.clock, log)
	if err != nil {
		return nil, err
	}
	t.client, t.streams, t.transport = client, streams, transport
	if !s.BySDK {
		t.wire = t.newWire()
	}
	switch {
	case s.Service != nil:
		t.location = s.Service.String()
	case endpoint != "":
		t.location = endpoint
	default:
		t.location = "Amazon DynamoDB in " + client.Options().Region
	}
	return t, nil
}

func (t *Table) setSchema(s Schema) {
	s = t.settings.Apply(s)
	s.keyNames = newKeyNames(s)
	t.schema, t.layout = s, s.Layout()
	t.indexes = map[string]stored.IndexLayout{"": t.layout.Index("")}
	for _, name := range s.Indexes {
		t.indexes[name] = t.layout.Index(name)
	}
}

// WithSchema returns the table with another Schema, over the same connections: to close one of them closes those of
// both. Requests in flight are not affected. If the table has tenants, s.Check must have succeeded.
func (t *Table) WithSchema(s Schema) *Table {
	changed := *t
	changed.setSchema(s)
	if t.wire != nil {
		changed.wire = t.wire.WithIndexes(changed.indexes)
	}
	return &changed
}

// Name returns the table's name.
func (t *Table) Name() string { return t.settings.TableName }

// Location returns the endpoint or the region, for messages.
func (t *Table) Location() string { return t.location }

// Schema returns the Schema with which the table was opened.
func (t *Table) Schema() Schema { return t.schema }

// Settings returns the Settings with which the table was opened, with defaults.
func (t *Table) Settings() Settings { return t.settings }

// Logger returns the logger with which the table was opened.
func (t *Table) Logger() *slog.Logger { return t.log }

// Client returns the client of the AWS SDK, for Call.
func (t *Table) Client() *dynamodb.Client { return t.client }

// Streams returns the client of the AWS SDK for the table's stream, for Call.
func (t *Table) Streams() *dynamodbstreams.Client { return t.streams }

// Close ends the connections. The caller waits for its requests first.
func (t *Table) Close() error {
	t.transport.CloseIdleConnections()
	if t.wire != nil {
		t.wire.Close()
	}
	return nil
}

// ended returns an error if the endpoint is a Service that has ended.
func (t *Table) ended() error {
	if err := t.settings.serviceError(); err != nil {
		return fmt.Errorf("%w: %w", request.ErrUnavailable, err)
	}
	return nil
}

// Call sends one request of the AWS SDK with its retries, for packages admin and stream:
//
//	out, _, err := table.Call(ctx, t, t.Client().DescribeTable, in)
//
// The Result has only the retries and throttles, also on an error. Errors wrap
// those of package request, or the context's.
func Call[In, Out, Options any](ctx context.Context, t *Table,
	operation func(context.Context, *In, ...func(*Options)) (*Out, error), in *In,
) (*Out, request.Result, error) {
	if err := t.ended(); err != nil {
		return nil, request.Result{}, err
	}
	counter := attempt.NewCounter(ctx)
	out, err := operation(context.WithValue(ctx, attemptsKey{}, &counter), in)
	if err != nil {
		return nil, counter.Result(), counter.Explain(ctx, err)
	}
	return out, counter.Result(), nil
}

func (t *Table) nameParam() *string { return aws.String(t.Name()) }

// newWire returns the client that serves operations, with the connections' settings of the transport.
func (t *Table) newWire() *wire.Client {
	// net/http changes its configuration when it is first used.
	config := t.transport.TLSClientConfig.Clone()
	return wire.New(wire.Settings{
		SDK: t.client, Streams: t.streams, Table: t.Name(), Indexes: t.indexes, MaxConnections: t.settings.MaxConnections,
		Timeout: t.settings.RequestTimeout, DialTimeout: dialTimeout, IdleTimeout: idleTimeout, TLS: config,
		Proxy: t.transport.Proxy, Clock: t.clock.set,
	})
}

// Now returns the time by the endpoint's clock, according to the Date of the latest answer that the SDK has received,
// and by the clock of this machine before the first one. It is for times that DynamoDB compares with its own clock,
// such as the expiry of an item: the SDK corrects signatures of a machine whose clock is wrong, so that its writes are
// not rejected.
//
// https://docs.aws.amazon.com/sdkref/latest/guide/feature-retry-behavior.html
func (t *Table) Now() time.Time { return time.Now().Add(time.Duration(t.clock.ahead.Load())) }
