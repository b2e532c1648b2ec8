// Package model has the Go types of the schema, and what fills them from stored
// items. All of it is generated.
package model
