package agents

import (
	"bytes"
	"encoding/json"
	"net/http"

	"github.com/partita/partita/internal/gateway/response"
	"github.com/partita/partita/internal/jsonerror"
)

// read reads the arguments of a tool that is no operation.
func read(arguments json.RawMessage, into any) *response.Error {
	decoder := json.NewDecoder(bytes.NewReader(arguments))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(into); err != nil {
		return response.Errorf(http.StatusUnprocessableEntity, response.CodeBadUserInput,
			"The arguments do not fit the tool: %s.", jsonerror.Describe(err))
	}
	return nil
}
