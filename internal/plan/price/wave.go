package price

import (
	"math"

	"github.com/partita/partita/internal/capacity"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/request"
)

// wave is what the Reads of one wave send and consume at worst. The numbers are floating point, because they are
// multiplied at each level of an operation, before it is known to be too large.
type wave struct {
	queries, gets, units float64
	// deferredGets are Gets that are sent with the first wave from this one on that has other Gets; deferredUnits is
	// what they consume.
	deferredGets, deferredUnits float64
	// bytes are those of the items of the Gets, and deferredBytes those of the deferred ones, if a BatchGetItem may have
	// more than it returns at once; otherwise 0.
	bytes, deferredBytes float64
}

func (w wave) plus(other wave, times float64) wave {
	return wave{
		queries:       bounded(w.queries + times*other.queries),
		gets:          bounded(w.gets + times*other.gets),
		units:         bounded(w.units + times*other.units),
		deferredGets:  bounded(w.deferredGets + times*other.deferredGets),
		deferredUnits: bounded(w.deferredUnits + times*other.deferredUnits),
		bytes:         bounded(w.bytes + times*other.bytes),
		deferredBytes: bounded(w.deferredBytes + times*other.deferredBytes),
	}
}

func (w wave) max(other wave) wave {
	return wave{
		max(w.queries, other.queries), max(w.gets, other.gets), max(w.units, other.units),
		max(w.deferredGets, other.deferredGets), max(w.deferredUnits, other.deferredUnits),
		max(w.bytes, other.bytes), max(w.deferredBytes, other.deferredBytes),
	}
}

// most is the greatest number in a Price.
const most = 1e12

// bounded keeps products along a deep operation from becoming infinite.
func bounded(n float64) float64 { return min(n, 1e200) }

// queryWave returns what a Query of one partition for at most n items of at most maxBytes consumes.
func queryWave(n, maxBytes int, consistent bool) wave { return spreadWave(1, n, maxBytes, consistent) }

// spreadWave returns what Queries of several partitions consume that find at most n items of at most maxBytes together.
func spreadWave(partitions, n, maxBytes int, consistent bool) wave {
	requests, units := capacity.Spread(partitions, n, maxBytes, consistent)
	return wave{queries: float64(requests), units: units}
}

// getWave returns what n Gets of items of at most maxBytes consume.
func (r reader) getWave(n, maxBytes int, consistent bool) wave {
	w := wave{gets: float64(n), units: float64(n) * capacity.Get(maxBytes, consistent)}
	if r.Schema.Design.LargestItem()*request.MaxBatchKeys > request.MaxBatchBytes {
		w.bytes = float64(n * maxBytes)
	}
	return w
}

// bucketWaves returns how many time buckets each wave of a page reads that reads so many in as many waves as possible.
func bucketWaves(buckets int) []int {
	var waves []int
	for read := 0; read < buckets; {
		n := min(max(1, read), design.BucketsAtOnce, buckets-read)
		waves = append(waves, n)
		read += n
	}
	return waves
}

// inOrderWave returns what the Queries of a page of time buckets consume in all of their waves. each is what the Query
// of one full bucket consumes.
func inOrderWave(buckets int, each wave, consistent bool) wave {
	full, units := capacity.InOrder(buckets, design.BucketsAtOnce, each.units, consistent)
	return wave{queries: float64(buckets-full) + float64(full)*each.queries, units: units}
}

// later returns the wave with all of its Gets deferred.
func (w wave) later() wave {
	return wave{
		queries: w.queries, deferredGets: w.deferredGets + w.gets, deferredUnits: w.deferredUnits + w.units,
		deferredBytes: w.deferredBytes + w.bytes,
	}
}

// allUnits returns the read units, those of deferred Gets included.
func (w wave) allUnits() float64 { return w.units + w.deferredUnits }

// requests returns how many DynamoDB requests a wave sends: all its Gets share BatchGetItems. All but the last have
// MaxBatchKeys, or so many bytes that another item may be too much.
func (w wave) requests() float64 {
	if w.gets == 0 {
		return w.queries
	}
	gets := min(w.gets, 1e15)
	full := min(math.Floor(w.bytes/(request.MaxBatchBytes-item.MaxBytes)), gets-1)
	return w.queries + full + math.Floor((gets-full-1)/request.MaxBatchKeys) + 1
}

// sendDeferred moves deferred Gets to the wave in which they are sent: the first one that has others, or one of their
// own after all others. It returns the waves, and for each of them the index of the wave in which its deferred Gets are
// sent.
func sendDeferred(waves []wave) (sent []wave, sentIn []int) {
	sentIn = make([]int, len(waves))
	waiting, end := 0, 0
	var deferred wave
	for i := range waves {
		w := &waves[i]
		if w.deferredGets > 0 {
			end = max(end, i)
		}
		deferred.gets, deferred.units = deferred.gets+w.deferredGets, deferred.units+w.deferredUnits
		deferred.bytes += w.deferredBytes
		w.deferredGets, w.deferredUnits, w.deferredBytes = 0, 0, 0
		if *w != (wave{}) {
			end = i + 1
		}
		if w.gets > 0 {
			*w, deferred = w.plus(deferred, 1), wave{}
			for ; waiting <= i; waiting++ {
				sentIn[waiting] = i
			}
		}
	}
	for ; waiting < len(sentIn); waiting++ {
		sentIn[waiting] = waiting
		if deferred.gets > 0 {
			sentIn[waiting] = max(end, waiting)
		}
	}
	if deferred.gets > 0 {
		waves = grown(waves, end+1)
		waves[end] = deferred
	}
	return waves, sentIn
}

// grown returns the waves, extended to at least n.
func grown(waves []wave, n int) []wave {
	for len(waves) < n {
		waves = append(waves, wave{})
	}
	return waves
}
