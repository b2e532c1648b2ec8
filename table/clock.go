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

// Now returns the time by the endpoint's clock, according to the Date of the latest answer that the SDK has received,
// and by the clock of this machine before the first one. It is for times that DynamoDB compares with its own clock,
// such as the expiry of an item: the SDK corrects signatures of a machine whose clock is wrong, so that its writes are
// not rejected.
//
// https://docs.aws.amazon.com/sdkref/latest/guide/feature-retry-behavior.html
func (t *Table) Now() time.Time { return time.Now().Add(time.Duration(t.clock.ahead.Load())) }
