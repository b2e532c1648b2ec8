package wire

import (
	"crypto/tls"
	"net"
	"net/http"
	"net/url"
	"sync/atomic"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"

	"github.com/partita/partita/keys/stored"
)

// Settings of a Client. All but Clock, TLS and Proxy are required.
type Settings struct {
	// SDK is the client that would send the requests otherwise. Its endpoint, credentials and Retryer are used.
	SDK *dynamodb.Client
	// Streams is the same for GetRecords, which uses its endpoint alone.
	Streams *dynamodbstreams.Client
	// Table is the name of the table.
	Table string
	// Indexes are the names of the key attributes of each index, with "" for the table itself; nil for a table with the
	// default names and without indexes.
	Indexes map[string]stored.IndexLayout
	// MaxConnections is the limit of open connections to the table, and of those to its stream. Further requests wait
	// for one.
	MaxConnections int
	// Timeout is how long an attempt may take, waiting for a connection included.
	Timeout time.Duration
	// DialTimeout is how long opening a connection may take, and beginning TLS as well.
	DialTimeout time.Duration
	// IdleTimeout is after which time without requests a connection is closed.
	IdleTimeout time.Duration
	// Clock is told how far the clock of the table is ahead of this machine's with each answer to a write; nil for nobody.
	Clock func(ahead time.Duration)
	// TLS configures TLS; nil is the zero configuration.
	TLS *tls.Config
	// Proxy returns the URL of the proxy for a request, as in net/http.Transport.
	Proxy func(*http.Request) (*url.URL, error)
}

// Client sends reads and writes of one table, and reads of its stream. Its methods may be called concurrently.
type Client struct {
	*connections
	indexes map[string]stored.IndexLayout
}

// connections are what a client shares with those that it returns.
type connections struct {
	settings    Settings
	credentials aws.CredentialsProvider
	retryer     aws.Retryer
	routes      [operations]atomic.Pointer[route]
	signer      signer
	skew        skew
	// pool has the connections to the table, streams those for reads of its stream: Amazon has them at
	// different addresses.
	pool, streams pool
}

// New returns a Client. It opens no connection yet.
func New(s Settings) *Client {
	options := s.SDK.Options()
	if s.Indexes == nil {
		s.Indexes = map[string]stored.IndexLayout{"": stored.DefaultLayout().Index("")}
	}
	if s.TLS == nil {
		s.TLS = &tls.Config{MinVersion: tls.VersionTLS12}
	}
	d := dialer{Dialer: net.Dialer{Timeout: s.DialTimeout, KeepAlive: keepAlive}, tls: s.TLS}
	newPool := func() pool {
		return pool{dial: d.dial, idleTimeout: s.IdleTimeout, slots: make(chan struct{}, s.MaxConnections)}
	}
	return &Client{indexes: s.Indexes, connections: &connections{
		settings: s, credentials: options.Credentials, retryer: options.Retryer,
		skew: skew{disabled: options.DisableClockSkewCorrection, clock: s.Clock},
		pool: newPool(), streams: newPool(),
	}}
}

// WithIndexes returns a Client for other indexes of the table, over the same connections: to close one of them closes
// those of both.
func (c *Client) WithIndexes(indexes map[string]stored.IndexLayout) *Client {
	return &Client{c.connections, indexes}
}

// keepAlive is the interval of TCP's probes on a connection.
const keepAlive = 30 * time.Second

// Close closes the idle connections, and the others once they are not used any more.
func (c *Client) Close() {
	c.pool.close()
	c.streams.close()
}

// skew is the difference between DynamoDB's clock and this machine's, so far as it matters for signatures. The SDK
// measures it with each response; here it is measured when DynamoDB rejects a signature, and changes only then.
type skew struct {
	disabled bool
	clock    func(ahead time.Duration)
	nanos    atomic.Int64
}

// offset returns what to add to the time of a signature.
func (s *skew) offset() time.Duration { return time.Duration(s.nanos.Load()) }
