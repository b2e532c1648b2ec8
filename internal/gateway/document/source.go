package document

import (
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/plan"
)

// NewSource returns the source of a schema as clients see it. A valid document is compiled once.
func NewSource(
	schema *ast.Schema, compile func(*ast.QueryDocument) *plan.Document, settings Settings, limits Limits,
) Source {
	if settings.Manifest != nil {
		return newManifestSource(settings.Manifest, compile)
	}
	return newPersistedQueries(newDocuments(schema, compile, settings, limits))
}
