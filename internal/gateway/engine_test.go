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
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/loaders"
)

type executable = graphql.ExecutableSchema

// meter is the Meter of a real Engine, with what a test has instead.
type meter struct {
	operation.Meter
	price func(*plan.Bound) (plan.Price, error)
	// cost is called after an operation has been executed, in its context.
	cost func(context.Context) loaders.Cost
}

// withEngine sets the Engine of a configuration, which has a design without types, and returns its Meter.
func withEngine(c *gateway.Config) *meter {
	touch := &design.FieldRule{Parent: "Mutation", Name: "touch", Rule: &design.Rule{SignedIn: true}}
	c.Engine = loaders.New(design.MustDesign(nil, nil, nil, touch), c.Schema.Schema(), nil, loaders.Options{})
	m := &meter{Meter: c.Engine}
	c.Meter = m
	return m
}

func (m *meter) Price(ctx context.Context, b *plan.Bound) (plan.Price, error) {
	if m.price != nil {
		return m.price(b)
	}
	return m.Meter.Price(ctx, b)
}

func (m *meter) Cost(ctx context.Context) loaders.Cost {
	if m.cost != nil {
		return m.cost(ctx)
	}
	return m.Meter.Cost(ctx)
}

// costing is a price that is always the same.
func costing(p plan.Price) func(*plan.Bound) (plan.Price, error) {
	return func(*plan.Bound) (plan.Price, error) { return p, nil }
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
		e.price = func(*plan.Bound) (plan.Price, error) {
			return plan.Price{ReadUnits: 7}, testschema.CodedError{Text: "No.", ErrorCode: code}
		}
		e.cost = func(context.Context) loaders.Cost {
			t.Errorf("%s: the operation is executed", code)
			return loaders.Cost{}
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
