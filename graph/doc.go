// Package graph is the GraphQL side: the schema in the folder schema, and
// gqlgen's executor for it, which is generated.
package graph
