package gateway

import (
	"bytes"
	"cmp"
	"encoding/json"
	"net/http"
	"strconv"

	"github.com/vektah/gqlparser/v2/gqlerror"
)

// statusPartialSuccess is the status of a result with both data and errors (HTTP spec, Status Codes and Partial
// success). It is defined for application/graphql-response+json only.
const statusPartialSuccess = 294

// A result is the content of a response: that of an executed operation, or, without data, of a request error.
type result struct {
	media      string          // the media type of the response
	data       json.RawMessage // nil for a request error
	errors     gqlerror.List
	extensions map[string]any
	cost       Cost
	caching    string // the header Cache-Control; empty for no-store
}

// writeResult writes the result of an executed operation, in its media type.
func writeResult(w http.ResponseWriter, r result) (status int) {
	status = http.StatusOK
	if len(r.errors) > 0 && r.media == mediaGraphQL {
		status = statusPartialSuccess
	}
	return write(w, status, r)
}

// writeRequestError writes a request error. Clients that accept only application/json get the same status and media
// type as others: the media type of a response that is not 2xx shows that it is from the GraphQL service, not from a
// proxy on the way (HTTP spec, Body).
func writeRequestError(w http.ResponseWriter, err *requestError) (status int) {
	if err.allow != "" {
		w.Header().Set("Allow", err.allow)
	}
	if err.challenge != "" {
		w.Header().Set("WWW-Authenticate", err.challenge)
	}
	if err.retryAfter != "" {
		w.Header().Set("Retry-After", err.retryAfter)
	}
	if err.closes {
		w.Header().Set("Connection", "close")
	}
	media := mediaGraphQL
	if err.status == http.StatusOK {
		media = mediaJSON // see requestError.forClient
	}
	return write(w, err.status, result{media: media, errors: err.errors, cost: err.cost})
}

func write(w http.ResponseWriter, status int, r result) int {
	body, err := encode(r)
	if err != nil {
		status = http.StatusInternalServerError
		body = []byte(`{"errors":[{"message":"The response could not be encoded.",` +
			`"extensions":{"code":"` + codeInternal + `"}}]}`)
		r.media, r.caching = mediaGraphQL, cacheNothing
	}
	header := w.Header()
	header.Set("Content-Type", r.media+"; charset=utf-8")
	header.Set("Content-Length", strconv.Itoa(len(body)))
	header.Set("Cache-Control", cmp.Or(r.caching, cacheNothing))
	w.WriteHeader(status)
	_, _ = w.Write(body) // an error means that the client is gone
	return status
}

// encode writes the parts one by one, because data is already JSON and may be large.
func encode(r result) ([]byte, error) {
	var body bytes.Buffer
	body.WriteByte('{')
	if len(r.errors) > 0 {
		errs, err := json.Marshal(capErrors(r.errors))
		if err != nil {
			return nil, err
		}
		body.WriteString(`"errors":`)
		body.Write(errs)
		body.WriteByte(',')
	}
	if r.data != nil {
		body.WriteString(`"data":`)
		body.Write(r.data)
		body.WriteByte(',')
	}
	extensions := map[string]any{}
	for name, value := range r.extensions {
		extensions[name] = value
	}
	extensions["cost"] = r.cost
	encoded, err := json.Marshal(extensions)
	if err != nil {
		return nil, err
	}
	body.WriteString(`"extensions":`)
	body.Write(encoded)
	body.WriteByte('}')
	return body.Bytes(), nil
}
