package gateway

import (
	"context"
	"io/fs"
	"log/slog"
	"net/http"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/gateway/agents"
	"github.com/partita/partita/internal/gateway/browser"
	"github.com/partita/partita/internal/gateway/document"
	"github.com/partita/partita/internal/gateway/operation"
	"github.com/partita/partita/internal/gateway/playground"
	"github.com/partita/partita/internal/gateway/subscribe"
	"github.com/partita/partita/internal/plan"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/loaders"
	"github.com/partita/partita/viewer"
)

// Config is what a gateway serves and how.
type Config struct {
	// Schema is the schema to serve. Required.
	Schema graphql.ExecutableSchema
	// Engine compiles, prices and reads operations. Without it, there is no table: gqlgen executes all operations but
	// introspection, and they read nothing.
	Engine *loaders.Engine
	// Meter has the prices and the costs of operations, the Engine by default.
	Meter operation.Meter
	// AlwaysGqlgen executes by gqlgen also the operations that the engine can answer by itself.
	AlwaysGqlgen bool
	// Callers are who sends operations, and Consumption is what they may consume over time.
	Callers     operation.Callers
	Consumption operation.Consumption
	// Limits are limits on what one caller can make the gateway do.
	operation.Limits
	// Documents are which operations may be executed, beside the limits.
	Documents document.Settings
	// Subscriptions are those of the gateway, and the connections that stay open for them.
	Subscriptions subscribe.Settings
	// Browser is what browsers may do. Its hosts are not for /healthz and /readyz.
	Browser browser.Rules
	// Playground is the page at /.
	Playground Playground
	// Table is the page at /table.
	Table TablePage
	// Design is the page at /design, which is served where /plan is; nil for none. Fields, too, are served there.
	Design DesignPage
	Fields FieldFacts
	// Agents is what agents are offered at /mcp; nothing by default.
	Agents agents.Config
	// Monitoring is what observes the gateway.
	Monitoring Monitoring
	// hasTable is set if there is an Engine.
	hasTable bool
	// api is Schema as clients see it.
	api *ast.Schema
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
	// SignIn returns how visitors sign in, nil if they cannot. Nil for a gateway without an identity provider.
	SignIn func(*http.Request) *playground.SignIn
	// TenantClaim is the claim of a token whose value the pages show as the tenant; "" without tenants.
	TenantClaim string
	// Files are the page and its assets, from [playground.Open]; nil for those that are embedded.
	Files fs.FS
	// Changes answers GET /changes with server-sent events, from which the page learns that the schema has changed. Nil
	// for a schema that does not change.
	Changes http.Handler
}

// identities returns those of the page for a visit.
func (c Config) identities(r *http.Request) []playground.Identity {
	if c.Playground.Identities == nil || !operation.IsFromThisMachine(r, c.Callers.TrustedProxies) {
		return nil
	}
	return c.Playground.Identities()
}

// executor returns what operations are executed with.
func (c Config) executor() operation.Config {
	return operation.Config{
		Schema: c.Schema, API: c.api, Engine: c.Engine, HasTable: c.hasTable, Meter: c.Meter, AlwaysGqlgen: c.AlwaysGqlgen,
		Callers: c.Callers, Consumption: c.Consumption, Limits: c.Limits, Documents: c.Documents,
		Observer: c.Monitoring.Observer,
	}
}

func (c Config) withDefaults() Config {
	c.api = plan.API(c.Schema.Schema())
	c.hasTable = c.Engine != nil
	if c.Engine == nil {
		c.Engine = loaders.New(design.MustDesign(nil, nil, nil), c.api, nil, loaders.Options{})
	}
	if c.Meter == nil {
		c.Meter = c.Engine
	}
	if c.Callers.Authenticate == nil {
		c.Callers.Authenticate = func(*http.Request) (viewer.Viewer, error) { return viewer.Viewer{}, nil }
	}
	if c.Callers.OnKeys == nil {
		c.Callers.OnKeys = func(func()) (stop func()) { return func() {} }
	}
	if c.Monitoring.Ready == nil {
		c.Monitoring.Ready = func(context.Context) error { return nil }
	}
	if c.Monitoring.Logger == nil {
		c.Monitoring.Logger = slog.Default()
	}
	if c.Monitoring.Observer == nil {
		c.Monitoring.Observer = operation.NoObserver{}
	}
	c.Limits = c.Limits.WithDefaults().Derive(operation.AvailableResources())
	c.Subscriptions.Limits = c.Subscriptions.Limits.WithDefaults().Derive(operation.AvailableResources())
	return c
}
