package loaders

import (
	"context"
	"fmt"
	"slices"

	"github.com/99designs/gqlgen/graphql"
	"github.com/graph-gophers/dataloader/v7"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
)

// current is the operation and the field that a resolver runs for.
func current(ctx context.Context) (*Operation, graphql.CollectedField) {
	op := operationOf(ctx)
	if op == nil {
		panic("loaders: a resolver ran without the Engine among the executor's extensions")
	}
	return op, graphql.GetFieldContext(ctx).Field
}

// read waits for the Reads. walk, called with the lock held, registers what
// follows from them; the Reads themselves are registered in any case.
func (op *Operation) read(reads []Read, walk func()) []outcome {
	thunks := make([]dataloader.Thunk[[]item.Item], len(reads))
	func() {
		op.mu.Lock()
		defer op.endWalk()
		walk()
		for i, r := range reads {
			thunks[i] = op.register(r).thunk
		}
	}()
	results := make([]outcome, len(reads))
	for i, thunk := range thunks {
		if thunk == nil {
			results[i] = op.await(reads[i])
			continue
		}
		results[i].items, results[i].err = thunk()
	}
	return results
}

// Object resolves a field that returns one object or null: by a Get, or by a
// Query of which it is the first item. fill makes the model of the item, which
// may be only what its key tells when nothing else is asked for. Errors are
// keys.InputErrors, ReadErrors and AccessErrors.
func Object[T any](ctx context.Context, b keys.BoundField, fill func(item.Item) (T, error)) (T, error) {
	c, invalid := b.Condition()
	return object(ctx, c, invalid, fill)
}

// object is Object for a condition, with the error that it was built with.
func object[T any](ctx context.Context, c keys.Condition, invalid error, fill func(item.Item) (T, error)) (T, error) {
	var none T
	it, err := objectItem(ctx, c, invalid)
	if it == nil || err != nil {
		return none, err
	}
	return filled(it, fill)
}

func objectItem(ctx context.Context, c keys.Condition, invalid error) (item.Item, error) {
	op, f := current(ctx)
	if err := op.authorize(c, invalid); err != nil || c.IsEmpty() {
		return nil, err
	}
	if err := op.answer(1); err != nil {
		return nil, err
	}
	if c.Field.Kind != keys.Query && op.isCarried(c, f) {
		return c.Known, nil
	}
	items, err := op.items(c, f)
	switch {
	case err != nil:
		return nil, err
	case len(items) == 0 && op.judgeObjects(c) == admitted:
		return nil, nil
	case len(items) == 0 || !op.sees(c, items[:1]):
		return nil, errForbidden
	}
	return items[0], checkTypes(c, items[:1])
}

// items are those of a Get or of a Query without pages.
func (op *Operation) items(c keys.Condition, f graphql.CollectedField) ([]item.Item, error) {
	reads, partitions := listReads(c)
	results := op.read(reads, func() { op.walkField(c.Field, []keys.Condition{c}, f) })
	page, err := assemble(c, window{count: listLimit(c)}, partitions, results)
	if err != nil {
		return nil, err
	}
	if c.Field.Result == keys.Many && page.HasNextPage {
		return nil, damaged(fmt.Errorf("loaders: %s holds more than its atMost, %d items", c.Field.Coordinate(), c.Field.AtMost))
	}
	return page.Items, nil
}

// listReads are the Reads of a Get, or of a Query without pages.
func listReads(c keys.Condition) (reads []Read, partitions []int) {
	switch {
	case c.IsEmpty():
		return nil, nil
	case c.Field.Kind != keys.Query:
		return []Read{getOf(c)}, []int{0}
	}
	count := listLimit(c)
	if c.Field.Result != keys.Many {
		count-- // which of several comes first is all that matters
	}
	return rangesOf(c, window{count: count})
}

// listLimit is how many items a field without pages may have: one for an
// object, all that the collection may hold for a list.
func listLimit(c keys.Condition) int {
	if c.Field.Kind == keys.Query && c.Field.Result == keys.Many {
		return c.Field.AtMost
	}
	return 1
}

// Objects resolves a field that returns a list with one object or null for each bound
// field, in their order. An error has the path of its place in the list; the other
// places are not affected.
func Objects[T any](ctx context.Context, bound []keys.BoundField, fill func(item.Item) (T, error)) ([]T, error) {
	if len(bound) > MaxPage {
		return nil, &keys.InputError{Argument: "ids", Message: fmt.Sprintf("ask for at most %d ids at once", MaxPage)}
	}
	op, f := current(ctx)
	cs, invalid := make([]keys.Condition, len(bound)), make([]error, len(bound))
	for i, b := range bound {
		cs[i], invalid[i] = b.Condition()
	}
	op.registerAll(cs, f)
	list := make([]T, len(cs))
	for i, c := range cs {
		var err error
		if list[i], err = object(ctx, c, invalid[i], fill); err != nil {
			addErrorAt(ctx, i, err)
		}
	}
	return list, nil
}

// registerAll puts what a list wants into one wave, whether or not the
// look-ahead has come by.
func (op *Operation) registerAll(cs []keys.Condition, f graphql.CollectedField) {
	op.mu.Lock()
	defer op.endWalk()
	for _, c := range cs {
		if c.IsEmpty() || op.authorize(c, nil) != nil {
			continue
		}
		op.walkField(c.Field, []keys.Condition{c}, f)
		if op.isCarried(c, f) {
			continue
		}
		reads, _ := listReads(c)
		for _, r := range reads {
			op.register(r)
		}
	}
}

func addErrorAt(ctx context.Context, i int, err error) {
	path := append(slices.Clone(graphql.GetPath(ctx)), ast.PathIndex(i))
	graphql.AddError(ctx, &gqlerror.Error{Err: err, Message: err.Error(), Path: path})
}

// List resolves a field that returns a whole collection as a list. It is refused
// as a whole when there is anything in it that the viewer may not see.
func List[T any](ctx context.Context, b keys.BoundField, fill func(item.Item) (T, error)) ([]T, error) {
	op, f := current(ctx)
	c, invalid := b.Condition()
	if err := op.authorize(c, invalid); err != nil {
		return nil, err
	}
	list := []T{}
	if c.IsEmpty() {
		return list, nil
	}
	items, err := op.items(c, f)
	if err != nil {
		return nil, err
	}
	if !op.sees(c, items) {
		return nil, errForbidden
	}
	if err := checkTypes(c, items); err != nil {
		return nil, err
	}
	if err := op.answer(len(items)); err != nil {
		return nil, err
	}
	for _, it := range items {
		model, err := filled(it, fill)
		if err != nil {
			return nil, err
		}
		list = append(list, model)
	}
	return list, nil
}

// filled makes a model. That it cannot be made means a damaged item.
func filled[S, T any](from S, fill func(S) (T, error)) (T, error) {
	model, err := fill(from)
	if err != nil {
		var none T
		return none, damaged(err)
	}
	return model, nil
}

// checkTypes makes sure that what was read is of a type that the design says.
func checkTypes(c keys.Condition, items []item.Item) error {
	for _, it := range items {
		fits := slices.Contains(c.Field.Types, it.Type())
		if c.Known != nil {
			fits = it.Type() == c.Known.Type()
		}
		if !fits {
			return damaged(fmt.Errorf("loaders: %s met an item with entityType %q", c.Field.Coordinate(), it.Type()))
		}
	}
	return nil
}
