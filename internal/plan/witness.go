package plan

import (
	"slices"
	"sync"

	"github.com/partita/partita/keys/design"
)

// A Witness has what the answer of an event has depended on of its viewer: the decisions of rules. Another subscription
// with the same plan, variables and tenant has the same answer if [Witness.Holds] for it. Its methods may be called
// concurrently; a nil Witness notes nothing.
type Witness struct {
	// before has the decisions about the item before the change.
	before *Witness

	mu      sync.Mutex
	decided []decided
	// isOwn is set if the answer depends on who the viewer is, or on more decisions than are kept.
	isOwn bool
}

// decided is what a rule has said about a subject.
type decided struct {
	rule     *design.Rule
	subject  subject
	decision Decision
}

// isAlike reports whether nothing that the rule asks is another in a subject.
func (o *decided) isAlike(s *subject) bool {
	switch {
	case !o.rule.DependsOnObject():
		return true
	case len(o.rule.Members)+len(o.rule.Go) > 0:
		return false
	default:
		return o.subject.owner == s.owner && o.subject.isOwned == s.isOwned
	}
}

// maxDecided is how many decisions are kept. Each is taken again for each viewer who shares the answer.
const maxDecided = 128

// NewWitness returns a Witness without decisions, which hold for everybody.
func NewWitness() *Witness { return &Witness{before: &Witness{}} }

// Before returns the Witness of the item before the change.
func (w *Witness) Before() *Witness {
	if w == nil {
		return nil
	}
	return w.before
}

// note notes a decision.
func (w *Witness) note(r *design.Rule, s *subject, d Decision) {
	if w == nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.isOwn || slices.ContainsFunc(w.decided, func(o decided) bool { return o.rule == r && o.isAlike(s) }) {
		return
	}
	if w.isOwn = len(w.decided) == maxDecided; w.isOwn {
		w.decided = nil
		return
	}
	w.decided = append(w.decided, decided{r, *s, d})
}

// noteViewer notes that the id of the viewer was used other than by rules.
func (w *Witness) noteViewer() {
	if w == nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.isOwn, w.decided = true, nil
}

// IsOwn reports whether the answer is the viewer's own.
func (w *Witness) IsOwn() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.isOwn
}

// Holds reports whether all rules say the same to the viewer of another plan, which has been bound as before the change
// too.
func (w *Witness) Holds(b, before *Bound) bool { return w.holds(b) && w.before.holds(before) }

func (w *Witness) holds(b *Bound) bool {
	w.mu.Lock()
	isOwn, all := w.isOwn, w.decided // what is there does not change
	w.mu.Unlock()
	return !isOwn && !slices.ContainsFunc(all, func(o decided) bool {
		s := o.subject
		return b.decide(o.rule, &s) != o.decision
	})
}
