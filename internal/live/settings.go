package live

import "time"

// Settings say how much a Hub keeps. A field that is zero has its default. Whoever is slower, or is away for longer,
// reads older changes from the stream of the table.
type Settings struct {
	// Queue is how many events a Feed keeps that its reader has not received yet; 256 by default. One more ends it with
	// ErrSlow. A Feed that resumes gets 16 times as many from the history, and older ones as its reader receives them.
	Queue int
	// QueueBytes is how many bytes of memory their changes have at most if there are several, 4 MiB by default: the feeds
	// of one place have the same changes, but those of many places keep different ones.
	QueueBytes int
	// History is how long a Hub keeps changes, 30 s by default. A first state must be read within that time, and an index
	// must not be further behind the stream. Clients that resume within it read nothing.
	History time.Duration
	// HistoryBytes is how many bytes of memory the kept changes have at most, 32 MiB by default.
	HistoryBytes int
}
