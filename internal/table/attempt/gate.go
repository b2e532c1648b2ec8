package attempt

import (
	"context"
	"time"

	"github.com/partita/partita/request"
)

// Gate is what each attempt at a call passes.
type Gate interface {
	// Pass waits until the attempt may be sent, and returns for how long. With an error, the call ends.
	Pass(context.Context) (waited time.Duration, err error)
	// Throttled is called after an attempt that was throttled.
	Throttled(request.Throttle)
}

type gateKey struct{}

// WithGate returns the context of a call whose attempts pass a Gate.
func WithGate(ctx context.Context, g Gate) context.Context {
	return context.WithValue(ctx, gateKey{}, g)
}

// NewCounter returns the Counter of a call in its context.
func NewCounter(ctx context.Context) Counter {
	g, _ := ctx.Value(gateKey{}).(Gate)
	return Counter{gate: g}
}

// Pass waits until the next attempt may be sent. With an error, the call ends.
func (c *Counter) Pass(ctx context.Context) error {
	if c.gate == nil {
		return nil
	}
	waited, err := c.gate.Pass(ctx)
	c.waited += waited
	if err != nil {
		c.last = err
	}
	return err
}
