package gateway

import (
	"bytes"
	"errors"
	"mime"
	"net/http"
	"os"
	"strings"

	"github.com/partita/partita/internal/gateway/operation"
	"github.com/partita/partita/internal/gateway/response"
)

const allowedMethods = "GET, HEAD, OPTIONS, POST"

// readAll reads the body of a POST into a buffer. Its bytes count as taken until the seat is left.
func readAll(body *bytes.Buffer, w http.ResponseWriter, r *http.Request, limits operation.Limits) *response.Error {
	switch r.Method {
	case http.MethodGet, http.MethodHead:
		return nil
	case http.MethodPost:
	default:
		return response.MethodNotAllowed(allowedMethods, "Send GraphQL operations by POST, or queries by GET.")
	}
	if err := checkContentType(r.Header); err != nil {
		return err
	}
	taking := operation.TakingReader{
		Reader: http.MaxBytesReader(w, r.Body, limits.MaxBodyBytes), Seat: operation.SeatOf(r.Context()),
	}
	_, err := body.ReadFrom(&taking)
	switch {
	case taking.Failed != nil:
		taking.Failed.Closes = true
		return taking.Failed
	case err != nil:
		return bodyError(err, limits.MaxBodyBytes)
	default:
		return nil
	}
}

func checkContentType(header http.Header) *response.Error {
	if !isJSON(header.Get("Content-Type")) {
		return response.Errorf(http.StatusUnsupportedMediaType, response.CodeBadRequest,
			"Send the body as JSON in UTF-8, with the header Content-Type: application/json.")
	}
	if encoding := header.Get("Content-Encoding"); encoding != "" && !strings.EqualFold(encoding, "identity") {
		return response.Errorf(http.StatusUnsupportedMediaType, response.CodeBadRequest,
			"Send the body uncompressed, without Content-Encoding.")
	}
	return nil
}

func isJSON(contentType string) bool {
	if contentType == response.MediaJSON { // what most clients send
		return true
	}
	media, params, err := mime.ParseMediaType(contentType)
	return err == nil && media == response.MediaJSON && response.IsUTF8(params)
}

// bodyError returns the request error for a body that could not be read.
func bodyError(cause error, limit int64) *response.Error {
	var err *response.Error
	if _, tooLarge := errors.AsType[*http.MaxBytesError](cause); tooLarge {
		err = response.Errorf(http.StatusRequestEntityTooLarge, response.CodeBadRequest,
			"The request body is larger than %d bytes. Send a smaller document or fewer variables.", limit)
	} else if errors.Is(cause, os.ErrDeadlineExceeded) {
		err = response.Errorf(http.StatusRequestTimeout, response.CodeBadRequest,
			"The request body came too slowly. Send it again.")
	} else {
		err = response.Errorf(http.StatusBadRequest, response.CodeBadRequest, "The request body ended early. Send it again.")
	}
	err.Closes = true
	return err
}
