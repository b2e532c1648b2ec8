// Package graph is the executor of the test service, which gqlgen generates.
package graph
