// Package stream reads the stream of a table: it is the live.Reader of DynamoDB Streams, of Amazon and of the local
// engine.
//
// A [Reader] reads each shard of the stream in a goroutine of its own (shardReader), which passes its records to the
// one that calls the sink (session). A child of a shard is read after the shard's end, because it continues the items
// of the shard. A position has all shards that are being read, so that reading can continue anywhere.
//
// # Who reads
//
// Amazon DynamoDB allows two readers for each shard. So the right to read is a lease: an item of the table with a
// [stored.Layout.LeaseKey], which belongs to no type. Its holder increases a number in it every few seconds; if
// that stays the same for four times as long, by the clock of who watches it, another replica takes the lease. The item
// has the position, where the next holder continues.
//
//   - With a shared store there is one lease. Its holder publishes the records to a stream in the store, and all other
//     replicas follow that. They have the records as they are stored, so that replicas with different schemas can run
//     during an update. While the store does not answer, what the holder reads waits, and is published in its
//     order. A follower compares positions whenever the publisher is another one; entries in between are numbered. It
//     drops what it has had, and reads what it has missed from the stream of the table (catchup.go). Only what that
//     does not have either is reported as lost.
//   - Without a store there are two leases, and so at most two replicas that read.
//   - The local engine is used by one process. It takes the lease at once, and writes only when the position has
//     changed: a client can then continue after a restart.
//
// # What is exact
//
// The changes of an item are passed in their order, none twice, and none is left out without Sink.Lost. Lost follows
// when records are trimmed (after 24 hours), when the table has another stream, or when the position is not known: a
// shard that was read from the present on has no position until its first record.
//
// The API does not show whether a shard has more records than it has returned. A page that was not ended by its size is
// taken to be the newest. So Sink.Current is as exact as the stream itself, into which a write comes within less than a
// second, without a guarantee.
//
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Streams.html
//
// # Why it is so
//
// The lease is an item of the table, because a lock in the shared store would be lost with the store. A release is only
// a hint to others to try now. Two publishers at once do no harm: followers drop what they have had.
//
// The session of one tenant does not read the stream: IAM has no condition for a part of it.
package stream
