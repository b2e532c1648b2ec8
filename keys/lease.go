package keys

import "github.com/partita/partita/item"

// LeasePK is the stored partition key of the items that say which replicas read the stream of the table, and how far:
// see package live/stream. They belong to no type and to no tenant, and are in no index.
const LeasePK = "PARTITA#LIVE"

// IsLease reports whether a stored item is one of those with LeasePK. Nothing that reads the table for its objects
// returns them.
func (l *Layout) IsLease(stored item.Item) bool { return stored.Text(l.PK) == LeasePK }
