// Package testservice is the service of the engine's tests: a library with readers, books and loans. It is not
// part of an application. The code in graph and the read resolvers are generated from schema.
//
// Tests of the engine import it; other code never does.
package testservice
