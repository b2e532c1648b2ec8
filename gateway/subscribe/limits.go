package subscribe

import (
	"cmp"
	"time"

	"github.com/partita/partita/gateway/operation"
)

// Limits are limits on what lasts longer than an operation: connections that stay open, which are WebSockets and
// responses with the events of a subscription, and subscriptions. The tags are for kong: a command embeds the struct. A
// field that is zero has the default in its tag, if there is one.
//
// A message of a WebSocket has the limit of a body, [Limits].MaxBodyBytes.
type Limits struct {
	MaxSubscriptionsPerConnection int           `env:"MAX_SUBSCRIPTIONS_PER_CONNECTION" default:"100" range:"1..1000000" help:"Subscriptions of one WebSocket."`
	MaxOperationsPerConnection    int           `env:"MAX_OPERATIONS_PER_CONNECTION" default:"32" range:"1..1000000" help:"Operations of one WebSocket that are in flight, and subscriptions that have not begun yet."`
	ConnectionInitTimeout         time.Duration `env:"CONNECTION_INIT_TIMEOUT" default:"3s" range:"1ms..1h" help:"How long a WebSocket waits for connection_init, with which the client authenticates."`
	ConnectionIdleTimeout         time.Duration `env:"CONNECTION_IDLE_TIMEOUT" default:"5m" range:"1ms..24h" help:"How long a WebSocket is kept without a subscription or an operation."`
	PingInterval                  time.Duration `env:"PING_INTERVAL" default:"25s" range:"1ms..24h" help:"How often a WebSocket is pinged, and how often a response without an event gets a heartbeat. Proxies close what is silent, often after 60s."`
	MessageTimeout                time.Duration `env:"MESSAGE_TIMEOUT" default:"10s" range:"1ms..1h" help:"How long a message or an event may take to be sent or received. The connection of a slower client is closed."`

	// The limits of the process are derived from its memory if they are zero, see Derive.

	MaxConnections            int `env:"MAX_CONNECTIONS" range:"0..10000000" help:"WebSockets, and responses with events. By default, one for each 256 KiB of memory, 20000 at most."`
	MaxConnectionsPerCaller   int `env:"MAX_CONNECTIONS_PER_CALLER" range:"0..10000000" help:"The same for one viewer or anonymous address. A sixteenth of the above by default, but at least 64."`
	MaxSubscriptions          int `env:"MAX_SUBSCRIPTIONS" range:"0..10000000" help:"Subscriptions on all connections. By default, one for each 128 KiB of memory, 100000 at most."`
	MaxSubscriptionsPerCaller int `env:"MAX_SUBSCRIPTIONS_PER_CALLER" range:"0..10000000" help:"The same for one viewer or anonymous address. A sixteenth of the above by default, but at least 128."`
}

// What the limits are derived from.
const (
	// A WebSocket without an operation needs less than 40 KiB (TestIdleConnections), a sixth of what is reserved for it:
	// the rest is for what it receives and sends, and for the buffers of the kernel.
	memoryPerConnection = 256 << 10
	fewestConnections   = 256
	// Each connection is an open file, whose number is limited as well. More connections are for more replicas.
	mostConnections = 20_000
	// A Subscription keeps its plan, and the changes that it has not processed yet.
	memoryPerSubscription = 128 << 10
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
