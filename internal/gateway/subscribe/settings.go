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

// A Feed is a subscription: its first state, and then its events. Its methods are called by one goroutine at a time.
type Feed interface {
	// Notify sets a function that is called whenever Next may return more than it did before, and does not block, and one
	// that Next calls before it waits for anything.
	Notify(ready, blocks func())
	// Next returns the next answer, if there is one. An error ends the subscription.
	Next(ctx context.Context) (answer response.Result, isAny bool, err *response.Error)
	Close(ctx context.Context)
}
