package keys

import (
	"slices"
	"time"

	"github.com/partita/partita/item"
)

// Bucket is a time bucket: the number of leading characters of item.TimeLayout that remain of a
// time. 0 is the whole time.
type Bucket int

// The buckets a template may name: {at:year}, {at:month}, {at:day}, {at:hour}.
const (
	Year  Bucket = Bucket(len("2006"))
	Month Bucket = Bucket(len("2006-01"))
	Day   Bucket = Bucket(len("2006-01-02"))
	Hour  Bucket = Bucket(len("2006-01-02T15"))
)

var bucketNames = map[string]Bucket{"year": Year, "month": Month, "day": Day, "hour": Hour}

// MaxBuckets is the maximum number of time buckets in one range: each is a partition with a Query
// of its own. A page of a range without a lower end reads as many at most.
const MaxBuckets = 48

// Until returns the beginnings of MaxBuckets buckets up to the one that begins at last. There are fewer if that is
// early in the year 0 or shortly after.
func (b Bucket) Until(last time.Time) []time.Time {
	times := make([]time.Time, 0, 2*MaxBuckets)
	for at := last; len(times) < MaxBuckets && at.Year() >= 0; at = b.Floor(at.Add(-time.Nanosecond)) {
		times = append(times, at)
	}
	slices.Reverse(times)
	return times
}

// Label returns the text of the bucket of a time.
func (b Bucket) Label(t time.Time) string { return t.Format(item.TimeLayout)[:b] }

// Floor returns the beginning of the bucket of a time.
func (b Bucket) Floor(t time.Time) time.Time {
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

// Next returns the beginning of the bucket after the one that begins at a time.
func (b Bucket) Next(t time.Time) time.Time {
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
