package cache

import (
	"github.com/partita/partita/keys"
	"github.com/partita/partita/request"
)

// getID identifies a Get of the Reads with a number.
type getID struct {
	of uint64
	itemID
}

// itemID identifies an item.
type itemID struct {
	tenant string
	key    keys.Key
}

// queryID identifies a Query.
type queryID struct {
	of     uint64
	tenant string
	query  request.Query
}
