package follow

import (
	"github.com/partita/partita/internal/migrate"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/write"
)

// Follower writes the companion of a design. It implements table.Follower.
type Follower struct {
	// Read is the design of the side that is read, and Other that of the other side.
	Read, Other *design.Design
	// Level is how far the other side is written. With migrate.None, nothing of it is: no attribute that only the other
	// side needs gets into another item.
	Level migrate.Level
	// OtherWins is set if the form of the other side is written where both need one attribute with different values.
	OtherWins bool
	// IsProven is set once each object has its form by the other side: its unique values are then kept unique.
	IsProven bool
	// Translation turns the objects of Read into those of Other.
	Translation *migrate.Translation
	// Back is its inverse.
	Back *migrate.Translation
	// tenant precedes the keys of the other side if isMoved is set, because the table gets tenants: one of both sides has
	// none.
	tenant  keys.Tenant
	isMoved bool
	// types are the types of Read whose objects are stored differently. Those of other types cost nothing.
	types map[string]bool
	// derivation is nil in the transactions of a gateway.
	derivation *Derivation
	// proves is set if an object without a form by the other side is an error.
	proves bool
}

// Derivation lets a Follower make the companion of an object what follows from the object as it is, whatever has been
// written before: by gateways, which write both, or by another program, which writes one. The transaction has one
// action, an update that changes nothing. It is then the proof, too, that both are the same: it writes nothing.
type Derivation struct {
	// IsForeign is set if another program has changed the object: a companion that is created is then counted by what only
	// the other design counts.
	IsForeign bool
	// Was is the base item in the names of the table, without a tenant, before a change by another program; nil if it was
	// created. Where it is the base item in both designs, nothing else says what followed from it.
	Was item.Item
	// KeepsMissing leaves the companion an attribute that the object lacks, because it may have been removed with what
	// only the former design has.
	KeepsMissing bool
	// Gone is the base item in the names of the table, without a tenant, before another program has deleted it. The action
	// is a deletion, on the condition that there is no item.
	Gone item.Item
	// Fence is a condition of each deletion, in the names of the table.
	Fence *write.Action
}

// Deriving returns a Follower that derives the companion.
func (f *Follower) Deriving(d Derivation) *Follower {
	derives := f.Proving()
	derives.derivation = &d
	return derives
}

// Proving returns a Follower whose error is a *write.TakenError for an object whose place in the other design has
// another one.
func (f *Follower) Proving() *Follower {
	proves := *f
	proves.proves = true
	return &proves
}

// follows reports whether objects of a type have another form.
func (f *Follower) follows(t *design.Type) bool {
	return f.types[t.Name] && f.Translation.TypeOf(t.Name) != ""
}
