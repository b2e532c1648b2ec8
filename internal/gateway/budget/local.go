package budget

import "time"

// bucket is a token bucket in memory.
type bucket struct {
	available float64
	at        time.Time // of available
}

// takeLocal makes the charges to the buckets in memory: all or none of them, or all of them in any case if force is
// set.
func (b *Budgets) takeLocal(force bool, charges ...Charge) Shortage {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !force {
		for _, c := range charges {
			if available := c.bucket().available; c.amount > 0 && c.amount > available {
				return Shortage{c, available}
			}
		}
	}
	for _, c := range charges {
		c.take()
	}
	return Shortage{}
}

// commitLocal makes a charge that may be negative, and returns what the bucket has then.
func (b *Budgets) commitLocal(c Charge) (available float64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return c.take()
}

// take takes the amount out of the bucket and returns what is left.
func (c Charge) take() (available float64) {
	from := c.bucket()
	from.available = min(from.available-c.amount, c.kind.limit.Maximum)
	return from.available
}

// bucket returns the charge's bucket, with what is due since it was last used.
func (c Charge) bucket() *bucket {
	now := time.Now()
	found, known := c.kind.buckets.Get(c.caller)
	if !known {
		found = &bucket{c.kind.limit.Maximum, now}
		c.kind.buckets.Add(c.caller, found)
	}
	found.available = min(found.available+c.kind.limit.Restore*now.Sub(found.at).Seconds(), c.kind.limit.Maximum)
	found.at = now
	return found
}
