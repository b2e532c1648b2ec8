package keys

import (
	"time"

	"github.com/partita/partita/item"
)

// MaxBuckets is the maximum number of time buckets in one range: each is a partition with a Query
// of its own.
const MaxBuckets = 48

// BucketsAtOnce is the maximum number of time buckets that a page reads at the same time.
const BucketsAtOnce = 16

// fillPartitions sets the Partitions of a Query.
func (c *Condition) fillPartitions(values func(string) Value) (err error) {
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
		c.Partitions, err = f.buckets(values)
		return err
	}
	c.Partitions = make([]Partition, len(f.shards))
	for i, label := range f.shards {
		c.Partitions[i] = Partition{PK: f.PK.Shard(PK(pk), label), Label: label}
	}
	return checkPK(c.Partitions[len(f.shards)-1].PK)
}

// buckets returns the partitions of all time buckets that overlap with a range argument, oldest
// first.
func (f *Field) buckets(values func(string) Value) ([]Partition, error) {
	times, bucket, err := f.bucketTimes(values(f.bucketed))
	if err != nil {
		return nil, err
	}
	parts := make([]Partition, len(times))
	for i, at := range times {
		pk, err := f.PK.Build(func(name string) Value {
			if name == f.bucketed {
				return TimeValue(at)
			}
			return values(name)
		})
		if err != nil {
			return nil, err
		}
		if err := checkPK(PK(pk)); err != nil {
			return nil, err
		}
		parts[i] = Partition{PK: PK(pk), Label: at.Format(item.TimeLayout)[:bucket]}
	}
	return parts, nil
}

// PartitionCount returns the number of partitions that a Query of the field reads: its shards, or
// the time buckets that overlap with its range argument. arguments returns the value of an
// argument.
func (f *Field) PartitionCount(arguments func(name string) Value) (int, error) {
	if f.bucketed == "" {
		return len(f.shards), nil
	}
	times, _, err := f.bucketTimes(arguments(f.bucketed))
	return len(times), err
}

// bucketTimes returns the beginnings of the time buckets that overlap with a range, oldest first.
func (f *Field) bucketTimes(v Value) ([]time.Time, Bucket, error) {
	if v.err != nil {
		return nil, 0, named(f.bucketed, v.err)
	}
	if v.bounds == nil || !v.bounds.from.set || !v.bounds.to.set {
		return nil, 0, inputErrorf(f.bucketed,
			"%s must have both from and to: the collection is stored in time buckets", f.bucketed)
	}
	from, err := time.Parse(item.TimeLayout, v.bounds.from.text)
	if err != nil {
		return nil, 0, inputErrorf(f.bucketed, "%s.from must be a time", f.bucketed)
	}
	to, err := time.Parse(item.TimeLayout, v.bounds.to.text)
	if err != nil {
		return nil, 0, inputErrorf(f.bucketed, "%s.to must be a time", f.bucketed)
	}
	bucket := f.PK.Bucket(f.bucketed)
	var times []time.Time
	last := bucket.floor(to)
	for at := bucket.floor(from); !at.After(last); at = bucket.next(at) {
		if len(times) == MaxBuckets {
			return nil, 0, inputErrorf(f.bucketed,
				"%s spans more than %d time buckets; ask for a shorter span", f.bucketed, MaxBuckets)
		}
		times = append(times, at)
	}
	return times, bucket, nil
}

func (b Bucket) floor(t time.Time) time.Time {
	switch b {
	case Year:
		return time.Date(t.Year(), 1, 1, 0, 0, 0, 0, time.UTC)
	case Month:
		return time.Date(t.Year(), t.Month(), 1, 0, 0, 0, 0, time.UTC)
	case Day:
		return t.Truncate(24 * time.Hour)
	default:
		return t.Truncate(time.Hour)
	}
}

func (b Bucket) next(t time.Time) time.Time {
	switch b {
	case Year:
		return t.AddDate(1, 0, 0)
	case Month:
		return t.AddDate(0, 1, 0)
	case Day:
		return t.AddDate(0, 0, 1)
	default:
		return t.Add(time.Hour)
	}
}
