package answer

import (
	"context"

	"github.com/partita/partita/internal/plan"
	"github.com/partita/partita/loaders"
)

// mutations carries out the mutations of an operation one after the other, and writes their payloads. One that fails
// does not stop those after it.
//
// https://spec.graphql.org/September2025/#sec-Mutation
func (w *writer) mutations(ctx context.Context) {
	root := w.bound.Root
	w.members(root.Fields, func(f *plan.Field) bool {
		if f.Kind != plan.MutationField {
			return w.field(f, &loaders.Instance{Node: root}, nil, nil, 0)
		}
		payload, err := loaders.MutationOf(ctx, f)
		w.op = loaders.OperationOf(ctx) // The mutation has replaced what was read.
		if err != nil {
			w.fail(f, err)
			return w.null()
		}
		return w.instance(payload, nil, nil, 0)
	})
}
