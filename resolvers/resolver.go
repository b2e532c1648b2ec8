// Package resolvers resolves the fields of the schema. Read resolvers are one line each, and generated. Fields without
// a directive, mutations among them, are resolved by hand in one file for each domain.
package resolvers

import (
	"time"

	"github.com/partita/partita/keys"
)

// Resolver is the root of all resolvers.
type Resolver struct {
	// Clock returns the time that mutations store; nil is time.Now.
	Clock func() time.Time
	// Deleted is called with each deleted user. The user's orders and follows are still to be removed; if it is nil,
	// another process does that. It must not wait.
	Deleted func(user keys.ID)
}

// now returns the time of a mutation, truncated to the millisecond as it is stored.
func (r *Resolver) now() time.Time {
	clock := time.Now
	if r.Clock != nil {
		clock = r.Clock
	}
	return clock().UTC().Truncate(time.Millisecond)
}
