package document

import (
	"net/http"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/gateway/response"
	"github.com/partita/partita/internal/plan"
)

// The values of extensions.code for operations that are not listed are those of Apollo Router.
const (
	CodeNotInList     = "PERSISTED_QUERY_NOT_IN_LIST" // no operation of the manifest has the id
	CodeNotInSafelist = "QUERY_NOT_IN_SAFELIST"       // no operation of the manifest has the text
)

// manifestSource has the documents of a manifest with their plans.
type manifestSource struct {
	*Manifest
	documents map[*listedOperation]*Document
}

func newManifestSource(m *Manifest, compile func(*ast.QueryDocument) *plan.Document) manifestSource {
	s := manifestSource{m, make(map[*listedOperation]*Document, len(m.byID))}
	for _, operation := range m.byID {
		s.documents[operation] = &Document{AST: operation.document, Plans: compile(operation.document)}
	}
	return s
}

// keep does nothing: the documents of a manifest are kept anyway.
func (manifestSource) Keep(*Document) {}

func (m manifestSource) Load(p *Parameters) (*Document, *response.Error) {
	if p.hash == "" {
		operation, isListed := m.byBody[p.Query]
		if !isListed {
			return nil, response.Errorf(http.StatusForbidden, CodeNotInSafelist,
				"Only the operations of a list are executed here, and the text of this one is not among them. "+
					"The operator adds them to OPERATIONS_MANIFEST.")
		}
		return m.documents[operation], nil
	}
	operation, isListed := m.byID[p.hash]
	if !isListed {
		return nil, response.Errorf(http.StatusNotFound, CodeNotInList,
			"Only the operations of a list are executed here, and none of them has this id. "+
				"The operator adds them to OPERATIONS_MANIFEST.")
	}
	if p.hasQuery && p.Query != operation.body {
		return nil, response.Errorf(http.StatusBadRequest, response.CodeBadRequest,
			`The operation with this id is another than that in "query". Send either alone.`)
	}
	p.Query = operation.body
	return m.documents[operation], nil
}
