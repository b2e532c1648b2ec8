// Package typed is the schema's design as Go: the key condition of each field,
// the key and the stored items of each type. All of it is generated.
package typed
