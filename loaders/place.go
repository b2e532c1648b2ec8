package loaders

import (
	"context"

	"github.com/99designs/gqlgen/graphql"

	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/plan"
	"github.com/partita/partita/plan/price"
)

// current returns the operation and the field that are being resolved.
func current(ctx context.Context) (*Operation, *graphql.FieldContext) {
	op := OperationOf(ctx)
	if op == nil {
		panic("loaders: a resolver ran outside of an operation of the Engine")
	}
	return op, graphql.GetFieldContext(ctx)
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

// valueAt returns the value of a field that was read before the resolvers ran, or nil. Fields below an object that Go
// code has returned are found by their conditions instead: it may have read any number of objects.
func (op *Operation) valueAt(fc *graphql.FieldContext) *Value {
	o := op.objectAt(fc.Parent)
	if o == nil {
		return nil
	}
	f := o.Node.FieldOf(fc.Field.Alias)
	if f == nil || f.Slot < 0 || o.Values == nil {
		return nil
	}
	return o.Values[f.Slot]
}

// objectAt returns the object at a place in the answer, or nil if Go code has made it. The context is gqlgen's for the
// root, for a field, or for an element of a field's list.
func (op *Operation) objectAt(fc *graphql.FieldContext) *Instance {
	index := 0
	if fc.Index != nil {
		index, fc = *fc.Index, fc.Parent
	}
	if fc.Parent == nil {
		return &op.root
	}
	v := op.valueAt(fc)
	if v == nil {
		return nil
	}
	if v.Elements != nil {
		v, index = v.Elements[index], 0
	}
	if index >= len(v.Objects) {
		return nil
	}
	return &v.Objects[index]
}

// fieldAt returns the node of a field.
func (op *Operation) fieldAt(fc *graphql.FieldContext) *plan.Field {
	return op.nodeAt(fc.Parent, fc.Object).FieldOf(fc.Field.Alias)
}

// traceAt returns the Trace of a field; nil if the operation is not measured.
func (op *Operation) traceAt(fc *graphql.FieldContext) *price.Trace {
	root := op.trace()
	if root == nil || fc == nil {
		return nil
	}
	for fc.Index != nil {
		fc = fc.Parent
	}
	if fc.Parent == nil {
		return root
	}
	return op.traceAt(fc.Parent).Field(op.fieldAt(fc))
}

// nodeAt returns the node of an object type at a place.
func (op *Operation) nodeAt(fc *graphql.FieldContext, object string) *plan.Object {
	for fc.Index != nil {
		fc = fc.Parent
	}
	if fc.Parent == nil {
		return op.bound.Root
	}
	return op.fieldAt(fc).Child(object)
}
