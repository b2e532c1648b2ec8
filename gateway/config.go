package gateway

import (
	"context"
	"fmt"
	"io/fs"
	"log/slog"
	"net/http"
	"net/netip"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/defaults"
	"github.com/partita/partita/gateway/playground"
	"github.com/partita/partita/live"
	"github.com/partita/partita/plan"
	"github.com/partita/partita/replicas"
	"github.com/partita/partita/viewer"
)

// Config is what a gateway serves and how.
type Config struct {
	// Schema is the schema to serve. Required.
	Schema graphql.ExecutableSchema
	// Engine compiles, prices and reads operations. Without it, there is no table: gqlgen executes all operations but
	// introspection, and they read nothing.
	Engine Engine
	// AlwaysGqlgen executes by gqlgen also the operations that the engine can answer by itself.
	AlwaysGqlgen bool
	// Authenticate returns the viewer of a request; without it, all callers are anonymous. The message of an error with a
	// Code method is sent to the caller; any other error is only logged. If an error also has a Challenge method, its
	// result becomes the header WWW-Authenticate.
	Authenticate func(*http.Request) (viewer.Viewer, error)
	// OnKeys calls a function whenever Authenticate may no longer trust a request that it has trusted, until stop is
	// called. Connections that stay open are then verified again. Without it, that never happens.
	OnKeys func(func()) (stop func())
	// NeedsTenant rejects the operations of viewers without a tenant, except for introspection: the table has tenants.
	NeedsTenant bool
	// Budget limits what one caller may consume over time; none by default.
	Budget Budget
	// AnonymousMutations limits the mutations of callers without a token; none by default.
	AnonymousMutations AnonymousMutations
	// SharedStore has the budgets, so that replicas with the same store share them; nil keeps them in this process.
	SharedStore *replicas.Store
	// TrustedProxies are the networks of the proxies whose X-Forwarded-For has the address of an anonymous caller.
	TrustedProxies []netip.Prefix
	// Ready returns an error if operations cannot be answered at present. It must return when ctx ends. The message of an
	// error with a Code method is in the response of /readyz; any other error is only logged.
	Ready func(ctx context.Context) error
	// Logger gets one line for each operation. The default is slog.Default().
	Logger *slog.Logger
	// Observer observes each operation; nil for none.
	Observer Observer
	// Live has the changes of the table, for subscriptions; without it, there are none.
	Live *live.Hub
	// Metrics answers GET /metrics; nil leaves it out. It has no authentication.
	Metrics http.Handler
	// Playground is the page at /.
	Playground Playground
	// Table is the page at /table.
	Table TablePage
	// Manifest lists the operations that may be executed; without it, all may that are within the limits.
	Manifest *Manifest
	// AllowedHosts are the hosts that requests may be addressed to, except for /healthz and /readyz; all by default.
	AllowedHosts Hosts
	// CORSOrigins are the other origins whose pages may use the gateway.
	CORSOrigins Origins
	// CORSHeaders are further request headers that these pages may send.
	CORSHeaders HeaderNames
	// JSONStatus is the status of errors of operations in application/json; [JSONStatusOK] by default.
	JSONStatus JSONStatus
	// HSTS is how long browsers must use only https, in whole seconds: the header Strict-Transport-Security (RFC 6797).
	// Zero for no such header. The gateway itself has no TLS.
	HSTS time.Duration
	// Limits are limits on what one caller can make the gateway do.
	Limits
	// Streams are limits on connections that stay open, and on subscriptions.
	Streams StreamLimits
	// WithoutStreams rejects WebSockets and subscriptions, because a response is sent as a whole, as on AWS Lambda.
	WithoutStreams bool
	// DisableIntrospection rejects operations that select __schema or __type.
	DisableIntrospection bool
	// DisableSuggestions removes suggestions for misspelled names of the schema from errors.
	DisableSuggestions bool

	// hasTable is set if there is an Engine.
	hasTable bool
	// api is Schema as clients see it.
	api *ast.Schema
	// subscribe begins a subscription.
	subscribe func(ctx context.Context, e *endpoint, req request) (feed, *requestError)
}

// Playground configures the page at /.
type Playground struct {
	// Disabled removes the page.
	Disabled bool
	// Tabs are those of the editor at the first visit. Without any, they follow from the schema, see
	// [playground.Starters].
	Tabs []playground.Tab
	// Identities returns those among which a visitor can choose. It is called for each visit from this machine, and for
	// no other: they may have tokens. Nil for none.
	Identities func() []playground.Identity
	// Files are the page and its assets, from [playground.Open]; nil for those that are embedded.
	Files fs.FS
	// Changes answers GET /changes with server-sent events, from which the page learns that the schema has changed. Nil
	// for a schema that does not change.
	Changes http.Handler
}

// identities returns those of the page for a visit.
func (c Config) identities(r *http.Request) []playground.Identity {
	if c.Playground.Identities == nil || !isFromThisMachine(r, c.TrustedProxies) {
		return nil
	}
	return c.Playground.Identities()
}

func (c Config) withDefaults() Config {
	c.api = plan.API(c.Schema.Schema())
	c.hasTable = c.Engine != nil
	if c.Engine == nil {
		c.Engine = withoutTable(c.api)
	}
	if c.Authenticate == nil {
		c.Authenticate = func(*http.Request) (viewer.Viewer, error) { return viewer.Viewer{}, nil }
	}
	if c.OnKeys == nil {
		c.OnKeys = func(func()) (stop func()) { return func() {} }
	}
	if c.Ready == nil {
		c.Ready = func(context.Context) error { return nil }
	}
	if c.Logger == nil {
		c.Logger = slog.Default()
	}
	if c.Observer == nil {
		c.Observer = noopObserver{}
	}
	if err := defaults.Apply(&c.Limits); err != nil {
		panic(fmt.Errorf("gateway: %w", err))
	}
	c.Limits = c.Limits.Derive(AvailableResources())
	if err := defaults.Apply(&c.Streams); err != nil {
		panic(fmt.Errorf("gateway: %w", err))
	}
	c.Streams = c.Streams.Derive(AvailableResources())
	if c.subscribe == nil {
		c.subscribe = subscribeToChanges
	}
	return c
}
