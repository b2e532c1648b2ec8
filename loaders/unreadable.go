package loaders

import (
	"context"
	"errors"
	"strings"

	"github.com/99designs/gqlgen/graphql"

	"github.com/partita/partita/internal/plan"
	"github.com/partita/partita/item"
)

// filled returns the model of an item or of a page. What could not be read is an error of the fields that need it.
func filled[S, T any](op *Operation, from S, fill func(S) (T, error)) (T, error) {
	model, err := fill(from)
	if err == nil {
		return model, nil
	}
	if some, is := errors.AsType[*item.UnreadableError](err); is {
		op.exec.unreadable.add(some)
		op.setUnreadable()
		return model, nil
	}
	var none T
	return none, internal(err)
}

// isContested reports whether an attribute of the object that gqlgen has does not show who its owner is: nobody is.
func (e *Engine) isContested(ctx context.Context, object any, name string) bool {
	if !e.unreadable.Load() {
		return false
	}
	op := OperationOf(ctx)
	if op == nil || !op.IsUnreadable() {
		return false
	}
	u := op.exec.unreadable.of(object)
	return u != nil && u.Item.IsContested(name)
}

// readable returns a resolver that does not resolve fields that cannot be read. The viewer may resolve the field.
func (op *Operation) readable(next graphql.Resolver) graphql.Resolver {
	return func(ctx context.Context) (any, error) {
		if err := op.unreadableAt(graphql.GetFieldContext(ctx)); err != nil {
			return nil, err
		}
		return next(ctx)
	}
}

// unreadableAt returns the error of a field that gqlgen resolves; nil if it can be read. What was read before the
// resolvers ran has errors of its own.
func (op *Operation) unreadableAt(fc *graphql.FieldContext) error {
	if fc.Parent.Parent == nil || strings.HasPrefix(fc.Field.Name, "__") || strings.HasPrefix(fc.Object, "__") {
		return nil
	}
	f, of := op.fieldAt(fc), fc.Parent
	var names []string
	switch f.Kind {
	case plan.TotalCountField:
		for of.Index != nil {
			of = of.Parent
		}
		names, of = []string{op.fieldAt(of).Read.Count}, of.Parent
	case plan.IdentityField:
		names = op.nodeAt(fc.Parent, fc.Object).Type.Identity
	case plan.ReadField, plan.NodesField:
		if op.valueAt(fc) != nil {
			return nil
		}
		names = f.Sources()
	case plan.GoField:
		names = append(f.Sources(), f.Name)
	default:
		names = []string{f.Name}
	}
	u := op.exec.unreadable.of(of.Result)
	if u == nil {
		return nil
	}
	for _, name := range names {
		for _, unreadable := range u.Fields {
			if unreadable.Name == name {
				return op.Unreadable(f, u.Item, unreadable.Err)
			}
		}
	}
	return nil
}

// unreadableObject returns the error of a field whose hand-written Go could not use an object, because it cannot be
// read as a whole.
func unreadableObject(ctx context.Context, err error) error {
	some, is := errors.AsType[*item.UnreadableError](err)
	if !is {
		return err
	}
	op, fc := current(ctx)
	for _, m := range some.Models {
		for _, f := range m.Fields {
			op.reportUnreadable(fc.Object+"."+fc.Field.Name, m.Item, errors.New(f.Name+": "+f.Err.Error()))
		}
	}
	return ErrUnreadable
}
