package gateway_test

import (
	"context"
	"net/http"
	"testing"

	"github.com/99designs/gqlgen/graphql"

	"github.com/partita/partita/internal/gateway"
	"github.com/partita/partita/internal/gateway/internal/testschema"
	"github.com/partita/partita/internal/gateway/operation"
	"github.com/partita/partita/internal/gateway/response"
	"github.com/partita/partita/internal/plan"
	"github.com/partita/partita/loaders"
	"github.com/partita/partita/viewer"
)

type executable = graphql.ExecutableSchema

// engine is the default Engine, which has no table, with what a test sets instead.
type engine struct {
	operation.Engine
	headers []string
	bound   func(*plan.Plan, map[string]any)
	price   func() (plan.Price, error)
	// begin returns the context in which an operation is executed.
	begin func(context.Context) context.Context
	cost  func(context.Context) loaders.Cost
}

// withEngine sets the Engine of a configuration and returns it.
func withEngine(c *gateway.Config) *engine {
	e := &engine{Engine: gateway.WithoutTable(c.Schema.Schema())}
	c.Engine = e
	return e
}

func (e *engine) RequestHeaders() []string { return e.headers }

func (e *engine) Bind(p *plan.Plan, variables map[string]any, v viewer.Viewer, header http.Header) *plan.Bound {
	if e.bound != nil {
		e.bound(p, variables)
	}
	return e.Engine.Bind(p, variables, v, header)
}

func (e *engine) Price(b *plan.Bound) (plan.Price, error) {
	if e.price != nil {
		return e.price()
	}
	return e.Engine.Price(b)
}

func (e *engine) Begin(ctx context.Context, b *plan.Bound) context.Context {
	if e.begin != nil {
		ctx = e.begin(ctx)
	}
	return e.Engine.Begin(ctx, b)
}

func (e *engine) Cost(ctx context.Context) loaders.Cost {
	if e.cost != nil {
		return e.cost(ctx)
	}
	return e.Engine.Cost(ctx)
}

func TestEngineRejectsAnOperation(t *testing.T) {
	for code, status := range map[string]int{
		"THROTTLED":       http.StatusTooManyRequests,
		"UNAUTHENTICATED": http.StatusUnauthorized,
		"FORBIDDEN":       http.StatusForbidden,
		"UNAVAILABLE":     http.StatusServiceUnavailable,
		"BAD_USER_INPUT":  http.StatusUnprocessableEntity,
	} {
		c, _ := config(t)
		e := withEngine(&c)
		e.price = func() (plan.Price, error) {
			return plan.Price{ReadUnits: 7}, testschema.CodedError{Text: "No.", ErrorCode: code}
		}
		e.begin = func(ctx context.Context) context.Context {
			t.Errorf("%s: the operation is executed", code)
			return ctx
		}
		a := post(t, serve(t, c), `{ __typename }`, nil)
		if a.status != status || a.code() != code || a.result.Data != nil || a.result.Errors[0].Message != "No." {
			t.Errorf("%s: got %d %s, want %d", code, a.status, a.body, status)
		}
		if cost := a.result.Extensions.Cost; cost == nil || *cost != (response.Cost{EstimatedReadUnits: 7}) {
			t.Errorf("%s: the cost is %+v", code, cost)
		}
	}
}
