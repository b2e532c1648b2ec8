package loaders

import (
	"context"
	"sync"

	"github.com/99designs/gqlgen/graphql"
	"github.com/graph-gophers/dataloader/v7"

	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/plan"
	"github.com/partita/partita/plan/price"
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
}

func (op *Operation) newLoader() *dataloader.Loader[*load, *Value] {
	op.cache.values = make(map[loadKey]dataloader.Thunk[*Value])
	return dataloader.NewBatchedLoader(op.batch,
		dataloader.WithWait[*load, *Value](op.engine.options.BatchWait),
		dataloader.WithBatchCapacity[*load, *Value](plan.MaxPage),
		dataloader.WithCache(&op.cache))
}

// load returns a function that waits for the value of a resolver's condition. What is denied or absent is not loaded.
func (op *Operation) load(
	ctx context.Context, f *plan.Field, b design.BoundField, p Paging,
) dataloader.Thunk[*Value] {
	c, invalid := b.At(op.bound.Now).Condition()
	c.Cursors, c.Tenant = op.engine.schema.Cursors, op.bound.Tenant()
	f = op.engine.nodeFor(f, c.Field)
	l := &load{condition: &c, invalid: invalid, paging: p, trace: op.traceAt(graphql.GetFieldContext(ctx))}
	l.field = f
	window := plan.ListWindow(c.Field)
	err := op.bound.Authorize(&c, invalid)
	if err == nil && c.Field.Kind == design.Query && c.Field.Result == design.Connection && f.SelectsPage() {
		window, err = p.Window(&c)
	}
	reads, _ := plan.Reads(&c, window)
	if err != nil || len(reads) == 0 {
		v := op.newRun().start(f, &c, invalid, p, l.trace)
		return func() (*Value, error) { return v, nil }
	}
	l.first, l.last = reads[0], reads[len(reads)-1].PK
	return op.loader().Load(ctx, l)
}

// loadAll returns the values of conditions in one batch.
func (op *Operation) loadAll(ctx context.Context, f *plan.Field, bound []design.BoundField) ([]*Value, error) {
	thunks := make([]dataloader.Thunk[*Value], len(bound))
	for i, b := range bound {
		thunks[i] = op.load(ctx, f, b, Paging{})
	}
	values := make([]*Value, len(thunks))
	for i, thunk := range thunks {
		var err error
		if values[i], err = thunk(); err != nil {
			return nil, err
		}
	}
	return values, nil
}

// batch is the dataloader's batch function. It reads the values, and everything that is selected below them.
func (op *Operation) batch(_ context.Context, loads []*load) []*dataloader.Result[*Value] {
	r := op.newRun()
	results := make([]*dataloader.Result[*Value], len(loads))
	for i, l := range loads {
		results[i] = &dataloader.Result[*Value]{Data: r.start(l.field, l.condition, l.invalid, l.paging, l.trace)}
	}
	r.all()
	for _, result := range results {
		op.prune(nil, result.Data)
	}
	r.prime()
	for _, result := range results {
		op.primeBelow(result.Data)
	}
	return results
}

// prime adds what was read for edited resolvers to the loader's cache.
func (r *run) prime() {
	for _, v := range r.expected {
		r.op.prune(nil, v)
		r.op.loader()
		r.op.prime(v)
	}
}

// primeBelow adds everything that was read below a value to the loader's cache, for the resolvers there.
func (op *Operation) primeBelow(v *Value) {
	for _, element := range v.Elements {
		op.prime(element)
	}
	for _, o := range v.Objects {
		for _, below := range o.Values {
			if below != nil {
				op.prime(below)
			}
		}
	}
}

// prime adds a value, and everything that was read below it, to the loader's cache.
func (op *Operation) prime(v *Value) {
	switch key, isRead := v.loadKey(); {
	case v.abandoned:
		return
	case isRead && !op.cache.add(key, v):
		return // a value that is at several places
	}
	op.primeBelow(v)
}

// loadKey returns the key of a load that has the value. It reports whether there is one.
func (v *Value) loadKey() (loadKey, bool) {
	switch n := len(v.reads); {
	case n > 0:
		first := v.reads[0]
		if v.isList() {
			first.Limit = plan.ListWindow(v.condition.Field).Count + 1 // also of one that was read again
		}
		return loadKey{v.Field, first, v.reads[n-1].PK}, true
	case v.condition != nil && v.asked: // a Get, or all of it follows from the key
		return loadKey{v.Field, plan.Read{Kind: plan.Get, Key: v.condition.Key, Excluding: v.condition.Exclusion()}, ""}, true
	default:
		return loadKey{}, false
	}
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
	c.values[key] = func() (*Value, error) { return v, nil }
	return true
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
	c.values[l.loadKey] = thunk
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
