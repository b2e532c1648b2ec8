// Package gateway serves a GraphQL schema over HTTP.
//
// A request to /graphql passes these steps, a file each; every step may refuse it with a [refusal]:
//
//	accept.go     which media type the answer will have
//	origins.go    whether the page that sent it may do so
//	request.go    the HTTP request becomes query, operationName, variables
//	persisted.go  a hash becomes a query; manifest.go, which queries there are
//	document.go   the query is parsed, held to the limits (bounds.go, comparisons.go), validated and its operation chosen
//	variables.go  the variables are coerced to the operation's definitions
//	execute.go    gqlgen's executor runs the operation
//	response.go   the result becomes a body and a status code
//
// plan.go answers requests to /plan, which take the same steps up to the execution.
//
// The rules are those of the GraphQL over HTTP specification, edition September 2026
// (https://http-spec.graphql.org/September2026/), cited as "HTTP spec" in this package. errors.go alone decides what an error tells the
// caller and what it tells the log.
package gateway
