// Package share divides what a process has among the callers of its operations, so that a caller who asks for more
// than there is delays only itself.
//
// A [Pool] is a number of equal places: operations in flight, turns on the CPUs, requests to the table. [Memory] is a
// number of bytes. A [Turn] is an operation's use of the CPUs: it is taken while the operation computes, and given up
// while it waits for the table or for the client.
//
// A caller who is alone may have all of it. Others who wait are served in turn: the next place is for the next caller
// who waits, not for the next operation. Of the operations of one caller, those that have begun come first, and then
// the others in their order. To parse an answer, a caller has places beside those with which it computes, because Reads
// are shared: operations of others may wait for the same answer.
//
// There is no fixed limit for each caller, which would slow down the one backend that sends everything. What is beyond
// a limit waits within its own timeout: an error at once would be cheap to repeat. Hand-written Go has no turn, because
// it may wait for anything.
package share
