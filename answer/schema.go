package answer

import (
	"bytes"
	"context"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/partita/partita/loaders"
	"github.com/partita/partita/plan"
)

// FieldError is why a field has no value, or only null.
type FieldError struct {
	Err error
	// Path is that of the field, or of the element of its list.
	Path ast.Path
	// Field is the field; nil if the error is that of an element.
	Field *plan.Field
}

// Present returns an error as the response has it.
type Present func(context.Context, FieldError) *gqlerror.Error

// Schema is an executable schema for operations without hand-written Go.
type Schema struct {
	schema   *ast.Schema
	present  Present
	maxBytes int
}

var _ graphql.ExecutableSchema = (*Schema)(nil)

// New returns the Schema that answers operations of a GraphQL schema. Data of more than maxBytes is replaced by an
// error.
func New(schema *ast.Schema, present Present, maxBytes int64) *Schema {
	return &Schema{schema, present, int(maxBytes)}
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

// Answer reads what an operation selects and returns its data and errors.
func (s *Schema) Answer(ctx context.Context, op *loaders.Operation) *graphql.Response {
	w := writers.Get().(*writer)
	defer w.release()
	w.op, w.bound, w.maxBytes = op, op.Bound(), s.maxBytes
	w.instance(op.Read(), nil, nil, 0)
	if w.isFull() {
		tooLarge := FieldError{Err: loaders.AnswerTooLarge(int64(s.maxBytes))}
		return &graphql.Response{Errors: gqlerror.List{s.present(ctx, tooLarge)}}
	}
	response := &graphql.Response{Data: bytes.Clone(w.out)}
	for _, err := range w.errors {
		response.Errors = append(response.Errors, s.present(ctx, err))
	}
	return response
}
