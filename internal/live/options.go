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

// The errors of Subscribe and of Feed.Next, besides ErrExpired and that of a context.
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
