package live

import "time"

// Settings say how much a Hub keeps. The tags are for kong: a command embeds the struct.
type Settings struct {
	// Queue is how many events a Feed keeps that its reader has not received yet; 256 by default. One more ends it with
	// ErrSlow. A Feed that resumes gets 16 times as many from the history, and older ones as its reader receives them.
	Queue int `name:"event-queue" env:"EVENT_QUEUE" default:"256" range:"1..100000" help:"Events that wait for the client of a subscription; one more ends it."`
	// QueueBytes is how many bytes of memory their changes have at most if there are several, 4 MiB by default: the feeds
	// of one place have the same changes, but those of many places keep different ones.
	QueueBytes int `name:"event-queue-bytes" env:"EVENT_QUEUE_BYTES" default:"4194304" range:"65536..1073741824" help:"Memory for the changes of these events, in bytes."`
	// History is how long a Hub keeps changes, 30 s by default. A first state must be read within that time, and an index
	// must not be further behind the stream. Clients that resume within it read nothing.
	History time.Duration `name:"event-history" env:"EVENT_HISTORY" default:"30s" range:"10s..1h" help:"How long changes are kept for first states, and for clients that resume."`
	// HistoryBytes is how many bytes of memory the kept changes have at most, 32 MiB by default.
	HistoryBytes int `name:"event-history-bytes" env:"EVENT_HISTORY_BYTES" default:"33554432" range:"1048576..17179869184" help:"Memory for these changes, in bytes."`
}
