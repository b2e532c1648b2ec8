package keys

import (
	"time"
)

// MaxBuckets is the maximum number of time buckets in one range: each is a partition with a Query
// of its own. A page of a range without a lower end reads as many at most.
const MaxBuckets = 48

// BucketsAtOnce is the maximum number of time buckets that a page reads at the same time.
const BucketsAtOnce = 16

// fillPartitions sets the Partitions of a Query.
func (c *Condition) fillPartitions(values func(string) Value, now time.Time) (err error) {
	f := c.Field
	fixed := values
	if f.bucketed != "" {
		// The scope of a collection does not depend on the buckets.
		fixed = func(name string) Value {
			if name == f.bucketed {
				return TimeValue(time.Unix(0, 0))
			}
			return values(name)
		}
	}
	pk, err := f.PK.Build(fixed)
	if err != nil {
		return err
	}
	c.scope = pk
	if f.bucketed != "" {
		return c.fillBuckets(values, now)
	}
	c.Partitions = make([]Partition, len(f.shards))
	for i, label := range f.shards {
		c.Partitions[i] = Partition{PK: f.PK.Shard(PK(pk), label), Label: label}
	}
	return c.Partitions[len(f.shards)-1].PK.Check()
}
