package operation

import (
	"context"
	"net/http"
	"slices"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/gateway/document"
	"github.com/partita/partita/internal/plan"
	"github.com/partita/partita/loaders"
)

// Config is what operations are executed with.
type Config struct {
	// Schema is the schema to serve, and API the one that clients see.
	Schema graphql.ExecutableSchema
	API    *ast.Schema
	// Engine compiles, authorizes and reads operations. Without HasTable, it has no table and no access rules: resolvers
	// authorize.
	Engine   *loaders.Engine
	HasTable bool
	// Meter has the prices and the costs of operations.
	Meter Meter
	// AlwaysGqlgen executes by gqlgen also the operations that the engine can answer by itself.
	AlwaysGqlgen bool
	// Callers are who sends operations, and Consumption is what they may consume over time.
	Callers     Callers
	Consumption Consumption
	// Limits are limits on what one caller can make the gateway do.
	Limits
	// Documents are which operations may be executed, beside the limits.
	Documents document.Settings
	// Observer observes each operation.
	Observer Observer
}

// A Meter measures operations: the Engine, or what a test has instead. Its methods may be called concurrently.
type Meter interface {
	// Price returns what an operation consumes at worst. The error is a price.LimitError if that is too much.
	Price(ctx context.Context, b *plan.Bound) (plan.Price, error)
	// Cost returns what the operation of a context has consumed.
	Cost(ctx context.Context) loaders.Cost
}

// ServesPlan reports whether the gateway serves /plan. A plan contains keys, which are no more public than the schema.
func (c Config) ServesPlan() bool { return c.HasTable && !c.Documents.DisableIntrospection }

// planHeader requests what each Read of the plan has consumed, in extensions.plan of the response, if its value is
// planMeasured and the gateway serves /plan. The ids of the Reads are those of the plan that /plan returns for the same
// Request.
const (
	planHeader   = "Partita-Plan"
	planMeasured = "measured"
)

// RequestHeaders are the names of the request headers on which answers depend.
func (c Config) RequestHeaders() []string {
	headers := c.Engine.RequestHeaders()
	if c.ServesPlan() {
		headers = append(slices.Clone(headers), planHeader)
	}
	return headers
}

// IsMeasured reports whether a response has what each Read of the plan has consumed.
func (c Config) IsMeasured(header http.Header) bool {
	return header.Get(planHeader) == planMeasured && c.ServesPlan()
}
