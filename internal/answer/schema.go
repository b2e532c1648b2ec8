package answer

import (
	"bytes"
	"context"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/partita/partita/loaders"
)

// Schema is an executable schema for operations without hand-written Go.
type Schema struct {
	schema    *ast.Schema
	presenter Presenter
	maxBytes  int
}

var _ graphql.ExecutableSchema = (*Schema)(nil)

// New returns the Schema that answers operations of a GraphQL schema. Data of more than maxBytes is replaced by an
// error.
func New(schema *ast.Schema, p Presenter, maxBytes int64) *Schema {
	return &Schema{schema, p, int(maxBytes)}
}

// Schema implements graphql.ExecutableSchema.
func (s *Schema) Schema() *ast.Schema { return s.schema }

// Complexity implements graphql.ExecutableSchema. The cost of an operation is its plan's Price.
func (s *Schema) Complexity(context.Context, string, string, int, map[string]any) (int, bool) {
	return 0, false
}

// Exec implements graphql.ExecutableSchema for the operation that loaders have begun in the context.
func (s *Schema) Exec(ctx context.Context) graphql.ResponseHandler {
	return graphql.OneShot(s.Answer(ctx, loaders.OperationOf(ctx)))
}

// Answer reads what an operation selects, or carries out its mutations, and returns its data and errors, which are
// sorted by their paths.
func (s *Schema) Answer(ctx context.Context, op *loaders.Operation) *graphql.Response {
	w := writers.Get().(*writer)
	defer w.release()
	w.op, w.bound, w.maxBytes, w.errors.max = op, op.Bound(), s.maxBytes, s.presenter.Max
	if w.bound.Operation.Operation == ast.Mutation {
		w.mutations(ctx)
	} else {
		w.instance(op.Read(), nil, nil, 0)
	}
	if w.isFull() {
		tooLarge := FieldError{Err: loaders.AnswerTooLarge(int64(s.maxBytes))}
		return &graphql.Response{Errors: gqlerror.List{s.presenter.Present(ctx, tooLarge)}}
	}
	return &graphql.Response{Data: bytes.Clone(w.out), Errors: s.presenter.present(ctx, &w.errors)}
}
