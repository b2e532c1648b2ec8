package loaders

import (
	"context"

	"github.com/99designs/gqlgen/graphql"
	"github.com/graph-gophers/dataloader/v7"

	"github.com/partita/partita/internal/plan"
	"github.com/partita/partita/keys/design"
)

// dataloader returns the operation's loader.
func (op *Operation) dataloader() *dataloader.Loader[*load, *Value] {
	op.loading.Do(func() {
		op.loader = dataloader.NewBatchedLoader(op.batch,
			dataloader.WithWait[*load, *Value](op.engine.options.BatchWait),
			dataloader.WithBatchCapacity[*load, *Value](plan.MaxPage),
			dataloader.WithCache(&op.cache))
	})
	return op.loader
}

// load returns a function that waits for the value of a resolver's condition. What is denied or absent is not loaded.
func (op *Operation) load(
	ctx context.Context, f *plan.Field, b design.BoundField, p Paging,
) dataloader.Thunk[*Value] {
	b, err := op.engine.design.Rebind(b)
	if err != nil {
		v := &Value{Field: f, Err: err}
		return func() (*Value, error) { return v, nil }
	}
	c, invalid := b.At(op.bound.Now).Condition()
	c.Cursors, c.Tenant = op.engine.schema.Cursors, op.bound.Tenant()
	f = op.engine.nodeFor(f, c.Field)
	l := &load{condition: &c, invalid: invalid, paging: p, trace: op.traceAt(graphql.GetFieldContext(ctx))}
	l.field = f
	window := plan.ListWindow(c.Field)
	err = op.bound.Authorize(&c, invalid)
	if err == nil && c.Field.Kind == design.Query && c.Field.Result == design.Connection {
		switch {
		case f.SelectsPage(), c.IsFiltered() && p != (Paging{}):
			window, err = p.Window(&c)
		case c.IsFiltered():
			window = plan.Window{}
		}
	}
	reads, _ := plan.Reads(&c, plan.ReadWindow(&c, window))
	if err != nil || len(reads) == 0 {
		r := &run{op: op}
		v := r.start(f, &c, invalid, p, l.trace)
		r.all() // the members that decide about it
		return func() (*Value, error) { return v, nil }
	}
	l.subject = op.selection(&c, window)
	l.first, l.last = reads[0], reads[len(reads)-1].PK
	return op.dataloader().Load(ctx, l)
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
	r := &run{op: op}
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
