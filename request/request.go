package request

import (
	"strings"
	"time"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
)

// MaxBatchKeys is how many keys one BatchGetItem may have.
//
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchGetItem.html
const MaxBatchKeys = 100

// GetItem reads one item by its primary key.
type GetItem struct {
	Key        keys.Key
	Consistent bool
}

// BatchGetItem reads 1 to MaxBatchKeys distinct keys.
type BatchGetItem struct {
	Keys       []keys.Key
	Consistent bool
}

// Query reads a range of one item collection: the sort keys that begin with Prefix when From and To
// are both empty, else those BETWEEN From AND To; for a range that is open at one end the caller
// computes that bound. All are empty for a whole partition.
type Query struct {
	// Index is the index's name, or "" for the table itself.
	Index      string
	PK         keys.PK
	Prefix     keys.SK
	From, To   keys.SK
	Descending bool
	// Limit is how many items to evaluate at most; 0 leaves it to DynamoDB's 1 MB.
	Limit int
	// Start is exclusive; the zero Position is the beginning of the range.
	Start keys.Position
	// Consistent is ignored on an index, where DynamoDB allows no strongly
	// consistent reads.
	Consistent bool
}

// Bounds returns the bounds of the sort key condition, which is always BETWEEN; both are empty if
// there is none. It is not begins_with, because that ignores the case of ASCII letters in some
// endpoints.
func (q *Query) Bounds() (from, to keys.SK) {
	if q.From != "" || q.To != "" || q.Prefix == "" {
		return q.From, q.To
	}
	return q.Prefix, keys.EndOf(q.Prefix)
}

// Contains reports whether a sort key is in the range. It allocates nothing.
func (q *Query) Contains(sk keys.SK) bool {
	if q.From != "" || q.To != "" {
		return sk >= q.From && sk <= q.To
	}
	return strings.HasPrefix(string(sk), string(q.Prefix))
}

// IsAhead reports whether an item with the sort key, if the range has one, comes after Start.
func (q *Query) IsAhead(sk keys.SK) bool {
	if q.Descending {
		return q.Start.SK == "" || sk < q.Start.SK
	}
	return sk > q.Start.SK
}

// Result is the response to one request.
type Result struct {
	// Items in the order of the range for a Query, in no order for a BatchGetItem. For a transaction that is carried out
	// as an UpdateItem, the item as it is stored then.
	Items []item.Item
	// Tenants are those of the items of a Scan of a table with tenants, "" for an item without one, whose keys are as they
	// are stored; nil for all other requests.
	Tenants []string
	// Unprocessed are the keys of a BatchGetItem that the caller must request
	// again.
	Unprocessed []keys.Key
	// Last is where a Query stopped before the end of its range; zero at the end.
	Last keys.Position
	// Reused is how many Reads were answered without a request of their own, from a cache or by the request of another
	// operation: keys of a GetItem or a BatchGetItem, or 1 for a Query.
	Reused int
	// ReusedKeys are those of a BatchGetItem.
	ReusedKeys []keys.Key
	// Unsent is set if no request was sent at all. Units, retries and throttles are then 0.
	Unsent bool
	// ReadUnits is the consumed capacity that DynamoDB reported.
	ReadUnits float64
	// WriteUnits is the same of a write, index writes included.
	WriteUnits float64
	// CompanionReads is how many requests a write has sent before, to keep another form of what it writes. CompanionUnits
	// are the write units that one attempt consumes for that at worst, beyond those of the transaction that was passed.
	CompanionReads int
	CompanionUnits float64
	// Retries is how many HTTP requests were sent beyond the first.
	Retries int
	// Throttles is how many of the HTTP requests DynamoDB throttled.
	Throttles int
	// Throttled has an element for each of these, with its reasons and partitions, and one for keys that are Unprocessed.
	Throttled []Throttle
	// Waited is how long the HTTP requests have waited because their partition keys were throttled before.
	Waited time.Duration
	// Cancelled is how many of the HTTP requests of a write DynamoDB rejected because of conditions or of other
	// transactions. It consumes write units for them and does not report these.
	Cancelled int
	// Unanswered is how many of the HTTP requests may have been carried out although there is no answer that says
	// so: the connection broke, the time was over, or the status was 5xx.
	Unanswered int
}
