// Package gateway serves a GraphQL schema over HTTP.
//
// A request to /graphql passes these steps, each of which is a file and may return a [requestError]:
//
//	authenticate.go  finds the viewer
//	accept.go        chooses the media type of the response
//	origins.go       rejects requests from pages of foreign origins
//	request.go       reads query, operationName and variables from the HTTP request; json.go parses its body
//	persisted.go     looks up the query of a hash; manifest.go restricts operations to a list
//	document.go      parses the query, checks its size (documentlimits.go, fieldmerge.go), validates it and selects
//	                 the operation
//	variables.go     coerces the variables to the types of their definitions
//	budget.go        reserves the estimated cost in the caller's budget
//	execute.go       runs the operation with gqlgen's executor
//	response.go      writes the result
//
// plan.go answers requests to /plan, which take the same steps up to the budget.
//
// The rules are those of the GraphQL over HTTP specification, edition September 2026
// (https://http-spec.graphql.org/September2026/), cited as "HTTP spec" in this package. Only errors.go decides which
// part of an error is sent to the caller and which part is only logged.
package gateway
