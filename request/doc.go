// Package request has the requests that loaders send to DynamoDB, their results
// and their errors. loaders.Source is the interface over them, and package table
// implements it.
//
// None of the reads can Scan or filter. Requests and results contain only keys
// and items, so that the code that encodes and sends them is interchangeable.
//
// Words: a request is one call of a method of a Source. It is sent as one HTTP
// request, or as several if it is retried. A request whose retries are used up,
// or whose context has ended, returns an error that wraps one of the Err values.
//
// # Why it is a package
//
// loaders declares the interface and table implements it, and neither may import the other.
package request
