// Package deletion takes a user away. One transaction cannot hold thousands of
// edges and orders, so a user goes in two parts:
//
//   - Mark hides the user: the item keeps its key and its counters, loses what is
//     known of the person, and reads as missing from then on. It stands in an
//     index partition of its own, by the time of its deletion.
//   - A Sweeper removes what hangs on marked users in steps, and each user when
//     nothing is left. A step is one transaction, which takes some items away and
//     counts them down, so that all counters are exact after each. Nothing but the
//     table knows how far it has come: a sweep may end anywhere and another go on,
//     and any number may run at once.
//
// No edge and no order can be added to a marked user, for the mutations that do so
// ask that the user exists.
package deletion
