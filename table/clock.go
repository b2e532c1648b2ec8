package table

import (
	"sync/atomic"
	"time"
)

// clock is the clock of the endpoint, relative to that of this machine.
type clock struct{ ahead atomic.Int64 }

// set sets how far the endpoint's clock is ahead.
func (c *clock) set(ahead time.Duration) { c.ahead.Store(int64(ahead)) }

// Now returns the time by the endpoint's clock, according to the Date of the latest answer that the SDK has received,
// and by the clock of this machine before the first one. It is for times that DynamoDB compares with its own clock,
// such as the expiry of an item: the SDK corrects signatures of a machine whose clock is wrong, so that its writes are
// not rejected.
//
// https://docs.aws.amazon.com/sdkref/latest/guide/feature-retry-behavior.html
func (t *Table) Now() time.Time { return time.Now().Add(time.Duration(t.clock.ahead.Load())) }
