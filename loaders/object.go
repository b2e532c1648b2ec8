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

// current returns the operation and the field that are being resolved.
func current(ctx context.Context) (*Operation, graphql.CollectedField) {
	op := operationOf(ctx)
	if op == nil {
		panic("loaders: a resolver ran without the Engine among the executor's extensions")
	}
	return op, graphql.GetFieldContext(ctx).Field
}

// read registers the Reads and waits for them. It calls walk, which registers what follows from them,
// with the lock held.
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

// Object resolves a field that returns one object or null: the item of a Get, or the first item of a
// Query. fill returns the model of the item, which is key-only if nothing else is selected. Errors are
// keys.InputErrors, ReadErrors and AccessErrors.
func Object[T any](ctx context.Context, b keys.BoundField, fill func(item.Item) (T, error)) (T, error) {
	c, invalid := b.Condition()
	return object(ctx, c, invalid, fill)
}

// object is Object for a condition and the error with which it was built.
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
	if c.Field.Kind != keys.Query && op.isKeyOnly(c, f) {
		return c.KeyOnly, nil
	}
	items, err := op.items(c, f)
	switch {
	case err != nil:
		return nil, err
	case len(items) == 0 && op.decideObjects(c) == allow:
		return nil, nil
	case len(items) == 0 || !op.allowsItems(c, items[:1]):
		return nil, errForbidden
	}
	return items[0], checkTypes(c, items[:1])
}

// items returns the items of a Get or of a Query without pages.
func (op *Operation) items(c keys.Condition, f graphql.CollectedField) ([]item.Item, error) {
	reads, partitions := listReads(c)
	results := op.read(reads, func() { op.walkField(c.Field, []keys.Condition{c}, f) })
	page, err := assemble(c, window{count: listLimit(c)}, partitions, results)
	if err != nil {
		return nil, err
	}
	if c.Field.Result == keys.Many && page.HasNextPage {
		return nil, damaged(fmt.Errorf("loaders: the collection of %s has more items than its atMost, %d",
			c.Field.Coordinate(), c.Field.AtMost))
	}
	return page.Items, nil
}

// listReads returns the Reads of a Get, or of a Query without pages.
func listReads(c keys.Condition) (reads []Read, partitions []int) {
	switch {
	case c.IsEmpty():
		return nil, nil
	case c.Field.Kind != keys.Query:
		return []Read{getOf(c)}, []int{0}
	}
	count := listLimit(c)
	if c.Field.Result != keys.Many {
		count-- // Only the first item of each partition is needed.
	}
	return rangesOf(c, window{count: count})
}

// listLimit returns how many items a field without pages may have: one for an object, the maximum
// size of the collection for a list.
func listLimit(c keys.Condition) int {
	if c.Field.Kind == keys.Query && c.Field.Result == keys.Many {
		return c.Field.AtMost
	}
	return 1
}

// Objects resolves a field that returns a list with one object or null for each bound field, in their
// order. An error has the path of its element and does not affect the other elements.
func Objects[T any](ctx context.Context, bound []keys.BoundField, fill func(item.Item) (T, error)) ([]T, error) {
	if len(bound) > MaxPage {
		message := fmt.Sprintf("ask for at most %d ids at once", MaxPage)
		return nil, &keys.InputError{Argument: "ids", Message: message}
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

// registerAll registers the Reads of a list for the same wave. The prefetch has usually done so, but
// not if a resolver was edited.
func (op *Operation) registerAll(cs []keys.Condition, f graphql.CollectedField) {
	op.mu.Lock()
	defer op.endWalk()
	for _, c := range cs {
		if c.IsEmpty() || op.authorize(c, nil) != nil {
			continue
		}
		op.walkField(c.Field, []keys.Condition{c}, f)
		if op.isKeyOnly(c, f) {
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

// List resolves a field that returns a whole collection as a list. A list with any item that the viewer
// may not read is denied as a whole. Errors are those of Object.
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
	if !op.allowsItems(c, items) {
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

// filled returns the model of an item or of a page. It is an error if the item is damaged.
func filled[S, T any](from S, fill func(S) (T, error)) (T, error) {
	model, err := fill(from)
	if err != nil {
		var none T
		return none, damaged(err)
	}
	return model, nil
}

// checkTypes returns an error if an item is not of a type that the design declares for the condition.
func checkTypes(c keys.Condition, items []item.Item) error {
	for _, it := range items {
		fits := slices.Contains(c.Field.Types, it.Type())
		if c.KeyOnly != nil {
			fits = it.Type() == c.KeyOnly.Type()
		}
		if !fits {
			return damaged(fmt.Errorf("loaders: %s has read an item with entityType %q", c.Field.Coordinate(), it.Type()))
		}
	}
	return nil
}
