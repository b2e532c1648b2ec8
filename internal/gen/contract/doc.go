// Package contract compares two versions of an API, and says what each change means for its clients.
//
// A change is breaking if an operation that was valid is not any more, or if its result has values that its client
// cannot expect. It is dangerous if operations stay valid, and a client may behave in another way. The rules for types
// are those of GraphQL.js; where GraphQL.js has none, or a milder one, the function says why:
//
//   - https://github.com/graphql/graphql-js/blob/16.x.x/src/utilities/findBreakingChanges.ts
//   - https://spec.graphql.org/September2025/#sec-Validation
//
// What GraphQL does not know follows from the design: who may read a field, what global ids and cursors consist of, and
// limits of what can be stored.
//
// Stored objects do not change with the schema. What differs in what is stored needs data, by migrate.Compare: a
// migration changes them, and until then there is something that they lack. What no migration can change is breaking:
// values of another type, what an object inside of another one lacks, the keys of the table.
//
// An element is announced to go if it was deprecated before. Its removal, or any change of it, is no surprise then,
// unless stored objects do not agree with it.
//
// # Why the rules are our own
//
// There is no maintained Go library on gqlparser that compares schemas, and a program for CI cannot need Node.js.
// Random pairs of schemas are compared with GraphQL.js. The base is completed by the rules of today, so that an update
// of Partita is no change of a team.
package contract
