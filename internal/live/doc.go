// Package live delivers the changes of a table to subscriptions and caches.
//
// A [Reader] reads the table's stream and passes each [Change] to a [Sink]. A change has the keys of an item before and
// after it, and every live field has a key condition, so that a change identifies exactly the fields that it concerns,
// no matter who wrote the item.
//
// The [Hub] is the Sink of subscriptions. Its words:
//
//   - A place is a partition of the table or of an index. The hub has the feeds by their places, so that a change that
//     concerns nobody costs a look-up for each place of its item. Of a change that another replica has read, it has
//     only the places: the items are away until a feed is there.
//   - A [Feed] is what one subscription receives: the changes in the range of a condition, as [Event] values.
//   - The [State] is what the subscription has read first. The feed begins with the changes that the state does not
//     have: see settling.
//   - The history has the changes of the last moments. From it a feed begins and, for a short time, resumes. The stream
//     has those of 24 hours, which are replayed.
//   - A position is a time between two changes, as far as each shard has been delivered. Replicas read shards at
//     different speeds, so that a number would not be valid for all.
//
// What a subscription may notice: an item that changes and changes back while the first state is read may be reported
// twice or not at all, and so may an item that is created and deleted, or that moves across the end of the page, at
// that moment. An item that expires is reported when DynamoDB deletes it, and one that is written into a time bucket
// long before that begins is reported with its next change.
//
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Streams.html
//
// # The files, from the bottom
//
//  1. change.go and options.go: what a Reader passes to a Sink, and what a Hub is made with.
//  2. clock.go, places.go, history.go: the present moment, where a change belongs, and the last changes.
//  3. position.go, event.go, positions.go: the time after an event, and the texts that clients have of it.
//  4. match.go, state.go: whether a change concerns a range, and whether the first state has it.
//  5. feed.go: the queue of one subscription.
//  6. hub.go: all feeds, and the changes that are delivered to them.
//  7. away.go, catchup.go, replay.go, replays.go: what a feed has missed, from the history or from the stream.
//  8. subscribe.go, next.go: how a feed begins, and what its reader calls.
//
// # Why it is so
//
// If an item has changed back before a late first state, nothing in the records shows on which side of the state the
// changes are. A pair of superfluous events is delivered, because a lost one would be worse.
//
// A position shortly after a first state has the time of that state, because the stream may be behind it. A digest of
// each item would be longer than a header may be.
//
// Replayed events are passed as they are read, since the end of a replay may be late, and clients that were away for
// about the same time share one. Each request of a replay is charged to those who wait for it: who resumes again and
// again would otherwise have the stream read without end.
package live
