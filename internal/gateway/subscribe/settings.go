package subscribe

import (
	"context"

	"github.com/partita/partita/internal/gateway/operation"
	"github.com/partita/partita/internal/gateway/response"
	"github.com/partita/partita/internal/live"
)

// Settings are those of a gateway, and the connections that stay open for them.
type Settings struct {
	// Live has the changes of the table; without it, there are no subscriptions.
	Live *live.Hub
	// Limits are limits on connections that stay open, and on subscriptions.
	Limits Limits
	// Disabled rejects WebSockets and subscriptions, because a response is sent as a whole, as on AWS Lambda.
	Disabled bool
	// Begin begins a subscription; nil for those of Live.
	Begin func(ctx context.Context, req operation.Request) (Feed, *response.Error)
}

// A Feed is a subscription: its first state, and then its events.
type Feed interface {
	// next waits for the next answer. An error ends the subscription.
	Next(ctx context.Context) (response.Result, *response.Error)
	Close(ctx context.Context)
}
