// Package testservice is the service that the engine's tests ask: a library with readers, books and loans. It belongs to no
// application. The code in graph and the read resolvers are generated from schema.
//
// Tests of the engine import it; other code never does.
package testservice

//go:generate go run ../../keys/gen/partitagen -typed graph/typed -docs ""
