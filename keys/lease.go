package keys

import (
	"slices"
	"strconv"

	"github.com/partita/partita/item"
)

// LeasePK is the stored partition key of the items that say which replicas read the stream of the table, and how far:
// see package live/stream. They belong to no type and to no tenant, and are in no index.
const LeasePK = "PARTITA#LIVE"

// MaxLeases is how many of them there are at most: Amazon DynamoDB allows two readers for each shard.
const MaxLeases = 2

// LeaseSK returns the stored sort key of one of the items with LeasePK. They are numbered from 0.
func LeaseSK(number int) SK { return SK("LEASE#" + strconv.Itoa(number)) }

// IsLeaseOfAny reports whether an item is one of those with LeasePK, in a table whose keys may have any names.
func IsLeaseOfAny(stored item.Item) bool {
	has := func(text string) bool {
		return slices.ContainsFunc(stored, func(a item.Attribute) bool {
			return a.Value.Kind == item.String && a.Value.Text == text
		})
	}
	if !has(LeasePK) {
		return false
	}
	for number := range MaxLeases {
		if has(string(LeaseSK(number))) {
			return true
		}
	}
	return false
}

// IsLease reports whether a stored item is one of those with LeasePK. Nothing that reads the table for its objects
// returns them.
func (l *Layout) IsLease(stored item.Item) bool { return stored.Text(l.PK) == LeasePK }
