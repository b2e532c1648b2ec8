// Package designtools offers an agent that helps to design a table what a developer has on the command line, as tools
// of the Model Context Protocol over a pair of streams: the findings of a schema with their fixes, keys for access
// patterns, the plan of an operation, two designs compared by price.
//
//  1. server.go has the tools. call.go runs their calls: one after the other, each for a limited time.
//  2. input.go reads the schema files that a call is about, from files.go, which opens nothing outside of one folder,
//     and from texts in the call.
//  3. check.go, propose.go, plan.go and compare.go are the tools. Package proposal chooses the keys.
//
// # Why it is so
//
// Nothing is written, no table is opened and no request is sent: an agent writes files with tools of its own, for which
// its user has given it rights. A text in a call takes the place of a file, so that a change can be tried before it is
// written.
//
// Wrong input is a result with a sentence and not an error of the protocol, which clients hide from the agent.
package designtools
