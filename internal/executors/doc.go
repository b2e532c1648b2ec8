// Package executors compares the two executors of operations, each of which is the other's test: one answers from the
// plan and the items, the other is gqlgen. A Generator makes random operations of any schema, Damaged makes items that
// do not fit it, and a Pair sends an operation to both executors and returns how they differ.
package executors
