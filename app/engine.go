package app

import (
	"context"

	"github.com/99designs/gqlgen/graphql"

	"github.com/partita/partita/gateway"
	"github.com/partita/partita/loaders"
)

// UseEngine lets a gateway read by the engine, and limit, report and explain what operations cost. The two packages
// do not import each other.
func UseEngine(config *gateway.Config, engine *loaders.Engine) {
	config.Extensions = append(config.Extensions, engine)
	config.RequestHeaders = append(config.RequestHeaders, loaders.ConsistencyHeader)
	config.Cost = func(ctx context.Context) gateway.Cost {
		cost := loaders.CostOf(ctx)
		return gateway.Cost{
			ReadUnits: cost.ReadUnits, WriteUnits: cost.WriteUnits,
			Requests: cost.Requests, Retries: cost.Retries, Waves: cost.Waves,
		}
	}
	config.Estimate = func(operation *graphql.OperationContext) gateway.Estimate {
		estimate := loaders.EstimateOf(operation)
		return gateway.Estimate{ReadUnits: estimate.ReadUnits, WriteUnits: estimate.WriteUnits}
	}
	config.Plan = func(operation *graphql.OperationContext) any { return engine.Explain(operation) }
}
