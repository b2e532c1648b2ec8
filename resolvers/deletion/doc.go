// Package deletion deletes users. One transaction cannot hold thousands of edges and
// orders, so a user is deleted in two parts:
//
//   - SoftDelete turns the user's item into a tombstone: it keeps its key and its
//     counters, loses the data of the person, and reads as missing from then on. It
//     is in an index partition of its own, by the time of its deletion.
//   - A Sweeper removes what belongs to deleted users in steps, and each tombstone
//     when nothing is left. A step is one transaction, which deletes some items and
//     subtracts them from the counters, so that all counters are exact after each.
//     How far it has come is in the table only: a sweep may end anywhere and another
//     one continue, and any number may run at once.
//
// No edge and no order can be added to a deleted user, because the mutations that do
// so ask that the user exists.
package deletion
