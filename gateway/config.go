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

	"github.com/partita/partita/defaults"
	"github.com/partita/partita/viewer"
)

// Config is what a gateway serves and how.
type Config struct {
	// Schema is the schema to serve. Required.
	Schema graphql.ExecutableSchema
	// Extensions hook into each operation, in this order, the first one outermost.
	Extensions []graphql.HandlerExtension
	// Cost returns what an operation has cost, given the context in which it was executed. Without it, the cost in every
	// response is zero.
	Cost func(ctx context.Context) Cost
	// Estimate returns what an operation consumes at worst, before it is executed. Without it, every estimate is zero.
	Estimate func(operation *graphql.OperationContext) Estimate
	// Plan returns what an operation would send to the table, as JSON, without sending it. POST /plan answers with it if
	// introspection is enabled, since a plan contains keys; nil for no such endpoint.
	Plan func(operation *graphql.OperationContext) any
	// Authenticate returns who sends a request; without it, all callers are anonymous. The caller sees an error with a Code
	// method as it is. If the error has a Challenge method, its result becomes the header WWW-Authenticate.
	Authenticate func(*http.Request) (viewer.Viewer, error)
	// Budget limits what one caller may consume over time; none by default.
	Budget Budget
	// TrustedProxies are the networks of proxies whose X-Forwarded-For is used for the address of an anonymous caller.
	TrustedProxies []netip.Prefix
	// Ready returns an error if operations cannot be answered at present. It must return when ctx ends. The caller of /readyz
	// sees an error with a Code method as it is; any other is only logged.
	Ready func(ctx context.Context) error
	// Logger gets one line for each operation. The default is slog.Default().
	Logger *slog.Logger
	// Observer observes each operation; nil for none.
	Observer Observer
	// Metrics answers GET /metrics; nil leaves it out. It has no authentication.
	Metrics http.Handler
	// Playground is the page at /.
	Playground Playground
	// Manifest lists the operations to execute; without it, all are that pass the limits.
	Manifest *Manifest
	// CORSOrigins are the other origins whose pages may use the gateway.
	CORSOrigins Origins
	// RequestHeaders are the names of the request headers that Extensions read. Pages of CORSOrigins may send them; an
	// answer to a request that has one is not kept in caches.
	RequestHeaders []string
	// HSTS is how long browsers must use only https (RFC 6797), in whole seconds; zero for no such header. The gateway itself
	// has no TLS.
	HSTS time.Duration
	// Limits are limits on what one caller can make the gateway do.
	Limits
	// DisableIntrospection makes __schema and __type errors.
	DisableIntrospection bool
	// DisableSuggestions keeps names of the schema that resemble a wrong one out of the errors.
	DisableSuggestions bool
}

// Playground configures the page at /.
type Playground struct {
	// Disabled removes the page.
	Disabled bool
	// DefaultQuery is the document in the editor at the first visit.
	DefaultQuery string
	// Headers returns the headers that the page sends with operations until the visitor changes them. It is called at each
	// visit; nil for none.
	Headers func() map[string]string
	// Files are the page and its assets, from [playground.Open]; nil for those that are embedded.
	Files fs.FS
}

// Estimate is what an operation consumes at worst, in capacity units.
type Estimate struct{ ReadUnits, WriteUnits float64 }

// Cost is what an operation has consumed, as in extensions.cost.
type Cost struct {
	// EstimatedReadUnits is how many ReadUnits it could have been at worst.
	EstimatedReadUnits float64 `json:"estimatedReadUnits"`
	// ReadUnits is the number of read capacity units consumed.
	ReadUnits float64 `json:"readUnits"`
	// WriteUnits is the number of write capacity units consumed, by a mutation.
	WriteUnits float64 `json:"writeUnits"`
	// Requests is the number of DynamoDB requests: further pages and repeated batches count, another attempt at the same
	// request does not.
	Requests int `json:"requests"`
	// Retries is the number of attempts beyond the first of each request.
	Retries int `json:"retries"`
	// Waves is the number of round trips that waited for each other.
	Waves int `json:"waves"`
	// ThrottleStatus is the caller's budget; nil when there is none.
	ThrottleStatus *ThrottleStatus `json:"throttleStatus"`
}

// ThrottleStatus is a caller's budget, in read units. A write unit counts as [WriteUnitWeight] of them.
type ThrottleStatus struct {
	// MaximumAvailable is the size of the budget.
	MaximumAvailable float64 `json:"maximumAvailable"`
	// CurrentlyAvailable is what is left; below zero if operations have consumed more than was estimated.
	CurrentlyAvailable float64 `json:"currentlyAvailable"`
	// RestoreRate is how much is added each second.
	RestoreRate float64 `json:"restoreRate"`
}

func (c Config) withDefaults() Config {
	if c.Cost == nil {
		c.Cost = func(context.Context) Cost { return Cost{} }
	}
	if c.Estimate == nil {
		c.Estimate = func(*graphql.OperationContext) Estimate { return Estimate{} }
	}
	if c.Authenticate == nil {
		c.Authenticate = func(*http.Request) (viewer.Viewer, error) { return viewer.Viewer{}, nil }
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
	return c
}
