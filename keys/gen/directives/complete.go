package directives

import "github.com/vektah/gqlparser/v2/ast"

// complete adds the definitions that a schema may omit, as if it had declared them.
func complete(all *ast.SchemaDocument) {
	completeBuiltIns(all)
	completeMutations(all)
	completeConnections(all)
}
