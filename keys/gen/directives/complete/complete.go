package directives

import (
	"slices"

	"github.com/vektah/gqlparser/v2/ast"
)

// complete adds the definitions that a schema may omit, as if it had declared them. Their positions are those of what
// needs them. The findings are for what the schema declares otherwise than it is built in, and for names that do not
// show what to add.
func complete(all *ast.SchemaDocument) Findings {
	findings := completeDirectives(all)
	findings = append(findings, completeMutations(all)...)
	findings = append(findings, completeConnections(all)...)
	return append(findings, completeTypes(all)...)
}

// declarations returns the definitions of a document and their extensions, without those of GraphQL itself.
func declarations(all *ast.SchemaDocument) []*ast.Definition {
	isBuiltIn := func(def *ast.Definition) bool { return def.BuiltIn }
	return slices.DeleteFunc(slices.Concat(all.Definitions, all.Extensions), isBuiltIn)
}
