package gateway

import (
	"net/http"
	"slices"

	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/partita/partita/loaders"
)

// operationCodes are the codes of errors that an operation has by itself. The other codes are those of the request that
// contains it, and of circumstances that clients handle by the status: they sign in, or wait.
var operationCodes = []string{
	codeParseFailed, codeValidationFailed, codeOperation, codeBadUserInput, codeCostLimit, loaders.CodeTooLarge,
	codePersistedQueryNotFound, codeNotInList, codeNotInSafelist,
}

func isOfRequest(err *gqlerror.Error) bool {
	code, _ := err.Extensions["code"].(string)
	return !slices.Contains(operationCodes, code)
}

// forClient sets the status to 200 if the client may read the errors only then: most clients that accept
// application/json alone take any other status for a failure on the way, and do not show the errors of an operation.
func (err *requestError) forClient(accept []string) *requestError {
	media, _ := negotiate(accept)
	isOK := media == mediaJSON && !slices.ContainsFunc(err.errors, isOfRequest)
	if isOK || err.lenient && acceptsJSON(accept) {
		err.status = http.StatusOK
	}
	return err
}
