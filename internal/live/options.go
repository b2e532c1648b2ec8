package live

import (
	"cmp"
	"errors"
	"fmt"
	"time"

	"github.com/partita/partita/keys"
)

// Options are the options of a Hub. A field that is zero has its default.
type Options struct {
	Settings
	// Patience is how long Subscribe succeeds after the last call of Current; 10 s by default.
	Patience time.Duration
	// Reader replays older changes for clients that resume. Without one they resume within History only.
	Reader Reader
	// Cursors encrypts positions. All replicas of a gateway need the same secret. Without it, everybody can read
	// positions.
	Cursors *keys.Cursors
}

func (o Options) withDefaults() Options {
	o.Queue = cmp.Or(o.Queue, 256)
	o.QueueBytes = cmp.Or(o.QueueBytes, 4<<20)
	o.History = cmp.Or(o.History, 30*time.Second)
	o.HistoryBytes = cmp.Or(o.HistoryBytes, 32<<20)
	o.Patience = cmp.Or(o.Patience, 10*time.Second)
	o.Cursors = cmp.Or(o.Cursors, keys.NewCursors(nil))
	return o
}

// The errors of Subscribe and of Feed.Poll, besides ErrExpired.
var (
	// ErrUnavailable: the stream is not being read.
	ErrUnavailable = errors.New("live: the stream is not being read")
	// ErrClosed: the Hub is closed. It is an ErrUnavailable.
	ErrClosed = fmt.Errorf("%w: the hub is closed", ErrUnavailable)
	// ErrSlow: the reader of a Feed has not received its events for too long.
	ErrSlow = errors.New("live: too many events wait for their reader")
	// ErrLost: changes may have been left out. The state must be read again, after another Subscribe.
	ErrLost = errors.New("live: changes may be missing")
	// ErrUnsettled: the position is one of a moment after a first state, and there are changes that this state may have.
	// The state must be read again, after another Subscribe; nothing is lost.
	ErrUnsettled = errors.New("live: the first state may have changes that are after this position")
	// ErrReplay: the next changes are not in memory. Feed.Replay has them read from the stream.
	ErrReplay = errors.New("live: the next changes must be read from the stream")
	// ErrPosition: a text that is not a position of this API and tenant.
	ErrPosition = errors.New("live: not a position")
)

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
