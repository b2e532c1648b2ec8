package loaders

import (
	"context"
	"strings"

	"github.com/99designs/gqlgen/graphql"

	"github.com/partita/partita/internal/plan"
)

// notReady returns the design.NotReadyError of a field that gqlgen resolves; nil for one that the design serves.
func (e *Engine) notReady(ctx context.Context) error {
	if !e.design.HasNotReady() {
		return nil
	}
	op, fc := current(ctx)
	if strings.HasPrefix(fc.Field.Name, "__") || strings.HasPrefix(fc.Object, "__") {
		return nil
	}
	switch f := op.fieldAt(fc); f.Kind {
	case plan.NotReadyField:
		return e.schema.NotReady(f)
	case plan.TotalCountField:
		return e.countNotReady(op, fc)
	default:
		return nil
	}
}

// countNotReady is notReady for the count of a connection, unless Go code has made the connection.
func (e *Engine) countNotReady(op *Operation, fc *graphql.FieldContext) error {
	of := fc.Parent
	for of.Index != nil {
		of = of.Parent
	}
	if read := op.fieldAt(of).Read; read != nil {
		return e.design.CountNotReady(read)
	}
	return nil
}
