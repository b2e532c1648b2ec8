// Package resolvers answers the fields of the test service. Only the mutations, bookOfTheDay, isOpen and the edited resolver of
// branch are written by hand.
package resolvers

import (
	"time"

	"github.com/partita/partita/keys"
)

// Resolver is the root of all resolvers.
type Resolver struct {
	// Now is the time of each mutation and of each visit.
	Now time.Time
	// DailyBook is the id of the book that bookOfTheDay returns.
	DailyBook keys.ID
	// ClosedBranch is the id of a branch that reads as null, although it is stored.
	ClosedBranch keys.ID
}
