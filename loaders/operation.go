package loaders

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/graph-gophers/dataloader/v7"
	"golang.org/x/sync/semaphore"

	"github.com/partita/partita/internal/plan"
	"github.com/partita/partita/internal/plan/price"
	"github.com/partita/partita/internal/share"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
)

// Operation executes the Reads of one GraphQL operation.
type Operation struct {
	bound  *plan.Bound
	engine *Engine
	ctx    context.Context
	exec   *executor
	// live is what an operation of a subscription is about; nil for other operations.
	live *occasion
	// root is the object of the root type, once it has been read; that of mutations has the payload of the last one.
	root Instance
	// written are the objects that a mutation has written, which need no request.
	written []item.Item
	// loader reads what resolvers ask for that was not read before them. It is made when it is first needed.
	loader  *dataloader.Loader[*load, *Value]
	loading sync.Once
	// deciding is held while members are read for a resolver.
	deciding sync.Mutex
	// cache is that of the loader.
	cache loadCache
	// reads is how many distinct Reads the operation has registered.
	reads atomic.Int64
	// answered is how many objects are in the answer so far.
	answered atomic.Int64
}

// Bound returns the operation's plan.
func (op *Operation) Bound() *plan.Bound { return op.bound }

// paceObjects is how many objects are planned, read or written between two looks whether other callers need the CPUs.
const paceObjects = 32

// A Pace gives up the turn on the CPUs within a large answer, again and again, while other callers need it. One
// goroutine uses it.
type Pace struct{ steps int }

// Step is called for each object that an operation plans, reads or writes.
func (p *Pace) Step(op *Operation) {
	if p.steps++; p.steps%paceObjects == 0 {
		op.exec.turn.Yield(op.ctx)
	}
}

// setState sets the state of a Read, and returns it. It has failed if the operation has as many Reads as
// Options.MaxReads. It is done if the operation has written the item.
func (op *Operation) setState(s *state, key keys.Key, ranged *plan.Read) *state {
	s.key, s.ranged = key, ranged
	for _, it := range op.written {
		if ranged == nil && keys.KeyOf(it) == key {
			s.items, s.done = []item.Item{it}, true
			return s
		}
	}
	if op.reads.Add(1) > int64(op.engine.options.MaxReads) {
		s.err, s.done = tooLarge(), true
	}
	return s
}

// checked marks the Reads of a request as done. A tombstone or an expired item of a Get is no item. It logs items that
// are larger than their type allows.
func (op *Operation) checked(req plannedRequest) {
	for _, s := range req.gets {
		if s.done = !s.again; s.again {
			continue
		}
		if len(s.items) > 0 && op.exec.expiry.IsMissing(s.items[0]) {
			s.items = nil
		}
		if op.checkSizes(s); s.isMember {
			op.setMember(s)
		}
	}
	if req.ranged != nil {
		req.ranged.done = true
		op.checkSizes(req.ranged)
	}
}

func (op *Operation) checkSizes(s *state) {
	for _, it := range s.items {
		t := op.engine.design.Type(it.Type())
		if t != nil && it.Size() > t.MaxBytes {
			key := keys.KeyOf(it)
			op.engine.options.Logger.WarnContext(op.ctx, "an item is larger than its type's maxBytes",
				"type", t.Name, "pk", string(key.PK), "sk", string(key.SK), "bytes", it.Size(), "maxBytes", t.MaxBytes)
		}
	}
}

// trace returns the Trace of the root; nil if the operation is not measured.
func (op *Operation) trace() *price.Trace {
	if op.exec.measured == nil {
		return nil
	}
	return op.exec.measured.trace
}

// answer counts objects, by their weights, that are added to the answer. It returns a ReadError for those beyond
// Options.MaxObjects, because an object that was read once may occur at any number of places without another Read, and
// after the client is gone. What was read before the operation's deadline is still answered.
func (op *Operation) answer(objects int) error {
	if err := op.ctx.Err(); errors.Is(err, context.Canceled) {
		return NewReadError(err)
	}
	if op.answered.Add(int64(objects)) > int64(op.engine.options.MaxObjects) {
		return tooLarge()
	}
	return nil
}

func (e *Engine) newExecutor(ctx context.Context, b *plan.Bound) *executor {
	x := &executor{
		source:     e.source,
		layout:     e.design.Layout,
		consistent: b.Consistent,
		operation:  semaphore.NewWeighted(int64(e.options.MaxInFlightPerOperation)),
		inOrder:    e.options.MaxInFlightPerOperation == 1,
		process:    e.process,
		roundTrips: e.schema.RoundTrips,
		turn:       share.TurnOf(ctx),
		maxItems:   e.options.MaxObjects,
		observer:   e.options.Observer,
		log:        e.options.Logger,
		expiry:     e.expiry(),
	}
	if b.Measured {
		x.measured = newMeasurement(price.TraceOf(b))
	}
	if x.turn != nil {
		x.table.arrived = x.turn.Arrived
	} else {
		x.table.arrived = time.Now()
	}
	return x
}

func (e *Engine) newOperation(ctx context.Context, b *plan.Bound, exec *executor) *Operation {
	own := *b
	own.Members = (&plan.Members{}).Or(b.Members)
	op := &Operation{bound: &own, engine: e, ctx: ctx, exec: exec}
	op.root.Node = b.Root
	return op
}

// renewed returns the operation without anything that it has read. The costs so far remain, and what counts towards its
// limits.
func (op *Operation) renewed() *Operation {
	b := *op.bound
	b.Members = nil
	renewed := op.engine.newOperation(op.ctx, &b, op.exec)
	renewed.reads.Store(op.reads.Load())
	renewed.answered.Store(op.answered.Load())
	return renewed
}
