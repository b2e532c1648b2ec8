package stream

import (
	"log/slog"
	"time"

	"github.com/partita/partita/internal/replicas"
)

// Settings say how the stream is read. A field that is zero has its default; tests have shorter ones.
type Settings struct {
	// Interval is the time between two reads of one shard of the table's stream: how late a live field learns of a change.
	// The default is DefaultInterval.
	Interval time.Duration
	// Lease is how often a replica that reads the stream writes its position to the table, 3 s by default. Others continue
	// after four times that: sooner would be within a pause of a busy machine.
	Lease time.Duration
	// Settled is how long a change may need to get into the stream, usually less than a second: a migration reads the
	// stream that far before each of its steps. It is 2 s by default.
	Settled time.Duration
}

// DefaultInterval is the time between two reads of a shard, because Amazon DynamoDB allows five reads per second and
// shard.
const DefaultInterval = 250 * time.Millisecond

const defaultLease = 3 * time.Second

// Options are those of a Reader.
type Options struct {
	Settings
	// Alone reports whether no other process can read the stream of the table, as with the local engine.
	Alone bool
	// Store is where the replicas that divide the stream publish it for the others; nil without one.
	Store *replicas.Store
	// Waiting is the size of the items of all records that may wait for the store, in bytes and compressed, 32 MiB by
	// default. The others read what is more from the stream of the table.
	Waiting int
	// Logger gets what operators must know.
	Logger *slog.Logger
}
