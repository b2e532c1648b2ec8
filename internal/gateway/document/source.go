package document

import (
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/gateway/response"
	"github.com/partita/partita/internal/plan"
)

// A Source has the documents of requests.
type Source interface {
	// load returns a valid document. If the request has only a hash, load sets the query.
	Load(p *Parameters) (*Document, *response.Error)
	// keep is called when a document has new plans.
	Keep(d *Document)
}

// NewSource returns the source of a schema as clients see it. A valid document is compiled once.
func NewSource(
	schema *ast.Schema, compile func(*ast.QueryDocument) *plan.Document, settings Settings, limits Limits,
) Source {
	if settings.Manifest != nil {
		return newManifestSource(settings.Manifest, compile)
	}
	return newPersistedQueries(newDocuments(schema, compile, settings, limits))
}
