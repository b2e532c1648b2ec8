// Package resolvers resolves the fields of the schema. Read resolvers are one line each, and generated. Fields without
// a directive, mutations among them, are resolved by hand in one file for each domain.
package resolvers

import "time"

// Resolver is the root of all resolvers.
type Resolver struct {
	// Clock returns the time that mutations store; nil is time.Now.
	Clock func() time.Time
}

// now returns the time of a mutation, truncated to the millisecond as it is stored.
func (r *Resolver) now() time.Time {
	clock := time.Now
	if r.Clock != nil {
		clock = r.Clock
	}
	return clock().UTC().Truncate(time.Millisecond)
}
