// Package live delivers the changes of a table to subscriptions and caches.
//
// A [Reader] reads the table's stream and passes each [Change] to a [Sink]. A change has the keys of an item before and
// after it, and every live field has a key condition, so that a change identifies exactly the fields that it concerns,
// whoever wrote the item.
//
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Streams.html
package live
