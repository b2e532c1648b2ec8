package amazon

import (
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
)

// bucketKey names what has a limit: a partition key of an index, or with "" of the table.
type bucketKey struct {
	index, partition string
	isWrite          bool
}

// resource returns the ARN of the table or index.
func (k bucketKey) resource() string {
	const table = "arn:aws:dynamodb:eu-west-1:123456789012:table/partita"
	return strings.TrimSuffix(table+"/index/"+k.index, "/index/")
}

// reason returns DynamoDB's word for that the limit is exceeded.
func (k bucketKey) reason() string {
	what, how := "Table", "Read"
	if k.index != "" {
		what = "Index"
	}
	if k.isWrite {
		how = "Write"
	}
	return what + how + "KeyRangeThroughputExceeded"
}

// bucket has the units that may be consumed. A request that begins while there are some may consume more.
type bucket struct {
	units  float64
	filled time.Time
}

// charges are the units of a request.
type charges map[bucketKey]float64

// written returns the write units.
func (c charges) written() (sum float64) {
	for key, units := range c {
		if key.isWrite {
			sum += units
		}
	}
	return sum
}

// buckets are those of all keys. Its methods may be called concurrently.
type buckets struct {
	limits Limits
	mu     sync.Mutex
	byKey  map[bucketKey]*bucket
}

// of returns the bucket of a key as it is now; nil without a limit.
func (b *buckets) of(key bucketKey) *bucket {
	limit := b.limits.limit(key.isWrite)
	if limit == 0 {
		return nil
	}
	now := time.Now()
	one := b.byKey[key]
	if one == nil {
		one = &bucket{units: limit, filled: now}
		b.byKey[key] = one
	}
	one.units = min(limit, one.units+limit*now.Sub(one.filled).Seconds())
	one.filled = now
	return one
}

// admit takes units from all buckets, or none if one of them is empty. It returns the keys of the empty ones.
func (b *buckets) admit(all charges) (empty []bucketKey) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for key := range all {
		if one := b.of(key); one != nil && one.units <= 0 {
			empty = append(empty, key)
		}
	}
	if empty == nil {
		b.take(all)
	}
	return empty
}

// take takes units whether there are some or not.
func (b *buckets) take(all charges) {
	for key, units := range all {
		if one := b.of(key); one != nil {
			one.units -= units
		}
	}
}

// consume takes what a request has consumed beyond what it was admitted with.
func (b *buckets) consume(admitted, consumed charges) {
	more := maps.Clone(consumed)
	for key := range more {
		more[key] -= admitted[key]
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.take(more)
}

// Failure is the error that answers a request.
type Failure struct {
	Status  int
	Content map[string]any
	// IsThrottle is set if it is because of units. Units are the write units that the request would have consumed.
	IsThrottle bool
	Units      float64
}

func failure(kind, message string, more map[string]any) *Failure {
	content := map[string]any{"__type": kind, "message": message}
	maps.Copy(content, more)
	return &Failure{Status: http.StatusBadRequest, Content: content}
}

// exceeded returns the error of a request that is beyond limits, in the form of a table with capacity on demand.
//
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_ThrottlingReason.html
func exceeded(empty []bucketKey) *Failure {
	slices.SortFunc(empty, func(a, b bucketKey) int { return strings.Compare(a.resource(), b.resource()) })
	var reasons []map[string]string
	for _, key := range empty {
		reasons = append(reasons, map[string]string{"reason": key.reason(), "resource": key.resource()})
	}
	f := failure("com.amazonaws.dynamodb.v20120810#ThrottlingException", madeByTheTest,
		map[string]any{"throttlingReasons": reasons})
	f.IsThrottle = true
	return f
}

const madeByTheTest = "made by the test"
