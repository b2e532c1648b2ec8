// Package model has the Go types of the test service's schema, and functions that fill them from stored items.
// All of it is generated.
package model
