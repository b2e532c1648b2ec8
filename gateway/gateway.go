package gateway

import (
	"errors"
	"fmt"
	"maps"
	"net/http"
	"runtime/debug"
	"strings"
	"time"

	"github.com/partita/partita/gateway/playground"
)

// New returns the handler of a gateway: /graphql, the playground at /, /healthz and /readyz, and /plan and /metrics
// if the configuration has them.
//
// It panics if a limit is not valid or the page of the playground is damaged.
func New(config Config) http.Handler {
	config = config.withDefaults()
	mux := http.NewServeMux()
	refused := newRefusedPages(config)
	operations := newEndpoint(config, refused)
	seated := operations.shares.seated
	pages := newCORS(config, refused, http.MethodGet, http.MethodHead, http.MethodPost)
	mux.Handle("/graphql", pages.allow(seated(compress(operations))))
	if config.servesPlan() {
		pages := newCORS(config, refused, http.MethodPost)
		mux.Handle("POST /plan", pages.allow(seated(compress(planEndpoint{operations}))))
		mux.Handle("OPTIONS /plan", pages.allow(options(http.MethodOptions, http.MethodPost)))
	}
	mux.HandleFunc("GET "+pathHealth, serveHealth)
	mux.Handle("GET "+pathReady, newReadiness(config.Ready))
	if config.Metrics != nil {
		mux.Handle("GET /metrics", config.Metrics)
	}
	if !config.Playground.Disabled {
		settings := playground.Settings{
			Endpoint:     "/graphql",
			DefaultQuery: config.Playground.DefaultQuery,
			Headers:      config.pageHeaders,
			Files:        config.Playground.Files,
		}
		if config.servesPlan() {
			settings.Plan = "/plan"
		}
		if config.Playground.Changes != nil {
			settings.Changes = "/changes"
			mux.Handle("GET /changes", config.Playground.Changes)
		}
		page, err := playground.Handler(settings)
		if err != nil {
			panic(fmt.Errorf("gateway: the page is damaged: %w", err))
		}
		mux.Handle("GET /{$}", compress(page))
		mux.Handle("GET /assets/", page)
	}
	return withRequestID(config.Logger, secure(config.HSTS, config.AllowedHosts.restrict(mux)))
}

// options answers OPTIONS.
func options(methods ...string) http.HandlerFunc {
	allow := strings.Join(methods, ", ")
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Allow", allow)
		w.WriteHeader(http.StatusNoContent)
	}
}

// secure sets the headers of all responses. A panic outside of resolvers, which is a bug of the gateway, becomes a
// response with the status 500.
func secure(hsts time.Duration, next http.Handler) http.Handler {
	headers := secureHeaders(hsts)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		maps.Copy(w.Header(), headers)
		defer func() {
			cause := recover()
			if cause == nil {
				return
			}
			if err, ok := cause.(error); ok && errors.Is(err, http.ErrAbortHandler) {
				panic(cause)
			}
			logger(r.Context()).ErrorContext(r.Context(), "panic",
				"panic", fmt.Sprint(cause), "stack", string(debug.Stack()))
			writeRequestError(w, r, internalError(r.Context()))
		}()
		next.ServeHTTP(w, r)
	})
}
