package gateway

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/partita/partita/gateway/logging"
	"github.com/partita/partita/share"
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
func writeResult(w http.ResponseWriter, to *http.Request, r result) (status int) {
	status = http.StatusOK
	if len(r.errors) > 0 && r.media == mediaGraphQL {
		status = statusPartialSuccess
	}
	return write(w, to, status, r)
}

// writeRequestError writes a request error. Unless its status is 200, clients that accept only application/json get the
// same media type as others: it shows that the response is from the GraphQL service, not from a proxy on the way (HTTP
// spec, Body).
func writeRequestError(w http.ResponseWriter, to *http.Request, err *requestError) (status int) {
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
	r := err.result()
	r.media = media
	return write(w, to, err.status, r)
}

func write(w http.ResponseWriter, to *http.Request, status int, r result) int {
	ctx := to.Context()
	body := newBuffer()
	defer release(body)
	before, failed := r.encodeOrFail(ctx, body)
	if failed != nil {
		status, r = failed.status, failed.result()
	}
	header := w.Header()
	header["Content-Type"] = contentTypes[r.media]
	header.Set("Content-Length", strconv.Itoa(body.Len()+len(r.data)))
	if r.caching == "" {
		header["Cache-Control"] = notCached
	} else {
		header.Set("Cache-Control", r.caching)
	}
	w.WriteHeader(status)
	send(w, to, body.Bytes()[:before], r.data, body.Bytes()[before:])
	return status
}

// sentAtOnce is how many bytes are compressed in one turn on the CPUs.
const sentAtOnce = 64 << 10

// send writes the parts of a body. A turn ends with what is sent to the client, and what has to be compressed waits for
// another one. An error means that the client is gone.
func send(w http.ResponseWriter, to *http.Request, parts ...[]byte) {
	turn := share.TurnOf(to.Context())
	for _, part := range parts {
		for chunk := range slices.Chunk(part, sentAtOnce) {
			if w.Header().Get("Content-Encoding") != "" && turn.Begin(to.Context()) != nil {
				return
			}
			if _, err := w.Write(chunk); err != nil {
				return
			}
		}
	}
}

// Values of headers that all responses share, see secureHeaders.
var (
	contentTypes = map[string][]string{
		mediaGraphQL: {mediaGraphQL + "; charset=utf-8"},
		mediaJSON:    {mediaJSON + "; charset=utf-8"},
	}
	notCached = []string{cacheNothing}
)

// encodeOrFail is encode. A result that cannot be encoded is replaced by the error that is returned.
func (r result) encodeOrFail(ctx context.Context, body *bytes.Buffer) (before int, failed *requestError) {
	start := body.Len()
	before, cause := r.encode(body)
	if cause == nil {
		return before, nil
	}
	logging.Logger(ctx).ErrorContext(ctx, "the response cannot be encoded", "error", cause.Error())
	failed = internalError(ctx)
	body.Truncate(start)
	if before, cause = failed.result().encode(body); cause != nil {
		panic(cause) // an error with text and a cost of zeros are JSON
	}
	return before, failed
}

// wrapped returns the parts of a message with the body between two texts. Only the data are not in the buffer.
func (r result) wrapped(ctx context.Context, body *bytes.Buffer, prefix, suffix string) (parts [3][]byte) {
	body.WriteString(prefix)
	before, failed := r.encodeOrFail(ctx, body)
	data := r.data
	if failed != nil || data == nil {
		before, data = body.Len(), nil
	}
	body.WriteString(suffix)
	return [...][]byte{body.Bytes()[:before], data, body.Bytes()[before:]}
}

// encode writes the body without data, which is already JSON and may be large. It returns how many bytes of the body
// are before it.
func (r result) encode(body *bytes.Buffer) (before int, err error) {
	body.WriteByte('{')
	if len(r.errors) > 0 {
		errs, err := json.Marshal(r.errors)
		if err != nil {
			return 0, err
		}
		body.WriteString(`"errors":`)
		body.Write(errs)
		body.WriteByte(',')
	}
	if r.data != nil {
		body.WriteString(`"data":`)
		before = body.Len()
		body.WriteByte(',')
	}
	body.WriteString(`"extensions":`)
	if err := r.encodeExtensions(body); err != nil {
		return 0, err
	}
	body.WriteByte('}')
	return before, nil
}

func (r result) encodeExtensions(body *bytes.Buffer) error {
	if len(r.extensions) == 0 {
		encoded, err := r.cost.appendJSON(append(body.AvailableBuffer(), `{"cost":`...))
		body.Write(append(encoded, '}'))
		return err
	}
	extensions := maps.Clone(r.extensions)
	extensions["cost"] = r.cost
	encoded, err := json.Marshal(extensions)
	body.Write(encoded)
	return err
}

// cacheNothing is the header Cache-Control of responses that must not be cached.
const cacheNothing = "no-store"

// setCaching sets the header Cache-Control. A public response does not contain the caller's budget.
func (r *result) setCaching(header string) {
	r.caching = header
	if strings.HasPrefix(header, "public") {
		r.cost.ThrottleStatus = nil
	}
}
