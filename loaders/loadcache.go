package loaders

import (
	"context"
	"sync"

	"github.com/graph-gophers/dataloader/v7"

	"github.com/partita/partita/internal/plan"
	"github.com/partita/partita/internal/plan/price"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// load is what a resolver reads at a node of the plan.
type load struct {
	loadKey
	condition *design.Condition
	invalid   error
	paging    Paging
	trace     *price.Trace
}

// loadKey identifies equal loads.
type loadKey struct {
	field *plan.Field
	first plan.Read
	// last is the last partition that a Query can read.
	last keys.PK
	// subject has the members that decide about it by the rule of the field, and what of a collection it has.
	subject string
}

// loadCache is the dataloader's cache: equal loads are one.
type loadCache struct {
	mu     sync.Mutex
	values map[loadKey]dataloader.Thunk[*Value]
}

// add adds a value unless there is one. It reports whether it has added it.
func (c *loadCache) add(key loadKey, v *Value) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.values[key] != nil {
		return false
	}
	c.set(key, func() (*Value, error) { return v, nil })
	return true
}

// set is called with the lock.
func (c *loadCache) set(key loadKey, thunk dataloader.Thunk[*Value]) {
	if c.values == nil {
		c.values = make(map[loadKey]dataloader.Thunk[*Value])
	}
	c.values[key] = thunk
}

// Get implements dataloader.Cache.
func (c *loadCache) Get(_ context.Context, l *load) (dataloader.Thunk[*Value], bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	thunk, ok := c.values[l.loadKey]
	return thunk, ok
}

// Set implements dataloader.Cache.
func (c *loadCache) Set(_ context.Context, l *load, thunk dataloader.Thunk[*Value]) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.set(l.loadKey, thunk)
}

// Delete implements dataloader.Cache.
func (c *loadCache) Delete(_ context.Context, l *load) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, ok := c.values[l.loadKey]
	delete(c.values, l.loadKey)
	return ok
}

// Clear implements dataloader.Cache.
func (c *loadCache) Clear() {
	c.mu.Lock()
	defer c.mu.Unlock()
	clear(c.values)
}

// loadKey returns the key of a load that has the value. It reports whether there is one.
func (op *Operation) loadKey(v *Value) (loadKey, bool) {
	switch n := len(v.reads); {
	case n > 0:
		first := v.reads[0]
		if v.isWhole() {
			first.Limit = v.condition.Field.AtMost + 1 // also of one that was read again
		}
		return loadKey{v.Field, first, v.reads[n-1].PK, op.selection(v.condition, v.shown)}, true
	case v.condition != nil && v.asked: // a Get, or all of it follows from the key
		read := plan.Read{Kind: plan.Get, Key: v.condition.Key, Excluding: v.condition.Exclusion()}
		return loadKey{v.Field, read, "", op.bound.SubjectOf(v.condition)}, true
	default:
		return loadKey{}, false
	}
}
