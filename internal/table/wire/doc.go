// Package wire sends the reads and writes that serve operations to DynamoDB without the middleware of the AWS SDK and
// without net/http: a request is encoded into a reused buffer, signed, and written by the goroutine that then reads
// and parses its response.
//
// The SDK still decides what a request is made of. Route asks its client once for the endpoint, the signing region
// and the user agent; the client's credentials and Retryer are used for each attempt, and errors have the SDK's
// types, so that they are classified by the SDK's rules.
//
// Words: an exchange is one HTTP request with its response on a connection. An attempt is an exchange with all that
// it needs: credentials, a connection, a signature. A call is one or more attempts.
package wire
