package operation

import (
	"context"
	"net/http"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/plan"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/loaders"
	"github.com/partita/partita/viewer"
)

// Engine compiles, prices and reads operations. It is a *loaders.Engine; tests replace some of its methods. Its methods
// may be called concurrently.
type Engine interface {
	// Compile returns the plans of a valid document.
	Compile(doc *ast.QueryDocument) *plan.Document
	// RequestHeaders are the names of the request headers that Bind reads. Pages of Config.CORSOrigins may send them,
	// and responses to requests with one of them are not cached.
	RequestHeaders() []string
	// Bind binds a plan to the coerced variables of a request.
	Bind(p *plan.Plan, variables map[string]any, v viewer.Viewer, header http.Header) *plan.Bound
	// Price returns what an operation consumes at worst. The error is a price.LimitError if that is too much.
	Price(b *plan.Bound) (plan.Price, error)
	// Begin returns the context in which an operation is executed.
	Begin(ctx context.Context, b *plan.Bound) context.Context
	// Prefetch reads what does not depend on Go code in the query of a context, before gqlgen's resolvers run.
	Prefetch(ctx context.Context)
	// InterceptField authorizes a field that gqlgen resolves.
	InterceptField(ctx context.Context, next graphql.Resolver) (any, error)
	// Cost returns what the operation of a context has consumed.
	Cost(ctx context.Context) loaders.Cost
	// LiveCondition returns the key condition of a subscription. The error is the one of its field.
	LiveCondition(b *plan.Bound) (*design.Condition, error)
	// BeginEvent is Begin for the first state or an event of a subscription.
	BeginEvent(ctx context.Context, b *plan.Bound, c *design.Condition, e loaders.Event) context.Context
	// State returns the state that the operation of a context has read, and FirstOf the object in it of a field that
	// returns the first item of a Query.
	State(ctx context.Context) loaders.State
	FirstOf(b *plan.Bound, c *design.Condition, s loaders.State) loaders.First
	// EventOf returns the event of a change for the viewer of a subscription, and Follow that for a field that returns the
	// first item of a Query.
	EventOf(ctx context.Context, b *plan.Bound, c *design.Condition, i loaders.Images) (e loaders.Event, isAny bool)
	Follow(ctx context.Context, b *plan.Bound, c *design.Condition, f *loaders.First, i loaders.Images) (
		e loaders.Event, isAny, isLost bool)
	// Measured returns what the Reads of the plan of the context's operation have consumed; nil unless the operation was
	// bound with plan.Bound.Measured.
	Measured(ctx context.Context) *loaders.Measured
}

// WithoutTable returns the engine of a schema without directives. It has no access rules: its resolvers authorize.
func WithoutTable(schema *ast.Schema) Engine {
	return noTable{loaders.New(design.MustDesign(nil, nil, nil), schema, nil, loaders.Options{})}
}

type noTable struct{ Engine }

// InterceptField implements Engine.
func (noTable) InterceptField(ctx context.Context, next graphql.Resolver) (any, error) {
	return next(ctx)
}
