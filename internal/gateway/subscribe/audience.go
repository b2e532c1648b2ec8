package subscribe

import (
	"crypto/sha256"
	"encoding/json"
	"sync"
	"sync/atomic"

	"github.com/partita/partita/internal/plan"
)

// An audience are the subscriptions with the same plan, variables and tenant: an event has the same answer for all of
// them to whom the rules say the same.
type audience struct {
	audienceKey
	// size is protected by the lock of audiences.
	size int
	// isOwn is set as soon as an answer was its viewer's own, as others will be.
	isOwn atomic.Bool
}

type audienceKey struct {
	plan      *plan.Plan
	variables [sha256.Size]byte
	tenant    string
	// viewer is the id of the viewer if the key condition has it; "" otherwise.
	viewer      string
	isAnonymous bool
}

// audiences are those of all subscriptions. Its methods may be called concurrently.
type audiences struct {
	mu    sync.Mutex
	byKey map[audienceKey]*audience
}

// join adds a subscription whose plan is bound, with the Witness of its key condition, until leave is called. It
// returns nil for one that shares nothing.
func (a *audiences) join(b *plan.Bound, variables map[string]any, condition *plan.Witness) *audience {
	text, err := json.Marshal(variables)
	if err != nil || b.Measured {
		return nil
	}
	key := audienceKey{
		plan: b.Plan, variables: sha256.Sum256(text), tenant: b.Tenant(), isAnonymous: b.Viewer.IsAnonymous(),
	}
	if condition.IsOwn() {
		key.viewer = b.Viewer.ID
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	of := a.byKey[key]
	if of == nil {
		of = &audience{audienceKey: key}
		a.byKey[key] = of
	}
	of.size++
	return of
}

// leave removes a subscription.
func (a *audiences) leave(of *audience) {
	if of == nil {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if of.size--; of.size == 0 {
		delete(a.byKey, of.audienceKey)
	}
}

// isShared reports whether an audience has several subscriptions, whose answers may be the same.
func (a *audiences) isShared(of *audience) bool {
	if of == nil || of.isOwn.Load() {
		return false
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	return of.size > 1
}
