package gateway

import (
	"context"
	"net/http"
	"strings"
	"sync/atomic"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
)

// introspection limits the size of the result of __schema and __type: the types of a schema refer to each other, so
// that a short operation could select them many times over.
type introspection struct {
	maxFields int64 // fields of introspection types in the result of one operation
}

// fieldsPerDefinition is the number of fields that an operation may select of each type, field, argument and enum
// value, on average. The introspection query of GraphiQL selects up to seven, and kind, name and ofType for up to
// nine wrappers of a type, while few types have more than three wrappers. An operation may select all of this twice.
const fieldsPerDefinition = 2 * (7 + 3*3)

func newIntrospection(schema *ast.Schema) introspection {
	definitions := len(schema.Types)
	for _, definition := range schema.Types {
		definitions += len(definition.Fields) + len(definition.EnumValues)
		definitions += len(definition.Interfaces) + len(schema.GetPossibleTypes(definition))
		for _, field := range definition.Fields {
			definitions += len(field.Arguments)
		}
	}
	for _, directive := range schema.Directives {
		definitions += 1 + len(directive.Arguments)
	}
	return introspection{maxFields: int64(definitions) * fieldsPerDefinition}
}

type introspectedKey struct{}

// begin adds a counter to the context of an operation: of the fields of introspection types in its result.
func (introspection) begin(ctx context.Context) (context.Context, *atomic.Int64) {
	counter := new(atomic.Int64)
	return context.WithValue(ctx, introspectedKey{}, counter), counter
}

// InterceptField counts the fields of introspection types, and returns an error for those beyond the limit.
func (i introspection) InterceptField(ctx context.Context, next graphql.Resolver) (any, error) {
	if !strings.HasPrefix(graphql.GetFieldContext(ctx).Object, "__") {
		return next(ctx)
	}
	counter, counted := ctx.Value(introspectedKey{}).(*atomic.Int64)
	if counted && counter.Add(1) > i.maxFields {
		return nil, tooMuchIntrospection{}
	}
	return next(ctx)
}

type tooMuchIntrospection struct{}

func (tooMuchIntrospection) Error() string {
	return "The operation asks for more of the schema than it has. Select less of __schema and __type at once."
}

func (tooMuchIntrospection) Code() string { return codeBadUserInput }

// introspectionDisabled returns the error for operations that select __schema or __type while they are disabled.
func introspectionDisabled() *requestError {
	return requestErrorf(http.StatusUnprocessableEntity, codeValidationFailed,
		"Introspection is switched off here. Ask whoever runs this gateway for the schema.")
}
