package migrate

import (
	"errors"
	"fmt"
)

// Record is what a table knows of its design.
type Record struct {
	// Revision is one more after each change; that of the first one is 1. Replicas acknowledge it.
	Revision int64
	// From is the SDL of the version that the data follow; see Version. To is that of the version to which a migration
	// goes, "" without one.
	From, To string
	// History is the text of what is known of the versions before From; "" if clients can have kept nothing of them.
	History string
	// State is where the migration is; Former without one.
	State State
	// Goal is where it goes: Switched, Latter to finish, or Former to undo it.
	Goal State
	// IsProven is set once everything that is stored has its form by the side to which the migration goes. It is
	// cleared by each change of the State. Replicas that act by it keep the values unique that are so on that side.
	IsProven bool
}

// The errors of a Record's steps.
var (
	// ErrMigrating is the error of a migration that begins while there is another one.
	ErrMigrating = errors.New("migrate: another migration is not finished")
	// ErrNoMigration is the error of a step without a migration.
	ErrNoMigration = errors.New("migrate: there is no migration")
	// ErrFinishing is the error of undoing what only goes forward.
	ErrFinishing = errors.New("migrate: a migration that is being finished cannot be undone")
	// ErrUnproven is the error of a step that needs a proof.
	ErrUnproven = errors.New("migrate: not everything is proven to have its form")
)

// NewRecord returns the first record of a table whose data follow a version.
func NewRecord(v Version) Record { return Record{Revision: 1, From: v.SDL} }

// IsStable reports whether there is no migration.
func (r Record) IsStable() bool { return r.To == "" }

// Begin returns the record with a migration to a version.
func (r Record) Begin(to Version) (Record, error) {
	if !r.IsStable() {
		return r, ErrMigrating
	}
	r.To, r.Goal = to.SDL, Switched
	return r.changed(), nil
}

// Toward returns the record with another goal. A migration that is Closing or beyond goes only forward.
func (r Record) Toward(goal State) (Record, error) {
	switch {
	case r.IsStable():
		return r, ErrNoMigration
	case r.Goal == Latter && goal != Latter && r.State > Switched:
		return r, ErrFinishing
	case r.Goal == goal:
		return r, nil
	}
	r.Goal = goal
	return r.changed(), nil
}

// Next returns the state of the next step, and whether there is one. At the goal, what remains is Settle.
func (r Record) Next() (State, bool) {
	switch {
	case r.IsStable() || r.State == r.Goal:
		return r.State, false
	case r.State < r.Goal:
		return r.State + 1, true
	default:
		return r.State - 1, true
	}
}

// NeedsProof reports whether the record's state is left only with a proof. Before the other side is read, everything
// has its form by that: Filling to Switched, and back. Before a side is left alone, nothing is left of it: Closing to
// Latter, and Prepared back to Former. Afterwards, an object could be deleted whose form by that side remains.
func (r Record) NeedsProof() bool {
	next, is := r.Next()
	return is && (r.State.Reads() != next.Reads() || r.State == Closing || r.State == Prepared && next == Former)
}

// Proven returns the record with its proof.
func (r Record) Proven() Record {
	r.IsProven = true
	return r.changed()
}

// Disproven returns the record without its proof, because of values that were no longer unique before all replicas
// acted by it.
func (r Record) Disproven() Record {
	r.IsProven = false
	return r.changed()
}

// Step returns the record in the next state. It may be stored only after each replica has acknowledged the revision of
// this one.
func (r Record) Step() (Record, error) {
	next, is := r.Next()
	switch {
	case r.IsStable():
		return r, ErrNoMigration
	case !is:
		return r, fmt.Errorf("migrate: bug: there is no step beyond %s", r.State)
	case r.NeedsProof() && !r.IsProven:
		return r, ErrUnproven
	}
	r.State, r.IsProven = next, false
	return r.changed(), nil
}

// Settle returns the record without the migration, once what only the other side has is removed: the data follow To in
// the state Latter, with a later history, and From in Former.
func (r Record) Settle(later string) (Record, error) {
	switch {
	case r.IsStable():
		return r, ErrNoMigration
	case r.State != r.Goal || r.State != Latter && r.State != Former:
		return r, fmt.Errorf("migrate: bug: a migration ends in no state such as %s", r.State)
	case !r.IsProven:
		return r, ErrUnproven
	}
	if r.State == Latter {
		r.From, r.History = settled(r.To), later
	}
	r.To, r.State, r.Goal, r.IsProven = "", Former, Former, false
	return r.changed(), nil
}

func (r Record) changed() Record {
	r.Revision++
	return r
}

// Tenancy returns what the record says of the tenants of the data.
func (r Record) Tenancy() Tenancy {
	t, _ := cutTenancy(r.From)
	return t
}

// SaysTenancy reports whether the record, or the side to which a migration goes, says whether there are tenants.
func (r Record) SaysTenancy() bool {
	to, _ := cutTenancy(r.To)
	return r.Tenancy().Kind != Unsaid || to.Kind != Unsaid
}
