package live

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/request"
)

// Change is a record of the table's stream: one item before and after one write. It does not change after it has been
// delivered, except for its Scope and for items that were away, and is shared by all that it concerns. It is not
// copied.
type Change struct {
	// Key is the primary key of the item, as the design has it: without a tenant.
	Key keys.Key
	// Old and New are the item before and after the write, as the design has them; nil if it did not exist.
	Old, New item.Item
	// Tenant is the name of the item's tenant; "" in a table without tenants.
	Tenant string
	// At is about when the write was committed, by the clock of DynamoDB; Amazon's has whole seconds.
	At time.Time
	// Shard is the shard of the stream that has the record, and Sequence its number there. All changes of an item are in
	// one lineage of shards, in their order; numbers of one shard are compared by their length, then as texts.
	Shard, Sequence string
	// Away is set while Old and New are where another replica has left them: see Sink. It is nil if they are here.
	Away *Away
	// Scope has what has been read because of the change.
	Scope request.Scope
}

// Away says where the items of a change are that another replica has read.
type Away struct {
	// Text is the key of a text that the replicas share. From is where the items begin in it and Bytes their length there;
	// the first Old bytes of what that contains are the old item.
	Text             string
	From, Bytes, Old int
	// Places are those of the items before and after the change, each once.
	Places []Place
}

// Items are the items before and after a change; nil if the item did not exist.
type Items struct{ Old, New item.Item }

// Bring sets the items of a change, unless they are here.
func (c *Change) Bring(items Items) {
	if c.Away != nil {
		c.Old, c.New, c.Away = items.Old, items.New, nil
	}
}

// AwayOf returns where the items of changes are that are away.
func AwayOf(changes []*Change) []*Away {
	away := make([]*Away, len(changes))
	for i, c := range changes {
		away[i] = c.Away
	}
	return away
}

// CompareSequences returns a negative number if the record with the sequence number a is before that with b in their
// shard, a positive one if it is after it, and 0 if they are equal. "" is before all records.
func CompareSequences(a, b string) int {
	return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b))
}

// Sink receives the changes of a table. Its methods are called by one goroutine at a time, and must not block.
type Sink interface {
	// Deliver receives changes: those of an item in their order, none twice, and none is left out. It returns those whose
	// items are away and needed: it has received none then, and gets all of them again, with these items.
	Deliver(changes []*Change) (needed []*Change)
	// Current reports that everything that the stream had at a time has been delivered. It is called at least once a
	// second while the stream can be read, also if there are no changes. The time may be before that of the last call:
	// replicas take turns, and their clocks differ.
	Current(at time.Time)
	// Lost reports that changes may have been left out before the next one: their records were trimmed, or the store
	// through which replicas publish them has lost them. Who depends on them must read the table again.
	Lost(cause error)
}

// Reader reads the stream of a table.
type Reader interface {
	// Read passes changes to the sink until the context ends; its error is that of the context. It reads again after
	// failures, which it logs. It begins with the position that is stored in the table, or else with new changes.
	Read(ctx context.Context, sink Sink) error
	// Replay passes the changes after one position to a function, those of an item in their order, until it has passed
	// the changes up to another one; it may pass some more. The function is called once for each request to the stream
	// that has succeeded, also if there were no changes, and by one goroutine at a time. A shard that the first position
	// does not have is passed from its beginning, and one that the other does not have until its present end. The error
	// is ErrExpired if the stream no longer has some of the changes.
	Replay(ctx context.Context, after, until Position, deliver func([]*Change)) error
	// Fetch returns the items of changes from where they are. Its error is ErrGone if some cannot be had now, or never
	// again: the stream has them.
	Fetch(away []*Away) ([]Items, error)
}

// Position is how far a stream has been read: the sequence number of the last record of each shard that has been read
// or is being read, "" for a shard of which nothing has been read yet. Shards that have been read to their end remain
// until their children have been read from.
type Position map[string]string

// ErrExpired is the error of a position whose next changes the stream no longer has: they are older than 24 hours, or
// the stream is another one.
var ErrExpired = errors.New("live: the stream does not have the changes after this position")

// ErrGone is the error of items that are away and cannot be fetched.
var ErrGone = errors.New("live: another replica has left the items where they cannot be fetched")

// advance sets how far a shard has been read, unless that was further before.
func (p Position) advance(shard, sequence string) {
	if last, known := p[shard]; !known || CompareSequences(sequence, last) > 0 {
		p[shard] = sequence
	}
}

// earlier returns a position before two, nil for no position yet.
func earlier(a, b Position) Position {
	if a == nil {
		return b
	}
	for shard, sequence := range a {
		switch other, ok := b[shard]; {
		case !ok:
			delete(a, shard)
		case CompareSequences(other, sequence) < 0:
			a[shard] = other
		}
	}
	return a
}
