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
	// Cost tells what an operation has cost, given the context in which it was executed. Without it every
	// response says zero.
	Cost func(ctx context.Context) Cost
	// Estimate tells what an operation takes at worst, before it is executed. Without it every response says zero.
	Estimate func(operation *graphql.OperationContext) Estimate
	// Plan tells what an operation would send to the table, as JSON, without sending it. POST /plan answers with it where operations may
	// ask for the schema, since it tells keys; nil leaves that out.
	Plan func(operation *graphql.OperationContext) any
	// Authenticate tells who sends a request; without it everybody is anonymous. An error with a Code method is shown to the
	// caller as it is, with what its Challenge method gives, if it has one, as the header WWW-Authenticate.
	Authenticate func(*http.Request) (viewer.Viewer, error)
	// Budget bounds what one caller may take of the table over time; none by default.
	Budget Budget
	// TrustedProxies are the addresses of proxies whose X-Forwarded-For says where an anonymous caller comes from.
	TrustedProxies []netip.Prefix
	// Ready tells why operations cannot be answered at present, or nil. It must return when ctx ends. An error with a Code method
	// is shown to the caller of /readyz as it is; any other goes to the log.
	Ready func(ctx context.Context) error
	// Logger gets one line for each operation. The default is slog.Default().
	Logger *slog.Logger
	// Observer is told of each operation; nil for none.
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
	// HSTS is for how long browsers shall use https alone (RFC 6797), to the second; zero does not say. The gateway itself has no TLS.
	HSTS time.Duration
	// Limits are limits on what one caller can make the gateway do.
	Limits
	// DisableIntrospection refuses __schema and __type.
	DisableIntrospection bool
	// DisableSuggestions keeps names of the schema that resemble a wrong one out of the errors.
	DisableSuggestions bool
}

// Playground configures the page at /.
type Playground struct {
	// Disabled takes the page away.
	Disabled bool
	// DefaultQuery is the document that a first visitor finds in the editor.
	DefaultQuery string
	// Headers are those that the page sends with operations until the visitor changes them, asked for with each visit; nil for
	// none.
	Headers func() map[string]string
	// Files are the page and its assets, from [playground.Open]; nil for those that are embedded.
	Files fs.FS
}

// Estimate is what an operation takes from the table at worst, in capacity units.
type Estimate struct{ ReadUnits, WriteUnits float64 }

// Cost is what an operation took from the table, as extensions.cost shows it.
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

// ThrottleStatus is how much a caller may take from the table, in read units. A write unit counts as [WriteUnitWeight] of them.
type ThrottleStatus struct {
	// MaximumAvailable is the most that can be there.
	MaximumAvailable float64 `json:"maximumAvailable"`
	// CurrentlyAvailable is what is there now; below zero when operations have consumed more than was estimated.
	CurrentlyAvailable float64 `json:"currentlyAvailable"`
	// RestoreRate is how much comes back each second.
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
		c.Observer = unobserved{}
	}
	if err := defaults.Apply(&c.Limits); err != nil {
		panic(fmt.Errorf("gateway: %w", err))
	}
	return c
}
