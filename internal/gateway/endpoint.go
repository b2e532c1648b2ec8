package gateway

import (
	"bytes"
	"context"
	"errors"
	"mime"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/partita/partita/viewer"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/gateway/browser"
	"github.com/partita/partita/internal/gateway/document"
	"github.com/partita/partita/internal/gateway/httpserver"
	"github.com/partita/partita/internal/gateway/operation"
	"github.com/partita/partita/internal/gateway/response"
	"github.com/partita/partita/internal/gateway/subscribe"
	"github.com/partita/partita/internal/share"
)

// endpoint is /graphql.
type endpoint struct {
	*operation.Executor
	config  Config
	guard   *browser.Guard
	streams *subscribe.Server
	vary    string
}

func newEndpoint(config Config, guard *browser.Guard) *endpoint {
	e := operation.NewExecutor(config.executor())
	return &endpoint{
		Executor: e,
		config:   config,
		guard:    guard,
		streams:  subscribe.New(e, guard, config.Subscriptions),
		vary:     vary(e.Engine.RequestHeaders()),
	}
}

func (e *endpoint) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Add("Vary", e.vary)
	if r.Method == http.MethodOptions {
		w.Header().Set("Allow", allowedMethods)
		w.WriteHeader(http.StatusNoContent)
		return
	}
	if e.config.isVisit(r) {
		http.Redirect(w, r, "/", http.StatusSeeOther)
		return
	}
	line := &operation.Line{Start: time.Now(), Method: r.Method}
	ctx, ended := e.Observer.Operation(r)
	r = r.WithContext(ctx)
	line.Ended = ended
	defer func() { line.End(r.Context()) }()

	r, err := e.Authenticate(r)
	if err == nil {
		err = e.answer(w, r, line)
	}
	if err != nil {
		line.Errors, line.Cost = err.Errors, err.Cost
		line.Status = e.reject(w, r, err)
	}
}

// reject writes a request error. That is work, too, and waits for the caller's turn.
func (e *endpoint) reject(w http.ResponseWriter, r *http.Request, err *response.Error) (status int) {
	_ = share.TurnOf(r.Context()).Begin(r.Context()) // an error means that the client is gone
	if err.AsEvent {
		return e.streams.WriteEvents(w, r, err.Result())
	}
	return response.WriteError(w, r, forClient(err, r.Header.Values("Accept")))
}

// answer performs the steps after the authentication of the viewer, see the package comment. It has written nothing if
// it returns an error.
func (e *endpoint) answer(w http.ResponseWriter, r *http.Request, line *operation.Line) *response.Error {
	media, err := response.Accepts(r)
	if err != nil {
		return err
	}
	ctx, cancel, params, err := e.receive(w, r)
	if err != nil {
		return err
	}
	defer cancel()
	req, err := e.Load(r, params, line)
	if err == nil && req.Operation.Operation == ast.Subscription {
		err = e.streams.Answer(w, r, req, line)
	} else if err == nil {
		err = e.answerOnce(ctx, w, r, req, media, line)
	}
	if err != nil {
		err.AsEvent = media == response.MediaEvents
	}
	return err
}

// answerOnce executes a query or a mutation in the context of its operation.
func (e *endpoint) answerOnce(
	ctx context.Context, w http.ResponseWriter, r *http.Request, req operation.Request, media string, line *operation.Line,
) *response.Error {
	answer, err := e.Execute(ctx, req)
	if err != nil {
		return err
	}
	answer.Media = media
	answer.SetCaching(e.cacheControl(r, req, answer))
	if err := e.CheckAnswer(r.Context(), answer, line.Kind); err != nil {
		return err
	}
	line.Executed = true
	line.Errors = answer.Errors
	line.Cost = answer.Cost
	if answer.Media == response.MediaEvents {
		line.Status = e.streams.WriteEvents(w, r, answer)
	} else {
		line.Status = response.WriteResult(w, r, answer)
	}
	return nil
}

// receive reads a request and waits for its turn. The context, which the caller must cancel, is that of the operation:
// it ends with its timeout or with the client's connection.
func (e *endpoint) receive(w http.ResponseWriter, r *http.Request) (
	ctx context.Context, cancel context.CancelFunc, params document.Parameters, err *response.Error,
) {
	body := response.NewBuffer()
	defer response.Release(body)
	if ctx, cancel, err = e.await(w, r, body, e.Limits); err != nil {
		return nil, nil, document.Parameters{}, err
	}
	if params, err = document.ReadParameters(r, body.Bytes(), e.Limits.Limits); err != nil {
		cancel()
		return nil, nil, document.Parameters{}, err
	}
	return ctx, cancel, params, nil
}

// await reads the body of a request and waits for its turn; see receive.
func (e *endpoint) await(w http.ResponseWriter, r *http.Request, body *bytes.Buffer, limits operation.Limits) (
	context.Context, context.CancelFunc, *response.Error,
) {
	if httpserver.IsStopping(r.Context()) {
		return nil, nil, response.Later(response.Errorf(http.StatusServiceUnavailable, response.CodeUnavailable,
			"The gateway is stopping. Send the operation again."))
	}
	if err := e.guard.CheckForgery(r); err != nil {
		return nil, nil, err
	}
	if err := readAll(body, w, r, limits); err != nil {
		return nil, nil, err
	}
	ctx, cancel := context.WithTimeout(r.Context(), e.OperationTimeout)
	// Only now, so that a request that arrives slowly is not an operation in flight.
	if err := operation.SeatOf(ctx).Enter(ctx); err != nil {
		cancel()
		return nil, nil, err
	}
	return ctx, cancel, nil
}

// cacheControl returns the header Cache-Control for a response. A response with errors is not cached, because the
// next one may have none. A response to a viewer is private, whatever the hints are.
func (e *endpoint) cacheControl(r *http.Request, req operation.Request, answer response.Result) string {
	if r.Method == http.MethodPost || len(answer.Errors) > 0 {
		return response.CacheNothing
	}
	for _, name := range e.RequestHeaders() {
		if r.Header.Get(name) != "" {
			return response.CacheNothing
		}
	}
	policy := req.Plan.CachePolicy()
	if policy.MaxAge == 0 {
		return response.CacheNothing
	}
	scope := "public"
	if policy.Private || !viewer.FromContext(r.Context()).IsAnonymous() || r.Header.Get("Authorization") != "" {
		scope = "private"
	}
	return scope + ", max-age=" + strconv.Itoa(policy.MaxAge)
}

// vary returns the header Vary: the request headers on which responses depend.
func vary(further []string) string {
	return strings.Join(append([]string{"Accept", "Authorization"}, further...), ", ")
}

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
