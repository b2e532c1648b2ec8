package gateway

import (
	"net/http"
	"slices"

	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/partita/partita/internal/gateway/document"
	"github.com/partita/partita/internal/gateway/response"
	"github.com/partita/partita/loaders"
)

// operationCodes are the codes of errors that an operation has by itself. The other codes are those of the request that
// contains it, and of circumstances that clients handle by the status: they sign in, or wait.
var operationCodes = []string{
	response.CodeParseFailed, response.CodeValidationFailed, response.CodeOperation,
	response.CodeBadUserInput, response.CodeCostLimit, loaders.CodeTooLarge,
	document.CodePersistedQueryNotFound, document.CodeNotInList, document.CodeNotInSafelist,
}

func isOfRequest(err *gqlerror.Error) bool {
	code, _ := err.Extensions["code"].(string)
	return !slices.Contains(operationCodes, code)
}

// forClient sets the status to 200 if the client may read the errors only then: most clients that accept
// application/json alone take any other status for a failure on the way, and do not show the errors of an operation.
func forClient(err *response.Error, accept []string) *response.Error {
	media, _ := response.Negotiate(accept)
	isOK := media == response.MediaJSON && !slices.ContainsFunc(err.Errors, isOfRequest)
	if isOK || err.Lenient && response.AcceptsJSON(accept) {
		err.Status = http.StatusOK
	}
	return err
}
