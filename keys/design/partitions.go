package design

import (
	"time"

	"github.com/partita/partita/keys"
)

// fillPartitions sets the Partitions of a Query.
func (c *Condition) fillPartitions(values func(string) keys.Value, now time.Time) (err error) {
	f := c.Field
	fixed := values
	if f.bucketed != "" {
		// The scope of a collection does not depend on the buckets.
		fixed = func(name string) keys.Value {
			if name == f.bucketed {
				return keys.TimeValue(time.Unix(0, 0))
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
		c.Partitions[i] = Partition{PK: f.PK.Shard(keys.PK(pk), label), Label: label}
	}
	return c.Partitions[len(f.shards)-1].PK.Check()
}
