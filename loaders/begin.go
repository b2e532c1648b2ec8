package loaders

import (
	"context"

	"github.com/partita/partita/internal/plan"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/request"
	"github.com/partita/partita/write"
)

// Begin returns the context in which an operation is executed. All its requests are those of the viewer's tenant, if
// there is one.
func (e *Engine) Begin(ctx context.Context, b *plan.Bound) context.Context {
	if tenant := b.Tenant(); tenant != "" {
		ctx = request.WithTenant(ctx, tenant)
	}
	s := &session{}
	s.current.Store(e.newOperation(ctx, b, e.newExecutor(ctx, b)))
	return write.NewContext(context.WithValue(ctx, sessionKey{}, s), store{s})
}

// BeginEvent is Begin for an event of a subscription with a condition. What is selected below the item is read at the
// present time.
func (e *Engine) BeginEvent(ctx context.Context, b *plan.Bound, c *design.Condition, event Event) context.Context {
	o := &occasion{Event: event, condition: c}
	if event.Kind != CurrentEvent {
		if b = b.OfEvent(); e.source != nil {
			b.Now = e.source.Now()
		}
		o.page = &Page{Items: []item.Item{event.Item}, partition: event.Partition, condition: c}
	}
	ctx = e.Begin(ctx, b)
	OperationOf(ctx).live = o
	return ctx
}

// Prefetch reads what does not depend on Go code in a query, before gqlgen's resolvers run. It must not be called for a
// mutation, whose reads follow its writes.
func (e *Engine) Prefetch(ctx context.Context) { OperationOf(ctx).Read() }
