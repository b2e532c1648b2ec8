// Package testschema is a small executable schema with one field per behaviour of the gateway, for its tests.
package testschema

//go:generate go run github.com/99designs/gqlgen generate
