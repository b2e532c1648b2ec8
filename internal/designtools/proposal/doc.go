// Package proposal chooses the keys of a single table for types and their access patterns.
//
// Each pattern becomes one GetItem or one Query. The steps are files:
//
//  1. model.go reads the types, without the directives that say where objects are stored.
//  2. infer.go adds the patterns of fields that say by their names and arguments what they read. A many-to-many
//     relation without a type of its own gets one.
//  3. need.go makes of each pattern what a key must have for it: the fields that are equal, those that may be given
//     from the left, and the one that sorts.
//  4. paths.go joins what one key serves: a Query of all objects of a partition is served by any order, and one more
//     equality by the beginning of the sort key.
//  5. place.go decides where each path is stored, by what placer.go finds in types. A type that is read by its identity
//     alone has an item of its own. Otherwise its item is in the first collection that has it: the children of a
//     parent are in the partition of the parent, so that one Query reads both. The next way to the same objects is a
//     copy in a parent's partition, which is read with the parent, if the item itself is in none. All others are
//     entries in overloaded indexes: an adjacency list has the inverted index in this way. An index has one entry for
//     each stored item, the copies included, and another index is used if these do not suffice.
//  6. template.go writes keys, and print.go the directives.
//  7. propose.go lets the checks of all schemas decide. A pattern that they do not accept is left out, with what they
//     say, and the rest is proposed again.
//
// The sources are AWS's pages about the design of tables: access patterns first [1], item collections [2], adjacency
// lists with an inverted index [3], overloaded [4], sparse [5] and sharded [6] indexes. It differs where reads become
// dearer: an object that others refer to is read by a key of its own and never through an index, because GetItem is
// batched and Query is not.
//
// [1]: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-modeling-nosql.html
// [2]: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/WorkingWithItemCollections.html
// [3]: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-adjacency-graphs.html
// [4]: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-gsi-overloading.html
// [5]: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-indexes-general-sparse-indexes.html
// [6]: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-indexes-gsi-sharding.html
package proposal
