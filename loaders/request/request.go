package request

import (
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
)

// The three reads below and TransactWriteItems are the whole border to DynamoDB
// for the gateway. None of them can Scan or filter. Each takes and returns only
// forms of our own, so that another wire path can take the SDK's place behind
// them.

// MaxBatchKeys is how many keys one BatchGetItem takes.
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

// Query reads a range of one item collection. The sort key condition is
// begins_with Prefix when From and To are both empty (no condition when Prefix
// is empty too), else BETWEEN From AND To; a range open at one end has its
// bound computed by the caller.
type Query struct {
	// Index is the index's name, or "" for the table itself.
	Index      string
	PK         keys.PK
	Prefix     keys.SK
	From, To   keys.SK
	Descending bool
	// Limit is how many items to evaluate at most; 0 leaves it to DynamoDB's 1 MB.
	Limit int
	// Start is exclusive; nil starts at the range's first item.
	Start *Position
	// Consistent is refused by DynamoDB on an index, so it is ignored there.
	Consistent bool
}

// Position is a place in a Query's range: an item's sort key in the index (or
// the table), and for an index the primary key of the item as well.
type Position struct {
	SK   keys.SK
	Base keys.Key
}

// Result is what one request gave.
type Result struct {
	// Items in the order of the range for a Query, in no order for a BatchGetItem.
	Items []item.Item
	// Unprocessed keys of a BatchGetItem are to be asked for again.
	Unprocessed []keys.Key
	// Last is where a Query stopped before the end of its range, nil at the end.
	Last *Position
	// ReadUnits is the consumed capacity that DynamoDB reported.
	ReadUnits float64
	// WriteUnits is the same of a TransactWriteItems, index writes included.
	WriteUnits float64
	// Retries is how many more HTTP requests than one it took.
	Retries int
	// Throttles is how many of its HTTP requests DynamoDB refused to protect its
	// capacity.
	Throttles int
}
