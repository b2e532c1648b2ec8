package gateway

import (
	"context"
	"net/http"
	"strings"
	"sync/atomic"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
)

// introspection lets operations select __schema and __type, which the executor refuses by default, and bounds what
// they get. The schema's types refer to each other, so a few lines could ask for it many times over.
type introspection struct {
	most int64 // fields of the introspection types that one operation gets
}

// introspectedFields is how many fields the introspection query of GraphiQL selects of a type, a field, an argument or
// a value at most: seven of itself, and kind, name and ofType for each of the nine wrappers of its type that it
// provides for, of which no schema has many. Three of them are plenty, and the operation may ask for all that twice.
const introspectedFields = 2 * (7 + 3*3)

func newIntrospection(schema *ast.Schema) introspection {
	parts := len(schema.Types)
	for _, definition := range schema.Types {
		parts += len(definition.Fields) + len(definition.EnumValues) + len(definition.Interfaces) + len(schema.GetPossibleTypes(definition))
		for _, field := range definition.Fields {
			parts += len(field.Arguments)
		}
	}
	for _, directive := range schema.Directives {
		parts += 1 + len(directive.Arguments)
	}
	return introspection{most: int64(parts) * introspectedFields}
}

func (introspection) ExtensionName() string { return "Introspection" }

func (introspection) Validate(graphql.ExecutableSchema) error { return nil }

func (introspection) MutateOperationContext(_ context.Context, operation *graphql.OperationContext) *gqlerror.Error {
	operation.DisableIntrospection = false
	return nil
}

type introspectedKey struct{}

// InterceptOperation gives each operation a counter of its own.
func (introspection) InterceptOperation(ctx context.Context, next graphql.OperationHandler) graphql.ResponseHandler {
	return next(context.WithValue(ctx, introspectedKey{}, new(atomic.Int64)))
}

// InterceptField counts the fields of the introspection types, and refuses those beyond the bound.
func (i introspection) InterceptField(ctx context.Context, next graphql.Resolver) (any, error) {
	if !strings.HasPrefix(graphql.GetFieldContext(ctx).Object, "__") {
		return next(ctx)
	}
	counter, counted := ctx.Value(introspectedKey{}).(*atomic.Int64)
	if counted && counter.Add(1) > i.most {
		return nil, tooMuchIntrospection{}
	}
	return next(ctx)
}

type tooMuchIntrospection struct{}

func (tooMuchIntrospection) Error() string {
	return "The operation asks for more of the schema than it has. Select less of __schema and __type at once."
}

func (tooMuchIntrospection) Code() string { return codeBadUserInput }

// refuseIntrospection is for a gateway that keeps its schema to itself.
func refuseIntrospection() *refusal {
	return refuse(http.StatusUnprocessableEntity, codeValidationFailed,
		"Introspection is switched off here. Ask whoever runs this gateway for the schema.")
}
