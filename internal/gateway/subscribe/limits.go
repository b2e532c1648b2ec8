package subscribe

import (
	"cmp"
	"time"

	"github.com/partita/partita/internal/gateway/operation"
)

// Limits are limits on what lasts longer than an operation: connections that stay open, which are WebSockets and
// responses with the events of a subscription, and subscriptions. A field that is zero has its default: what clients
// and the proxies in front of a gateway do is the same everywhere.
//
// A message of a WebSocket has the limit of a body, [operation.Limits].MaxBodyBytes.
type Limits struct {
	// MaxSubscriptionsPerConnection is how many subscriptions one WebSocket may have: 100, more than a page shows.
	MaxSubscriptionsPerConnection int
	// MaxOperationsPerConnection is how many operations of one WebSocket may be in flight, and subscriptions that have not
	// begun yet: 32.
	MaxOperationsPerConnection int
	// ConnectionInitTimeout is how long a WebSocket waits for connection_init, with which the client authenticates: 3 s,
	// which the protocol recommends.
	ConnectionInitTimeout time.Duration
	// ConnectionIdleTimeout is how long a WebSocket is kept without a subscription or an operation: 5 min.
	ConnectionIdleTimeout time.Duration
	// PingInterval is how often a WebSocket is pinged, and how often a response without an event gets a heartbeat: 25 s.
	// Proxies close what is silent, often after 60 s.
	PingInterval time.Duration
	// MessageTimeout is how long a message or an event may take to be sent or received: 10 s. The connection of a slower
	// client is closed.
	MessageTimeout time.Duration

	// The limits of the process are derived from its memory if they are zero, see Derive.

	// MaxConnections is how many WebSockets and responses with events there may be.
	MaxConnections int
	// MaxConnectionsPerCaller is the same for one viewer or anonymous address.
	MaxConnectionsPerCaller int
	// MaxSubscriptions is how many subscriptions all connections may have.
	MaxSubscriptions int
	// MaxSubscriptionsPerCaller is the same for one viewer or anonymous address.
	MaxSubscriptionsPerCaller int
}

// WithDefaults returns the limits with the defaults of those that are zero, except for those of the process.
func (l Limits) WithDefaults() Limits {
	l.MaxSubscriptionsPerConnection = cmp.Or(l.MaxSubscriptionsPerConnection, 100)
	l.MaxOperationsPerConnection = cmp.Or(l.MaxOperationsPerConnection, 32)
	l.ConnectionInitTimeout = cmp.Or(l.ConnectionInitTimeout, 3*time.Second)
	l.ConnectionIdleTimeout = cmp.Or(l.ConnectionIdleTimeout, 5*time.Minute)
	l.PingInterval = cmp.Or(l.PingInterval, 25*time.Second)
	l.MessageTimeout = cmp.Or(l.MessageTimeout, 10*time.Second)
	return l
}

// What the limits are derived from.
const (
	// A WebSocket without an operation needs less than 40 KiB (TestIdleConnections), a sixth of what is reserved for it:
	// the rest is for what it receives and sends, and for the buffers of the kernel.
	memoryPerConnection = 256 << 10
	fewestConnections   = 256
	// Each connection is an open file, whose number is limited as well. More connections are for more replicas.
	mostConnections = 20_000
	// An idle subscription needs 16 KiB with what the collector leaves (bin/bench live), a little more than half of what
	// is reserved for it: the rest is for its variables, and for changes that it has not processed yet. Its document
	// counts as bytes of its caller.
	memoryPerSubscription = 28 << 10
	usualVariables        = 4 << 10
	fewestSubscriptions   = 1024
	mostSubscriptions     = 100_000
	// Connections and subscriptions last, unlike operations: more callers must come together before others have none.
	partOfStreams         = 16
	connectionsOfCaller   = 64
	subscriptionsOfCaller = 128
)

// Derive returns the limits with those of the process that are not set derived from what it has.
func (l Limits) Derive(r operation.Resources) Limits {
	l.MaxConnections = cmp.Or(l.MaxConnections,
		max(fewestConnections, min(mostConnections, int(r.Memory/memoryPerConnection))))
	l.MaxConnectionsPerCaller = cmp.Or(l.MaxConnectionsPerCaller,
		min(l.MaxConnections, max(connectionsOfCaller, l.MaxConnections/partOfStreams)))
	l.MaxSubscriptions = cmp.Or(l.MaxSubscriptions,
		max(fewestSubscriptions, min(mostSubscriptions, int(r.Memory/memoryPerSubscription))))
	l.MaxSubscriptionsPerCaller = cmp.Or(l.MaxSubscriptionsPerCaller,
		min(l.MaxSubscriptions, max(subscriptionsOfCaller, l.MaxSubscriptions/partOfStreams)))
	return l
}
