package plan

import (
	"sync/atomic"
	"time"

	"github.com/partita/partita/viewer"
)

// Bound is a plan with everything that a request adds to it. Its methods may be called concurrently.
type Bound struct {
	*Plan
	// Viewer is the caller; nil if it may be anyone.
	Viewer *viewer.Viewer
	// Consistent is set if reads are strongly consistent.
	Consistent bool
	// Now is the time of the operation: a range over time buckets ends with its bucket unless it has an upper end.
	// Without it, such a range is an error.
	Now time.Time
	// Measured is set if what the Reads of the operation consume is compared with its explanation.
	Measured bool
	// Members are those that the operation has read; nil before it is executed.
	Members *Members
	// Witness notes what depends on the viewer; nil if nobody asks.
	Witness *Witness

	variables map[string]any
	arguments []*Arguments
	// introspected is the number of fields of introspection types in the result, at most one object's beyond the limit.
	introspected int
	// laterGets are the results of HasLaterGets by the index of the object.
	laterGets []known
	// event is set for an event of a subscription, whose item is given. Otherwise its first state is read.
	event bool
}

// known is a Boolean that may be unknown. Conditions that resolvers load in several batches are read concurrently.
type known struct{ atomic.Uint32 }

// The values of a known Boolean.
const (
	unset uint32 = iota
	no
	yes
)

// Arguments returns the arguments of a field that reads, or of a MutationField.
func (b *Bound) Arguments(f *Field) *Arguments { return b.arguments[f.index] }

// Tenant returns the viewer's tenant, "" if there is none.
func (b *Bound) Tenant() string {
	if b.Viewer == nil {
		return ""
	}
	return b.Viewer.Tenant
}

// ForAnyone returns the plan for any viewer.
func (b *Bound) ForAnyone() *Bound {
	anyone := *b
	anyone.Viewer, anyone.laterGets = nil, make([]known, len(b.laterGets))
	return &anyone
}

// OfEvent returns the plan of an event of the subscription: the item of its field is given and nothing of it is read,
// and the Reads below it are eventually consistent.
func (b *Bound) OfEvent() *Bound {
	event := *b
	event.event, event.Consistent = true, false
	return &event
}

// IsEvent reports whether the plan is that of an event of a subscription.
func (b *Bound) IsEvent() bool { return b.event }

// ReadsState reports whether the Reads of a field are the first state of a subscription. They are strongly consistent,
// as far as those of an index can be, because the events continue it.
func (b *Bound) ReadsState(f *Field) bool { return f.IsLive() && !b.event }

// IsConsistent reports whether the Reads of a field are strongly consistent, as far as those of an index can be.
func (b *Bound) IsConsistent(f *Field) bool { return b.Consistent || b.ReadsState(f) }

func (b *Bound) viewerID() string {
	if b.Viewer == nil {
		return ""
	}
	return b.Viewer.ID
}
