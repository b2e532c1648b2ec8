package live

// queued is an Event in a queue.
type queued struct {
	change    *Change
	was, is   bool
	partition int32
	// number is that of the change in the hub's epoch; 0 for a replayed one.
	number uint64
	after  moment
	// bytes are those of a change that was delivered while the feed was there; 0 for others.
	bytes int
	// resumed is a position after which the feed has resumed, if the hub was not there yet or the change was replayed.
	// The position after the event is that and the moment, whichever is later in each shard.
	resumed *position
	// isOpen is set if changes before the event have been left out, and will perhaps be delivered.
	isOpen bool
	// isLate is set for a change that was left out before.
	isLate bool
}

// Event is a change that concerns a feed.
type Event struct {
	*Change
	// Was reports whether the item was in the range, as far as the feed's reader knows, and Is whether it is there now.
	// One of them is set, or both.
	Was, Is bool
	// Partition is the index in the condition's Partitions of the item's entry: of the new one if Is is set, otherwise of
	// the old one.
	Partition int
	// Position returns the position after the event. It is opaque and valid for all replicas with the same secret.
	Position func() string
}
