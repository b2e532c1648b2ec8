package gateway

import (
	"errors"
	"fmt"
	"maps"
	"net/http"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/partita/partita/internal/gateway/agents"
	"github.com/partita/partita/internal/gateway/browser"
	"github.com/partita/partita/internal/gateway/logging"
	"github.com/partita/partita/internal/gateway/operation"
	"github.com/partita/partita/internal/gateway/playground"
	"github.com/partita/partita/internal/gateway/response"
)

// New returns the handler of a gateway: /graphql, the playground at /, /healthz and /readyz, and /plan, /design,
// /table, /mcp and /metrics if the configuration has them.
//
// It panics if a limit is not valid or the page of the playground is damaged.
func New(config Config) http.Handler {
	config = config.withDefaults()
	mux := http.NewServeMux()
	guard := browser.NewGuard(config.Browser)
	operations := newEndpoint(config, guard)
	seated := operations.Shares.Seated
	pages := guard.Sharing(operations.RequestHeaders(), http.MethodGet, http.MethodHead, http.MethodPost)
	mux.Handle("/graphql", pages.Allow(seated(operations.streams.Upgrades(response.Compress(operations)))))
	if operations.ServesPlan() {
		pages := guard.Sharing(operations.RequestHeaders(), http.MethodPost)
		mux.Handle("POST /plan", pages.Allow(seated(response.Compress(planEndpoint{operations}))))
		mux.Handle("OPTIONS /plan", pages.Allow(options(http.MethodOptions, http.MethodPost)))
	}
	served := config.addAgents(mux, operations, guard)
	mux.HandleFunc("GET "+pathHealth, serveHealth)
	mux.Handle("GET "+pathReady, newReadiness(config.Monitoring.Ready))
	if config.Monitoring.Metrics != nil {
		mux.Handle("GET "+pathMetrics, config.Monitoring.Metrics)
		if config.Monitoring.Keys != nil {
			mux.Handle("GET "+pathKeys, forThisMachine(config.Callers.TrustedProxies, config.Monitoring.Keys))
		}
	}
	if config.Table.Reader != nil {
		mux.Handle("POST "+pathTable+"/{question}", seated(response.Compress(tableEndpoint{operations})))
	}
	config.addPages(mux, operations.ServesPlan(), served)
	return withRequestID(config.Monitoring.Logger, secure(config.Browser.HSTS,
		config.Browser.AllowedHosts.Restrict(newRouter(mux, pages), pathHealth, pathReady)))
}

// Agents returns the tools of a gateway, for an agent that does not come over HTTP. It panics as New does.
func Agents(config Config) *agents.Service {
	config = config.withDefaults()
	e := newEndpoint(config, browser.NewGuard(config.Browser))
	return agents.New(config.Agents, e.streams)
}

// addAgents adds /mcp, and where callers get tokens for it. It returns nil if there are no tools.
func (c Config) addAgents(mux *http.ServeMux, operations *endpoint, guard *browser.Guard) *agents.Service {
	if c.Agents.Tools == nil {
		return nil
	}
	served := agents.New(c.Agents, operations.streams)
	headers := append(slices.Clone(operations.RequestHeaders()), agents.RequestHeaders...)
	pages := guard.Sharing(headers, http.MethodPost, http.MethodDelete)
	mux.Handle(agents.Path, pages.Allow(operations.Shares.Seated(served.Handler(guard.CheckForgery))))
	mux.Handle(agents.MetadataPath, served.Metadata())
	mux.Handle(agents.MetadataPath+agents.Path, served.Metadata())
	return served
}

// addSessions adds the sessions of agents, which visitors of this machine see.
func (c Config) addSessions(mux *http.ServeMux, served *agents.Service, links []playground.Link) {
	trusted := c.Callers.TrustedProxies
	shown, closed := forThisMachine(trusted, served.Sessions(links)), agents.ClosedSessions(links)
	mux.Handle("GET "+agents.SessionsPath, response.Compress(http.HandlerFunc(
		func(w http.ResponseWriter, r *http.Request) {
			if agents.WantsPage(r) && !operation.IsFromThisMachine(r, trusted) {
				closed.ServeHTTP(w, r)
				return
			}
			shown.ServeHTTP(w, r)
		})))
}

// options answers OPTIONS.
func options(methods ...string) http.HandlerFunc {
	allow := strings.Join(methods, ", ")
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Allow", allow)
		w.WriteHeader(http.StatusNoContent)
	}
}

// tabs returns those of the playground: without examples, those that follow from the schema, if visitors may see it.
func (c Config) tabs() []playground.Tab {
	if len(c.Playground.Tabs) > 0 || c.Documents.DisableIntrospection {
		return c.Playground.Tabs
	}
	return playground.Starters(c.api)
}

// addPages adds the playground, and the pages at /design, /table, /figures and /mcp/sessions, as far as the
// configuration has them.
func (c Config) addPages(mux *http.ServeMux, plan bool, served *agents.Service) {
	settings := playground.Settings{
		Endpoint:    "/graphql",
		Tabs:        c.tabs(),
		Identities:  c.identities,
		SignIn:      c.Playground.SignIn,
		TenantClaim: c.Playground.TenantClaim,
		Files:       c.Playground.Files,
	}
	if plan {
		settings.Plan = "/plan"
	}
	if c.Table.Reader != nil {
		settings.Table = pathTable
	}
	if !c.Playground.Disabled {
		settings.Playground = "/"
		if c.Playground.Changes != nil {
			settings.Changes = "/changes"
			mux.Handle("GET /changes", c.Playground.Changes)
		}
	}
	if c.Monitoring.Metrics != nil {
		settings.Metrics, settings.Figures = pathMetrics, pathFigures
	}
	if plan && c.Design != nil {
		settings.Design = pathDesign
	}
	if served != nil {
		settings.Sessions = agents.SessionsPath
		c.addSessions(mux, served, settings.Links(agents.SessionsPath))
	}
	if settings.Design != "" {
		mux.Handle("GET "+pathDesign, c.Design.handler(settings.Links(pathDesign)))
	}
	if plan && c.Fields != nil && settings.Playground != "" {
		settings.Fields = pathFields
		mux.Handle("GET "+pathFields, response.Compress(c.Fields.handler()))
	}
	if settings.Playground == "" && settings.Table == "" && settings.Figures == "" {
		return
	}
	pages, err := playground.Handler(settings)
	if err != nil {
		panic(fmt.Errorf("gateway: a page is damaged: %w", err))
	}
	if settings.Playground != "" {
		mux.Handle("GET /{$}", response.Compress(pages))
	}
	if settings.Table != "" {
		mux.Handle("GET "+pathTable, response.Compress(pages))
	}
	if settings.Figures != "" {
		mux.Handle("GET "+pathFigures, response.Compress(pages))
	}
	mux.Handle("GET /assets/", pages)
}

// secure sets the headers of all responses. A panic outside of resolvers, which is a bug of the gateway, becomes a
// response with the status 500.
func secure(hsts time.Duration, next http.Handler) http.Handler {
	headers := browser.SecureHeaders(hsts)
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
			logging.Logger(r.Context()).ErrorContext(r.Context(), "panic",
				"panic", fmt.Sprint(cause), "stack", string(debug.Stack()))
			response.WriteError(w, r, response.Internal(r.Context()))
		}()
		next.ServeHTTP(w, r)
	})
}
