package table

import (
	"sync/atomic"
	"time"
)

// clock is the clock of the endpoint, relative to that of this machine.
type clock struct{ ahead atomic.Int64 }

// precision is by how much the Date of an answer may be wrong: it has whole seconds, and the answer may be slow.
const precision = 5 * time.Second

// set sets how far the endpoint's clock is ahead, unless the Date of an answer may be that of a clock as it was set
// before. Otherwise the times of two writes within a second would not have their order.
func (c *clock) set(ahead time.Duration) {
	if d := ahead - time.Duration(c.ahead.Load()); d.Abs() >= precision {
		c.ahead.Store(int64(ahead))
	}
}
