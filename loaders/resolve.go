package loaders

import (
	"context"
	"slices"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys/design"
)

// Object resolves a field that returns one object or null: the item of a Get, or the first item of a Query. fill
// returns the model of the item, which is key-only if nothing else is selected. Errors are keys.InputErrors, ReadErrors
// and AccessErrors.
func Object[T any](ctx context.Context, b design.BoundField, fill func(item.Item) (T, error)) (T, error) {
	op, v, err := valueOf(ctx, b, Paging{})
	if err != nil {
		var none T
		return none, err
	}
	return objectOf(op, v, fill)
}

func objectOf[T any](op *Operation, v *Value, fill func(item.Item) (T, error)) (T, error) {
	var none T
	o, err := op.ObjectOf(v)
	if o == nil || err != nil {
		return none, err
	}
	return filled(op, o.Item, fill)
}

// Objects resolves a field that returns a list with one object or null for each bound field, in their order. An error
// has the path of its element and does not affect the other elements. Without bound fields, they are the objects of an
// action over a list, and nil if it has done nothing.
func Objects[T any](ctx context.Context, bound []design.BoundField, fill func(item.Item) (T, error)) ([]T, error) {
	op, elements, err := elementsOf(ctx, bound)
	if err != nil || elements == nil && bound == nil {
		return nil, err
	}
	list := make([]T, len(elements))
	for i, v := range elements {
		if list[i], err = objectOf(op, v, fill); err != nil {
			addErrorAt(ctx, i, err)
		}
	}
	return list, nil
}

func addErrorAt(ctx context.Context, i int, err error) {
	path := append(slices.Clone(graphql.GetPath(ctx)), ast.PathIndex(i))
	graphql.AddError(ctx, &gqlerror.Error{Err: err, Message: err.Error(), Path: path})
}

// List resolves a field that returns a whole collection as a list, without the items that Value.Omitted is about. A
// list with any item that the viewer may not read is denied as a whole. Errors are those of Object.
func List[T any](ctx context.Context, b design.BoundField, fill func(item.Item) (T, error)) ([]T, error) {
	op, v, err := valueOf(ctx, b, Paging{})
	if err != nil {
		return nil, err
	}
	objects, err := op.ListOf(v)
	if err != nil {
		return nil, err
	}
	addOmitted(ctx, v)
	list := make([]T, len(objects))
	for i := range objects {
		if list[i], err = filled(op, objects[i].Item, fill); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// Connection resolves a field that returns a connection, without the items that Value.Omitted is about. Errors are
// keys.InputErrors, ReadErrors and AccessErrors. A page with any item that the viewer may not read is denied as a
// whole.
func Connection[C any](ctx context.Context, b design.BoundField, p Paging, build func(*Page) (C, error)) (C, error) {
	var none C
	op, v, err := valueOf(ctx, b, p)
	if err != nil {
		return none, err
	}
	page, err := op.PageOf(v)
	if err != nil {
		return none, err
	}
	addOmitted(ctx, v)
	return filled(op, page, build)
}

// addOmitted adds the errors of the items that a list or a connection lacks.
func addOmitted(ctx context.Context, v *Value) {
	for _, err := range v.Omitted {
		graphql.AddError(ctx, err)
	}
}

// ObjectOf returns the object of a value and counts it in the answer; nil for null.
func (op *Operation) ObjectOf(v *Value) (*Instance, error) {
	weight := 0
	if v.asked {
		weight = 1
	}
	if v.Err == nil && len(v.Objects) > 0 {
		weight = v.Objects[0].Node.Weight
	}
	if err := op.answerValue(v, weight); err != nil {
		return nil, err
	}
	if v.Err != nil || len(v.Objects) == 0 {
		return nil, v.Err
	}
	return &v.Objects[0], nil
}

// ListOf returns the objects of a list and counts them in the answer.
func (op *Operation) ListOf(v *Value) ([]Instance, error) {
	if v.Err != nil {
		return nil, v.Err
	}
	weight := 0
	for i := range v.Objects {
		weight += v.Objects[i].Node.Weight
	}
	if err := op.answerValue(v, weight); err != nil {
		return nil, err
	}
	return v.Objects, nil
}

// PageOf returns the page of a connection and counts it in the answer.
func (op *Operation) PageOf(v *Value) (*Page, error) {
	if v.Err != nil {
		return nil, v.Err
	}
	if err := op.answerValue(v, v.Field.PageWeight(len(v.Page.Items))); err != nil {
		return nil, err
	}
	return v.Page, nil
}

// valueOf returns the value of the field that is being resolved: the one that was read before the resolvers ran, or
// else that of the resolver's own condition.
func valueOf(ctx context.Context, b design.BoundField, p Paging) (*Operation, *Value, error) {
	op, fc := current(ctx)
	if v := op.valueAt(fc); v != nil {
		return op, v, nil
	}
	v, err := op.load(ctx, op.fieldAt(fc), b, p)()
	return op, v, err
}

// elementsOf is valueOf for a list with elements of their own.
func elementsOf(ctx context.Context, bound []design.BoundField) (*Operation, []*Value, error) {
	op, fc := current(ctx)
	if v := op.valueAt(fc); v != nil {
		if v.Err == nil && v.Elements == nil {
			return op, nil, nil
		}
		return op, v.Elements, v.Err
	}
	if err := checkIDs(len(bound)); err != nil {
		return op, nil, err
	}
	elements, err := op.loadAll(ctx, op.fieldAt(fc), bound)
	return op, elements, err
}
