package response

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

	"github.com/partita/partita/internal/gateway/logging"
	"github.com/partita/partita/internal/share"
)

// statusPartialSuccess is the status of a result with both data and errors (HTTP spec, Status Codes and Partial
// success). It is defined for application/graphql-response+json only.
const statusPartialSuccess = 294

// A Result is the content of a response: that of an executed operation, or, without data, of a request error.
type Result struct {
	Media      string          // the media type of the response
	Data       json.RawMessage // nil for a request error
	Errors     gqlerror.List
	Extensions map[string]any
	// Position is extensions.live.position of an answer of a subscription; empty for others.
	Position string
	Cost     Cost
	caching  string // the header Cache-Control; empty for no-store
}

// WriteResult writes the result of an executed operation, in its media type.
func WriteResult(w http.ResponseWriter, to *http.Request, r Result) (status int) {
	status = http.StatusOK
	if len(r.Errors) > 0 && r.Media == mediaGraphQL {
		status = statusPartialSuccess
	}
	return write(w, to, status, r)
}

// WriteError writes a request error. Unless its status is 200, clients that accept only application/json get the
// same media type as others: it shows that the response is from the GraphQL service, not from a proxy on the way (HTTP
// spec, Body).
func WriteError(w http.ResponseWriter, to *http.Request, err *Error) (status int) {
	if err.allow != "" {
		w.Header().Set("Allow", err.allow)
	}
	if err.Challenge != "" {
		w.Header().Set("WWW-Authenticate", err.Challenge)
	}
	if err.RetryAfter != "" {
		w.Header().Set("Retry-After", err.RetryAfter)
	}
	if err.Closes {
		w.Header().Set("Connection", "close")
	}
	media := mediaGraphQL
	if err.Status == http.StatusOK {
		media = MediaJSON // see requestError.forClient
	}
	r := err.Result()
	r.Media = media
	return write(w, to, err.Status, r)
}

func write(w http.ResponseWriter, to *http.Request, status int, r Result) int {
	ctx := to.Context()
	body := NewBuffer()
	defer Release(body)
	before, failed := r.encodeOrFail(ctx, body)
	if failed != nil {
		status, r = failed.Status, failed.Result()
	}
	header := w.Header()
	header["Content-Type"] = contentTypes[r.Media]
	header.Set("Content-Length", strconv.Itoa(body.Len()+len(r.Data)))
	if r.caching == "" {
		header["Cache-Control"] = notCached
	} else {
		header.Set("Cache-Control", r.caching)
	}
	w.WriteHeader(status)
	Send(w, to, body.Bytes()[:before], r.Data, body.Bytes()[before:])
	return status
}

// sentAtOnce is how many bytes are compressed in one turn on the CPUs.
const sentAtOnce = 64 << 10

// Send writes the parts of a body. A turn ends with what is sent to the client, and what has to be compressed waits for
// another one. An error means that the client is gone.
func Send(w http.ResponseWriter, to *http.Request, parts ...[]byte) {
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
		MediaJSON:    {MediaJSON + "; charset=utf-8"},
	}
	notCached = []string{CacheNothing}
)

// encodeOrFail is encode. A result that cannot be encoded is replaced by the error that is returned.
func (r Result) encodeOrFail(ctx context.Context, body *bytes.Buffer) (before int, failed *Error) {
	start := body.Len()
	before, cause := r.encode(body)
	if cause == nil {
		return before, nil
	}
	logging.Logger(ctx).ErrorContext(ctx, "the response cannot be encoded", "error", cause.Error())
	failed = Internal(ctx)
	body.Truncate(start)
	if before, cause = failed.Result().encode(body); cause != nil {
		panic(cause) // an error with text and a cost of zeros are JSON
	}
	return before, failed
}

// Wrapped returns the parts of a message with the body between two texts. Only the data are not in the buffer.
func (r Result) Wrapped(ctx context.Context, body *bytes.Buffer, prefix, suffix string) (parts [3][]byte) {
	body.WriteString(prefix)
	before, failed := r.encodeOrFail(ctx, body)
	data := r.Data
	if failed != nil || data == nil {
		before, data = body.Len(), nil
	}
	body.WriteString(suffix)
	return [...][]byte{body.Bytes()[:before], data, body.Bytes()[before:]}
}

// encode writes the body without data, which is already JSON and may be large. It returns how many bytes of the body
// are before it.
func (r Result) encode(body *bytes.Buffer) (before int, err error) {
	body.WriteByte('{')
	if len(r.Errors) > 0 {
		errs, err := json.Marshal(r.Errors)
		if err != nil {
			return 0, err
		}
		body.WriteString(`"errors":`)
		body.Write(errs)
		body.WriteByte(',')
	}
	if r.Data != nil {
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

func (r Result) encodeExtensions(body *bytes.Buffer) error {
	if len(r.Extensions) == 0 {
		encoded, err := r.Cost.appendJSON(append(body.AvailableBuffer(), `{"cost":`...))
		if r.Position != "" { // in an alphabet without anything to escape
			encoded = append(append(append(encoded, `,"live":{"position":"`...), r.Position...), `"}`...)
		}
		body.Write(append(encoded, '}'))
		return err
	}
	extensions := maps.Clone(r.Extensions)
	extensions["cost"] = r.Cost
	if r.Position != "" {
		extensions[ExtensionLive] = map[string]any{LivePosition: r.Position}
	}
	encoded, err := json.Marshal(extensions)
	body.Write(encoded)
	return err
}

// The properties of a position in extensions, of requests and of answers.
const (
	ExtensionLive = "live"
	LivePosition  = "position"
)

// CacheNothing is the header Cache-Control of responses that must not be cached.
const CacheNothing = "no-store"

// SetCaching sets the header Cache-Control. A public response does not contain the caller's budget.
func (r *Result) SetCaching(header string) {
	r.caching = header
	if strings.HasPrefix(header, "public") {
		r.Cost.ThrottleStatus = nil
	}
}

// Result returns the content of the response.
func (err *Error) Result() Result {
	return Result{Media: mediaGraphQL, Errors: CapErrors(err.Errors), Cost: err.Cost}
}
