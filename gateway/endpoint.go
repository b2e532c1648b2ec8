package gateway

import (
	"net/http"
	"time"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/gateway/httpserver"
	"github.com/partita/partita/viewer"
)

// endpoint is /graphql.
type endpoint struct {
	config    Config
	executors executors
	source    documentSource
	forgery   forgeryCheck
	slots     slots
	budgets   budgets
	vary      string
}

func newEndpoint(config Config) *endpoint {
	return &endpoint{
		config:    config,
		executors: newExecutors(config),
		source:    newSource(config),
		forgery:   config.CORSOrigins.forgeryCheck(),
		slots:     make(slots, config.MaxOperations),
		budgets:   newBudgets(config),
		vary:      config.vary(),
	}
}

func newSource(config Config) documentSource {
	if config.Manifest != nil {
		return newManifestSource(config.Manifest, config.Engine)
	}
	return newPersistedQueries(newDocuments(config))
}

func (e *endpoint) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Add("Vary", e.vary)
	if r.Method == http.MethodOptions {
		w.Header().Set("Allow", allowedMethods)
		w.WriteHeader(http.StatusNoContent)
		return
	}
	line := &operationLine{start: time.Now(), method: r.Method}
	ctx, ended := e.config.Observer.Operation(r)
	r = r.WithContext(ctx)
	defer func() {
		if line.status == 0 { // a panic; secure writes the response
			line.status = http.StatusInternalServerError
		}
		line.duration = time.Since(line.start)
		line.write(r.Context(), "operation") // in the context after authentication, which has the viewer
		ended(line.report(viewer.FromContext(r.Context())))
	}()

	var answer result
	r, err := e.authenticate(r)
	if err == nil {
		answer, err = e.answer(w, r, line)
	}
	if err != nil {
		line.errors, line.cost = err.errors, err.cost
		line.status = writeRequestError(r.Context(), w, err)
		return
	}
	line.executed = true
	line.errors = answer.errors
	line.cost = answer.cost
	line.status = writeResult(r.Context(), w, answer)
}

// slots limit the operations in flight. Without a free slot, a request gets an error at once instead of waiting in a
// queue, so that an overloaded gateway answers the other requests in time.
type slots chan struct{}

// acquire reports whether there was a free slot.
func (s slots) acquire() bool {
	select {
	case s <- struct{}{}:
		return true
	default:
		return false
	}
}

func (s slots) release() { <-s }

// answer performs the steps after the authentication of the viewer, see the package comment.
func (e *endpoint) answer(w http.ResponseWriter, r *http.Request, line *operationLine) (result, *requestError) {
	media, acceptable := negotiate(r.Header.Values("Accept"))
	if !acceptable {
		return result{}, requestErrorf(http.StatusNotAcceptable, codeBadRequest,
			"Answers come as %s or %s. Name one of them in Accept.", mediaGraphQL, mediaJSON)
	}
	params, err := e.receive(w, r)
	if err != nil {
		return result{}, err
	}
	defer e.slots.release()
	req, err := e.load(r, params, line)
	if err != nil {
		return result{}, err
	}
	answer, err := e.execute(r.Context(), req)
	answer.media = media
	if err == nil {
		answer.setCaching(e.cacheControl(r, req, answer))
	}
	return answer, err
}

// receive reads a request. If it returns no error, it has acquired a slot, which the caller must release.
func (e *endpoint) receive(w http.ResponseWriter, r *http.Request) (parameters, *requestError) {
	if httpserver.IsStopping(r.Context()) {
		w.Header().Set("Retry-After", "1")
		return parameters{}, requestErrorf(http.StatusServiceUnavailable, codeUnavailable,
			"The gateway is stopping. Send the operation again.")
	}
	if err := e.forgery.check(r); err != nil {
		return parameters{}, err
	}
	params, err := readParameters(w, r, e.config.Limits)
	if err != nil {
		return parameters{}, err
	}
	// Only now, so that a request that arrives slowly does not occupy a slot.
	if !e.slots.acquire() {
		w.Header().Set("Retry-After", "1")
		return parameters{}, requestErrorf(http.StatusServiceUnavailable, codeUnavailable,
			"The gateway is busy. Send the operation again.")
	}
	return params, nil
}

// load returns an operation that can be executed.
func (e *endpoint) load(r *http.Request, params parameters, line *operationLine) (request, *requestError) {
	document, err := e.source.load(&params)
	if err != nil {
		return request{}, err.forClient(r.Header.Values("Accept"))
	}
	operation, err := selectOperation(document.ast, params.operationName)
	if err != nil {
		return request{}, err
	}
	line.name, line.kind = operation.Name, string(operation.Operation)
	if operation.Operation != ast.Query && r.Method != http.MethodPost {
		return request{}, methodNotAllowed(http.MethodPost, "Send mutations by POST.")
	}
	params.variables, err = coerceVariables(e.config.Schema.Schema(), operation, params.variables)
	if err != nil {
		return request{}, err
	}
	compiled := document.plans.Plan(operation, params.variables)
	e.source.keep(document)
	return request{params, r.Header, document, operation, compiled, clientAddress(r, e.config.TrustedProxies)}, nil
}
