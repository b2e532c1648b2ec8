// Package stream reads the stream of a table: it is the live.Reader of DynamoDB Streams, of Amazon and of the local
// engine.
//
// A [Reader] reads each shard of the stream in a goroutine of its own (shard.go), which passes its records to the one
// that calls the sink (session.go, with its state in state.go). A child of a shard is read after the shard's end,
// because it continues the items of the shard. A position has all shards that are being read, so that reading can
// continue anywhere.
//
// # Who reads
//
// Amazon DynamoDB allows two readers for each shard. So replicas agree by reserved items of the table, which belong to
// no type, and in which they store how far they have read, where the next ones continue.
//
//   - With a shared store the replicas divide the shards. Each of them increases a number in one item every few
//     seconds (readers.go); if that stays the same for four times as long, by the clock of who watches it, the
//     replica is gone. The answer to the write has all others, and each replica computes who reads which shard
//     (divide.go). It reads its own (division.go), publishes the records to a stream in the store (publish.go), and
//     follows the others (hear.go). While the store does not answer, what a replica reads waits, and is published in
//     its order.
//   - Without a store there are two leases (lease.go), and so at most two replicas that read, each of them all shards.
//   - The local engine is used by one process. It takes the lease at once, and writes only when the position has
//     changed: a client can then continue after a restart.
//
// # How replicas follow
//
// A replica has one position, whether it reads a shard by itself or follows another replica. What is published is a
// part of one shard, with the position before it. If that is one that this replica has passed, nothing is missing: it
// leaves out what it has had, and passes the rest. Otherwise it reads the shard from the stream of the table, until the
// parts of the replica that reads the shard follow again. It does not matter who publishes, how often, or in which
// order.
//
// What is published of a record is its head: the key of the item and the places of both images (entry.go). The images
// are another text in the store, as the table has them, from which a replica fetches those that its sink needs
// (fetch.go). If that fails, it reads the shard from the stream of the table. Replicas whose schemas give records other
// keys or places have another scheme (encoder.go), and fetch all images.
//
// A child of a shard begins for a replica when it has passed the shard's end, whoever has read that. Who hears of a
// child before reads the end of its ancestors in the stream of the table.
//
// A replica goes on reading a shard that is another one's now until it hears from that. If it has not heard from the
// replica of a shard for as long as one may be silent, it reads the shard as well, but seldom. It has read everything
// until the earliest of the times that all have said of their shards.
//
// # What is exact
//
// The changes of an item are passed in their order, none twice, and none is left out without Sink.Lost. Lost follows
// when records are trimmed (after 24 hours), when the table has another stream, or when the position is not known: a
// shard that was read from the present on has no position until its first record. Replicas with a store tell each other
// the iterator until then, which is valid for 15 minutes.
//
// The API does not show whether a shard has more records than it has returned. A page that was not ended by its size is
// taken to be the newest. So Sink.Current is as exact as the stream itself, into which a write comes within less than a
// second, without a guarantee.
//
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Streams.html
//
// # Why it is so
//
// The items are in the table, because what is in the shared store would be lost with it. That a replica has begun or
// ended is also published, only as a hint to look at them now. Two readers of a shard do no harm: see above.
//
// Earlier versions have one reader, by the first lease, and another stream in the store. Both may run during an update,
// and then each shard has two readers.
//
// The session of one tenant does not read the stream: IAM has no condition for a part of it.
package stream
