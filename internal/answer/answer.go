package answer

import (
	"bytes"
	"context"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/partita/partita/loaders"
)

// An Answerer answers operations without hand-written Go.
type Answerer struct {
	// MaxBytes is how large the data may be. Larger data is replaced by an error.
	MaxBytes int64
	// MaxErrors is how many errors are presented: the first ones in the order of ComparePaths. It must be positive.
	MaxErrors int
	// Present returns an error as the response has it.
	Present func(context.Context, FieldError) *gqlerror.Error
	// More returns the error that replaces the other ones: their number, and the first of them.
	More func(n int, first *gqlerror.Error) *gqlerror.Error
}

// Answer reads what the operation selects that loaders have begun in the context, or carries out its mutations, and
// returns its data and errors, which are sorted by their paths.
func (a *Answerer) Answer(ctx context.Context) *graphql.Response {
	w := writers.Get().(*writer)
	defer w.release()
	op := loaders.OperationOf(ctx)
	w.op, w.bound, w.maxBytes, w.errors.max = op, op.Bound(), int(a.MaxBytes), a.MaxErrors
	if w.bound.Operation.Operation == ast.Mutation {
		w.mutations(ctx)
	} else {
		w.instance(op.Read(), nil, nil, 0)
	}
	if w.isFull() {
		tooLarge := FieldError{Err: loaders.AnswerTooLarge(a.MaxBytes)}
		return &graphql.Response{Errors: gqlerror.List{a.Present(ctx, tooLarge)}}
	}
	return &graphql.Response{Data: bytes.Clone(w.out), Errors: a.present(ctx, &w.errors)}
}

func (a *Answerer) present(ctx context.Context, errs *fieldErrors) gqlerror.List {
	var presented gqlerror.List
	for _, e := range errs.first {
		shown := a.Present(ctx, FieldError{e.err, pathOf(e.path), e.field})
		if len(presented) == a.MaxErrors {
			shown = a.More(errs.count-a.MaxErrors, shown)
		}
		presented = append(presented, shown)
	}
	return presented
}
