package loaders

import "time"

// stopwatch measures how long an operation has waited for the table: while at least one of its requests was in flight,
// or the pause before it is repeated.
type stopwatch struct {
	arrived time.Time // when the operation's time began
	waiting int
	since   time.Time // when waiting was zero for the last time
	total   time.Duration
}
