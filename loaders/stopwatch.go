package loaders

import (
	"context"
	"errors"
	"time"

	"github.com/partita/partita/share"
)

// stopwatch measures how long an operation has waited for the table: while at least one of its requests was in flight,
// or the pause before it is repeated.
type stopwatch struct {
	arrived time.Time // when the operation's time began
	waiting int
	since   time.Time // when waiting was zero for the last time
	total   time.Duration
}

func (x *executor) startWatch() {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.table.waiting == 0 {
		x.table.since = time.Now()
	}
	x.table.waiting++
}

func (x *executor) stopWatch() {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.table.waiting--
	if x.table.waiting == 0 {
		x.table.total += time.Since(x.table.since)
	}
}

// isBusy reports whether the operation has spent more time in the gateway than waiting for the table.
func (x *executor) isBusy() bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	waited := x.table.total
	if x.table.waiting > 0 {
		waited += time.Since(x.table.since)
	}
	return 2*waited < time.Since(x.table.arrived)
}

// readError returns the ReadError of a request that has finally failed. If the operation's time is over, the error
// names what has taken most of it.
func (x *executor) readError(err error) error {
	isOver := errors.Is(err, context.DeadlineExceeded) || errors.Is(err, share.ErrFull)
	if isOver && x.isBusy() {
		return &ReadError{CodeTimeout, busyMessage, err}
	}
	return NewReadError(err)
}

// caller returns whose share the operation's requests are part of.
func (x *executor) caller() share.Caller {
	if x.turn == nil {
		return share.Caller{}
	}
	return x.turn.Caller
}
