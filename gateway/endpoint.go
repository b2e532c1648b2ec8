package gateway

import (
	"net/http"
	"time"

	"github.com/99designs/gqlgen/graphql/executor"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/gateway/httpserver"
)

// endpoint is /graphql.
type endpoint struct {
	config   Config
	executor *executor.Executor
	source   source
	forgery  forgeryCheck
	slots    slots
	budgets  *budgets
	vary     string
}

func newEndpoint(config Config) *endpoint {
	return &endpoint{
		config:   config,
		executor: newExecutor(config),
		source:   newSource(config),
		forgery:  config.CORSOrigins.forgeryCheck(),
		slots:    make(slots, config.MaxOperations),
		budgets:  newBudgets(config.Budget),
		vary:     config.vary(),
	}
}

func newSource(config Config) source {
	if config.Manifest != nil {
		return config.Manifest
	}
	return newAutomatic(newDocuments(config))
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
		if line.status == 0 { // a panic, which guard answers
			line.status = http.StatusInternalServerError
		}
		line.duration = time.Since(line.start)
		line.write(r.Context(), "operation") // which says who sent it, by now
		ended(line.report())
	}()

	var answer result
	r, no := e.authenticate(r)
	if no == nil {
		answer, no = e.answer(w, r, line)
	}
	if no != nil {
		line.errors, line.cost = no.errors, no.cost
		line.status = writeRefusal(w, no)
		return
	}
	line.executed = true
	line.errors = answer.errors
	line.cost = answer.cost
	line.status = writeResult(w, answer)
}

// slots are the places of the operations under way. Who finds none is refused rather than queued: an overloaded gateway answers the
// others in time.
type slots chan struct{}

func (s slots) take() bool {
	select {
	case s <- struct{}{}:
		return true
	default:
		return false
	}
}

func (s slots) free() { <-s }

// answer takes a request through the steps that the package's documentation lists.
func (e *endpoint) answer(w http.ResponseWriter, r *http.Request, line *operationLine) (result, *refusal) {
	media, acceptable := negotiate(r.Header.Values("Accept"))
	if !acceptable {
		return result{}, refuse(http.StatusNotAcceptable, codeBadRequest,
			"Answers come as %s or %s. Name one of them in Accept.", mediaGraphQL, mediaJSON)
	}
	params, no := e.admit(w, r)
	if no != nil {
		return result{}, no
	}
	defer e.slots.free()
	req, no := e.load(r, params, line)
	if no != nil {
		return result{}, no
	}
	answer, no := e.execute(r.Context(), req)
	answer.media = media
	if no == nil {
		answer.setCaching(e.cacheControl(r, req.operation, req.variables, answer))
	}
	return answer, no
}

// admit reads a request. Unless it refuses it, it has taken one of the slots, which the caller frees.
func (e *endpoint) admit(w http.ResponseWriter, r *http.Request) (parameters, *refusal) {
	if httpserver.IsStopping(r.Context()) {
		w.Header().Set("Retry-After", "1")
		return parameters{}, refuse(http.StatusServiceUnavailable, codeUnavailable, "The gateway is stopping. Send the operation again.")
	}
	if no := e.forgery.check(r); no != nil {
		return parameters{}, no
	}
	params, no := readParameters(w, r, e.config.Limits)
	if no != nil {
		return parameters{}, no
	}
	// A slow request takes no one's place before it is here.
	if !e.slots.take() {
		w.Header().Set("Retry-After", "1")
		return parameters{}, refuse(http.StatusServiceUnavailable, codeUnavailable, "The gateway is busy. Send the operation again.")
	}
	return params, nil
}

// load makes an operation of the parameters that could be executed.
func (e *endpoint) load(r *http.Request, params parameters, line *operationLine) (request, *refusal) {
	document, no := e.source.load(&params)
	if no != nil {
		return request{}, no.to(r.Header.Values("Accept"))
	}
	operation, no := selectOperation(document, params.operationName)
	if no != nil {
		return request{}, no
	}
	line.name, line.kind = operation.Name, string(operation.Operation)
	if operation.Operation != ast.Query && r.Method != http.MethodPost {
		return request{}, refuseMethod(http.MethodPost, "Send mutations by POST.")
	}
	params.variables, no = coerceVariables(e.config.Schema.Schema(), operation, params.variables)
	if no != nil {
		return request{}, no
	}
	return request{params, r.Header, document, operation, clientAddress(r, e.config.TrustedProxies)}, nil
}
