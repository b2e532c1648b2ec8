// Package resolvers answers the fields of the schema. The read resolvers are one
// line each, written by make generate and kept by it once they are edited; a
// field without a directive is resolved by hand, the mutations among them: one
// file for each domain.
package resolvers

import (
	"time"

	"github.com/google/uuid"

	"github.com/partita/partita/keys"
)

// Resolver is the root of all resolvers.
type Resolver struct {
	// Clock returns the time that mutations store; nil is time.Now.
	Clock func() time.Time
	// Deleted is called with each user who has been deleted and whose orders and
	// follows are still to be removed; nil leaves that to others. It must not wait.
	Deleted func(user keys.ID)
}

// now is cut to the millisecond, as it is stored.
func (r *Resolver) now() time.Time {
	clock := time.Now
	if r.Clock != nil {
		clock = r.Clock
	}
	return clock().UTC().Truncate(time.Millisecond)
}

// newID is the id of a new object: ids of a type sort by age.
func newID(typ string) keys.ID { return keys.NewID(typ, uuid.Must(uuid.NewV7()).String()) }
