// Package crowd tests the shop among many callers: what they have been told of their writes and what subscribers have
// received is compared with the table, while processes are killed and requests fail.
//
// A service is a gateway that goes down and comes up again. A sender sends mutations to it until there is an answer;
// writers of the shop and posters of a forum know from the answers what the table must contain, their ledger. Listeners
// have subscriptions, whose events are compared with the history of the writers.
package crowd
