package answer

import (
	"context"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
)

// Folder is the executable schema of a folder of schema files: it has no generated code and no resolvers. A gateway
// with an engine whose design is WithoutGo answers all of its operations from their plans.
type Folder struct{ schema *ast.Schema }

var _ graphql.ExecutableSchema = Folder{}

// NewFolder returns the Folder of a schema.
func NewFolder(schema *ast.Schema) Folder { return Folder{schema} }

// Schema implements graphql.ExecutableSchema.
func (f Folder) Schema() *ast.Schema { return f.schema }

// Complexity implements graphql.ExecutableSchema. The cost of an operation is its plan's Price.
func (Folder) Complexity(context.Context, string, string, int, map[string]any) (int, bool) {
	return 0, false
}

// Exec implements graphql.ExecutableSchema. It is called only if gqlgen is to execute all operations.
func (Folder) Exec(context.Context) graphql.ResponseHandler {
	const message = "answer: gqlgen cannot execute operations of a schema without generated code"
	return graphql.OneShot(&graphql.Response{Errors: gqlerror.List{gqlerror.Errorf(message)}})
}
