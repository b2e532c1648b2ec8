package gateway

import (
	"bytes"
	"cmp"
	"encoding/json"
	"net/http"
	"strconv"

	"github.com/vektah/gqlparser/v2/gqlerror"
)

// statusPartialSuccess is the status of a result with both data and errors (HTTP spec, Status Codes and Partial success). It is defined
// for application/graphql-response+json alone.
const statusPartialSuccess = 294

// A result is what the executor made of an operation, or, without data, why there was nothing to execute.
type result struct {
	media      string          // the media type to answer in
	data       json.RawMessage // nil for a request error
	errors     gqlerror.List
	extensions map[string]any
	cost       Cost
	caching    string // the header Cache-Control; empty keeps nothing
}

// writeResult answers with a result in the media type that the client prefers.
func writeResult(w http.ResponseWriter, r result) (status int) {
	status = http.StatusOK
	if len(r.errors) > 0 && r.media == mediaGraphQL {
		status = statusPartialSuccess
	}
	return write(w, status, r)
}

// writeRefusal answers with a request error. A client that takes only application/json gets the same status and media type as any
// other: an answer that is not 2xx says by its media type that it comes from GraphQL (HTTP spec, Body).
func writeRefusal(w http.ResponseWriter, no *refusal) (status int) {
	if no.allow != "" {
		w.Header().Set("Allow", no.allow)
	}
	if no.challenge != "" {
		w.Header().Set("WWW-Authenticate", no.challenge)
	}
	if no.retryAfter != "" {
		w.Header().Set("Retry-After", no.retryAfter)
	}
	if no.closes {
		w.Header().Set("Connection", "close")
	}
	media := mediaGraphQL
	if no.status == http.StatusOK {
		media = mediaJSON // see refusal.to
	}
	return write(w, no.status, result{media: media, errors: no.errors, cost: no.cost})
}

func write(w http.ResponseWriter, status int, r result) int {
	body, err := encode(r)
	if err != nil {
		status = http.StatusInternalServerError
		body = []byte(`{"errors":[{"message":"The response could not be encoded.","extensions":{"code":"` + codeInternal + `"}}]}`)
		r.media, r.caching = mediaGraphQL, cacheNothing
	}
	header := w.Header()
	header.Set("Content-Type", r.media+"; charset=utf-8")
	header.Set("Content-Length", strconv.Itoa(len(body)))
	header.Set("Cache-Control", cmp.Or(r.caching, cacheNothing))
	w.WriteHeader(status)
	_, _ = w.Write(body) // the client has gone away if this fails
	return status
}

// encode writes the parts by hand, because data is JSON already and may be large.
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
