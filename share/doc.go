// Package share divides what a process has among the callers of its operations, so that a caller who asks for more
// than there is delays only itself.
//
// A [Pool] is a number of equal places: operations in flight, turns on the CPUs, requests to the table. [Memory] is a
// number of bytes. A [Turn] is an operation's use of the CPUs: it is taken while the operation computes, and given up
// while it waits for the table or for the client.
//
// A caller who is alone may have all of it. Others who wait are served in turn: the next place is for the next caller
// who waits, not for the next operation, and the operations of one caller are served in their order.
package share
