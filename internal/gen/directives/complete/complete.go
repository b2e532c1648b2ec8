// Package complete adds what a schema may omit: definitions that are built in, connections, and mutations.
package complete

import (
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/gen/directives/finding"
)

// Document adds the definitions that a schema may omit, as if it had declared them. Their positions are those of what
// needs them. The findings are for what the schema declares otherwise than it is built in, and for names that do not
// show what to add.
func Document(all *ast.SchemaDocument) finding.Findings {
	findings := completeDirectives(all)
	findings = append(findings, completeMutations(all)...)
	findings = append(findings, completeConnections(all)...)
	return append(findings, completeTypes(all)...)
}
