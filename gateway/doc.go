// Package gateway serves a GraphQL schema over HTTP.
//
// A request to any path passes hosts.go, which rejects requests to foreign hosts.
//
// A request to /graphql passes these steps. Each is a file and may return a [requestError]:
//
//	authenticate.go  finds the viewer
//	accept.go        chooses the media type of the response
//	origins.go       rejects requests from pages of foreign origins
//	seat.go          waits until the caller's share allows the operation, see package share
//	request.go       reads query, operationName and variables from the HTTP request, with json.go
//	persisted.go     looks up the query of a hash; manifest.go restricts operations to a list
//	document.go      returns the document with its plans, from the cache (documentcache.go) if possible. Otherwise it
//	                 parses the query, checks its size (documentlimits.go, fieldmerge.go) and validates it. Then it
//	                 selects the operation
//	variables.go     coerces the variables to the types of their definitions, with which the plan is compiled or found
//	tenant.go        rejects viewers without a tenant, if the table has tenants
//	execute.go       binds the plan to the request, checks its price, and executes it
//	budget.go        reserves the price in the caller's budget before, and commits the actual cost afterwards
//	response.go      writes the result
//
// A subscription takes the same steps up to the variables. Then subscription.go begins it, and one of the transports
// sends its events until it ends:
//
//	socket.go      opens and ends WebSockets; socketmessage.go reads and writes messages, socketoperation.go answers them
//	httpstream.go  writes server-sent events and multipart responses, which streamaccept.go chooses
//	streams.go     limits connections and subscriptions, and passes events on
//
// There are two executors, and the plan decides which one executes an operation. Package answer writes the answer of an
// operation whose fields are all directives, attributes or introspection. gqlgen executes operations with hand-written
// Go. It can execute all others as well: the responses are the same, byte for byte, with the one exception that
// TestWhatGqlgenMerges in internal/executors shows.
//
// plan.go answers requests to /plan, which take the same steps up to the price.
//
// The rules are those of the GraphQL over HTTP specification, edition September 2026
// (https://http-spec.graphql.org/September2026/), cited as "HTTP spec" in this package. Only errors.go decides which
// part of an error is sent to the caller and which part is only logged.
//
// # Why it is so
//
// An error with Retry-After means that nothing was executed, so that a client may send the operation again in its
// fetch, whatever library it uses.
//
// Errors are sorted by path: responses can be compared byte by byte, and of more errors than are listed, the same ones
// always are.
//
// What an answer costs this process is one number, its objects, at each place. Callers understand it and a plan knows
// it beforehand, which is worth more than an exact price. Objects with many fields count as several, because otherwise
// 190 aliases of a field would be free. Bytes are limited where they are buffered.
//
// When the deadline of an operation passes, fields whose Reads have ended are still answered: the caller has paid for
// them, and both executors would otherwise stop at other places.
//
// A mutation without a token counts when it is attempted, for its address and for all addresses together, so that
// values cannot be enumerated from many addresses. The price is that somebody with many addresses can block sign-ups
// for that time.
//
// With the local engine, pages of this machine are allowed and names of this machine are answered, always: a page gains
// nothing that a program of the same machine does not have. With a real table no default can be right.
//
// Headers of an operation are also values of connection_init, because a browser's WebSocket cannot send headers.
//
// A reload ends subscriptions as a restart does: a code of its own would have no other consequence for clients.
package gateway
