package design

import (
	"slices"
	"strings"
	"time"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
)

// bucketSpan is a span of time buckets. first and last are the beginnings of its first and last bucket. It has no first
// one if hasNoBeginning is set.
//
// oldest is the beginning of the first bucket that there is, or the year 0.
type bucketSpan struct {
	bucket         keys.Bucket
	first, last    time.Time
	oldest         time.Time
	hasNoBeginning bool
	hasNoEnd       bool
}

// fillBuckets sets the Partitions of a Query of time buckets, oldest first.
func (c *Condition) fillBuckets(values func(string) keys.Value, now time.Time) error {
	f := c.Field
	span, err := f.bucketSpan(values, now)
	if err != nil {
		return err
	}
	at := func(at time.Time) (Partition, error) {
		pk, err := f.PK.Build(func(name string) keys.Value {
			if name == f.bucketed {
				return keys.TimeValue(at)
			}
			return values(name)
		})
		if err != nil {
			return Partition{}, err
		}
		return Partition{PK: keys.PK(pk), Label: span.bucket.Label(at)}, keys.PK(pk).Check()
	}
	c.buckets = &buckets{at, span.oldest, span.last, span.hasNoBeginning, span.hasNoEnd}
	if !span.hasNoBeginning {
		times, err := span.times(f.bucketed)
		if err != nil {
			return err
		}
		return c.setBuckets(times)
	}
	if f.Result == Many || f.Result == One && !f.Descending {
		return f.NeedsFrom()
	}
	return c.setBuckets(span.bucket.Until(span.oldest, span.last))
}

func (c *Condition) setBuckets(times []time.Time) (err error) {
	c.Partitions = make([]Partition, len(times))
	for i, at := range times {
		if c.Partitions[i], err = c.buckets.at(at); err != nil {
			return err
		}
	}
	return nil
}

// IsCut reports whether the range has further time buckets behind the last one of Partitions in a direction. It can
// be so only without a lower end.
func (c *Condition) IsCut(descending bool) bool {
	if !c.HasNoBeginning() || len(c.Partitions) == 0 {
		return false
	}
	bucket := c.Field.PK.Bucket(c.Field.bucketed)
	if descending {
		return c.Partitions[0].Label != bucket.Label(c.buckets.oldest)
	}
	return c.Partitions[len(c.Partitions)-1].Label != bucket.Label(c.buckets.newest)
}

// Grow adds the time buckets that have begun until a time to the end of Partitions, if the range is one over time
// buckets without an upper end; the indexes of the others remain. It returns when the next bucket begins, the zero time
// for other ranges.
func (c *Condition) Grow(now time.Time) (next time.Time, err error) {
	if c.buckets == nil || !c.buckets.noEnd {
		return time.Time{}, nil
	}
	grown, bucket := *c.buckets, c.Field.PK.Bucket(c.Field.bucketed)
	for next = bucket.Next(grown.newest); !next.After(now); next = bucket.Next(next) {
		partition, err := grown.at(next)
		if err != nil {
			return time.Time{}, err
		}
		c.Partitions, grown.newest = append(slices.Clip(c.Partitions), partition), next
		c.buckets = &grown
	}
	return next, nil
}

// NeedsFrom returns the InputError for a range over time buckets without a lower end that is read from its beginning.
func (f *Field) NeedsFrom() error {
	return keys.InputErrorf(f.bucketed,
		"%s must have from: the collection is stored in time buckets, and this reads the oldest first", f.bucketed)
}

// around returns the partition with a label in a range without a lower end, with up to MaxBuckets partitions from there
// on in each direction. It reports whether there is one.
func (c Condition) around(label string) ([]Partition, bool) {
	bucket := c.Field.PK.Bucket(c.Field.bucketed)
	at, err := time.Parse(item.TimeLayout[:bucket], label)
	if err != nil || at.After(c.buckets.newest) {
		return nil, false
	}
	times := bucket.Until(c.buckets.oldest, at)
	for range keys.MaxBuckets - 1 {
		if at = bucket.Next(at); at.After(c.buckets.newest) {
			break
		}
		times = append(times, at)
	}
	if err := c.setBuckets(times); err != nil {
		return nil, false
	}
	return c.Partitions, true
}

// PartitionCount returns the maximum number of partitions that a page of the field reads: its shards, or the time
// buckets of its range argument, which may have no lower end. arguments returns the value of an argument; now is the
// time of the operation.
func (f *Field) PartitionCount(
	arguments func(name string) keys.Value, now time.Time,
) (count int, hasNoBeginning bool, err error) {
	if f.bucketed == "" {
		return len(f.shards), false, nil
	}
	span, err := f.bucketSpan(arguments, now)
	switch {
	case err != nil:
		return 0, false, err
	case span.hasNoBeginning:
		return keys.MaxBuckets, true, nil
	}
	times, err := span.times(f.bucketed)
	return len(times), false, err
}

// bucketSpan returns the time buckets that overlap with a range.
func (f *Field) bucketSpan(values func(string) keys.Value, now time.Time) (bucketSpan, error) {
	v := values(f.bucketed)
	if err := v.Err(); err != nil {
		return bucketSpan{}, keys.NamedError(f.bucketed, err)
	}
	span := bucketSpan{bucket: f.PK.Bucket(f.bucketed), oldest: yearZero}
	lower, upper, _ := v.Range()
	switch {
	case upper.IsSet():
		to, err := time.Parse(item.TimeLayout, upper.Text())
		if err != nil {
			return bucketSpan{}, keys.InputErrorf(f.bucketed, "%s.to must be a time", f.bucketed)
		}
		span.last = span.bucket.Floor(to)
	case now.IsZero():
		return bucketSpan{}, keys.InputErrorf(f.bucketed,
			"%s must have to: the collection is stored in time buckets", f.bucketed)
	default:
		span.last, span.hasNoEnd = span.bucket.Floor(now.UTC()), true
	}
	if span.hasNoBeginning = !lower.IsSet(); lower.IsSet() {
		from, err := time.Parse(item.TimeLayout, lower.Text())
		if err != nil {
			return bucketSpan{}, keys.InputErrorf(f.bucketed, "%s.from must be a time", f.bucketed)
		}
		span.first = span.bucket.Floor(from)
	} else if since, ok := f.since(values); ok {
		span.begin(span.bucket.Floor(since.UTC()))
	}
	return span, nil
}

// yearZero is before all buckets.
var yearZero = time.Date(0, 1, 1, 0, 0, 0, 0, time.UTC)

// begin leaves out the buckets before the oldest one. The span begins with it, unless there are more buckets than a
// range may have.
func (s *bucketSpan) begin(oldest time.Time) {
	s.oldest, s.first = oldest, oldest
	_, err := s.times("")
	s.hasNoBeginning = err != nil
}

// SinceVariable returns the variable of Since, "" if it has none.
func (f *Field) SinceVariable() string {
	if name, ok := strings.CutPrefix(f.Since, "{"); ok {
		return strings.TrimSuffix(name, "}")
	}
	return ""
}

// since returns the time of Since. It reports whether there is one: an object may lack the value, and it is unknown
// where the object is.
func (f *Field) since(values func(string) keys.Value) (time.Time, bool) {
	text := f.Since
	if name := f.SinceVariable(); name != "" {
		text, _ = values(name).Single()
	}
	at, err := keys.ParseMoment(text)
	return at, err == nil
}

// times returns the beginnings of the buckets of a span with both ends. The error is an InputError if there are more
// than MaxBuckets.
func (s bucketSpan) times(argument string) ([]time.Time, error) {
	var times []time.Time
	for at := s.first; !at.After(s.last); at = s.bucket.Next(at) {
		if len(times) == keys.MaxBuckets {
			return nil, keys.InputErrorf(argument,
				"%s spans more than %d time buckets; ask for a shorter span", argument, keys.MaxBuckets)
		}
		times = append(times, at)
	}
	return times, nil
}

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
	if err := checkUnset(f.PK, values); err != nil {
		return err
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
