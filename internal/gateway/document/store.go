package document

import (
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/gateway/response"
	"github.com/partita/partita/internal/plan"
)

// A Store has the documents of requests.
type Store interface {
	// Load returns a valid document. If the request has only a hash, it sets the query.
	Load(p *Parameters) (*Document, *response.Error)
	// Keep is called when a document has new plans.
	Keep(d *Document)
}

// NewStore returns the store of a schema as clients see it. A valid document is compiled once.
func NewStore(
	schema *ast.Schema, compile func(*ast.QueryDocument) *plan.Document, settings Settings, limits Limits,
) Store {
	if settings.Manifest != nil {
		return newManifestSource(settings.Manifest, compile)
	}
	return newPersistedQueries(newDocuments(schema, compile, settings, limits))
}
