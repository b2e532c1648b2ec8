package loaders

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/99designs/gqlgen/graphql"
	"github.com/graph-gophers/dataloader/v7"
	"github.com/vektah/gqlparser/v2/ast"
	"golang.org/x/sync/semaphore"

	"github.com/partita/partita/table/item"
)

// Operation holds the Reads of one GraphQL operation. Its methods may be called
// from all of the operation's resolvers at the same time.
type Operation struct {
	engine  *Engine
	ctx     context.Context
	request *graphql.OperationContext
	exec    *executor
	loader  *dataloader.Loader[Read, []item.Item]

	// mu is held during a whole walk of the selection set, so that everything
	// which the walk finds is registered before the wave can end.
	mu      sync.Mutex
	reads   map[Read]*state
	pending []Read
	// waiting are the walks that go on when their Reads have answered.
	waiting []*walk
	walked  map[walkKey]struct{}
}

// state is what is known of a registered Read.
type state struct {
	thunk dataloader.Thunk[[]item.Item]
	// wave is nil while the Read is pending.
	wave    *wave
	outcome outcome
	done    bool
}

// wave is closed when all of its Reads have outcomes and what follows from them
// has been registered.
type wave struct{ done chan struct{} }

// walk is the part of the selection set below a field, which goes on when the
// field's Reads have answered.
type walk struct {
	reads []Read
	then  func(results []outcome)
}

// walkKey tells whether a field of the document was walked for a Read already:
// by the look-ahead, before its resolver comes to the same.
type walkKey struct {
	read  Read
	field *ast.Field
}

func (e *Engine) newOperation(ctx context.Context, request *graphql.OperationContext) *Operation {
	op := &Operation{
		engine:  e,
		ctx:     ctx,
		request: request,
		exec: &executor{
			source:    e.source,
			operation: semaphore.NewWeighted(e.options.MaxInFlightPerOperation),
			process:   e.process,
		},
		reads:  make(map[Read]*state),
		walked: make(map[walkKey]struct{}),
	}
	op.loader = dataloader.NewBatchedLoader(op.batch, dataloader.WithWait[Read, []item.Item](e.options.Wait))
	return op
}

// begin registers every Read of the operation whose key is known from its
// arguments.
func (op *Operation) begin() {
	op.mu.Lock()
	defer op.mu.Unlock()
	root := op.request.Operation.SelectionSet
	for _, f := range graphql.CollectFields(op.request, root, rootTypes) {
		if fd := op.engine.design.Field(rootTypes[0], f.Name); fd != nil {
			op.walkField(fd, op.conditions(fd, f, nil), f)
		}
	}
}

var rootTypes = []string{"Query"}

// register puts a Read into the next wave unless it was read before. The lock
// is held.
func (op *Operation) register(r Read) *state {
	if s := op.reads[r]; s != nil {
		return s
	}
	s := &state{thunk: op.loader.Load(op.ctx, r)}
	op.reads[r] = s
	op.pending = append(op.pending, r)
	return s
}

// after registers the Reads and calls then, with the lock held, when all of
// them have answered: at once if they have already.
func (op *Operation) after(reads []Read, then func([]outcome)) {
	for _, r := range reads {
		op.register(r)
	}
	w := &walk{reads: reads, then: then}
	if !op.advance(w) {
		op.waiting = append(op.waiting, w)
	}
}

func (op *Operation) advance(w *walk) bool {
	results := make([]outcome, len(w.reads))
	for i, r := range w.reads {
		s := op.reads[r]
		if !s.done {
			return false
		}
		results[i] = s.outcome
	}
	w.then(results)
	return true
}

// batch is the dataloader's batch function: the wave that its tick has ended.
// The wave takes in everything that is registered by now, also what the
// dataloader will hand over with its next tick.
func (op *Operation) batch(_ context.Context, reads []Read) []*dataloader.Result[[]item.Item] {
	op.runPending()
	results := make([]*dataloader.Result[[]item.Item], len(reads))
	for i, r := range reads {
		o := op.await(r)
		results[i] = &dataloader.Result[[]item.Item]{Data: o.items, Error: o.err}
	}
	return results
}

func (op *Operation) runPending() {
	op.mu.Lock()
	reads := op.pending
	op.pending = nil
	if len(reads) == 0 {
		op.mu.Unlock()
		return
	}
	w := &wave{done: make(chan struct{})}
	for _, r := range reads {
		op.reads[r].wave = w
	}
	op.mu.Unlock()
	defer close(w.done)

	outcomes := make(map[Read]outcome, len(reads))
	op.exec.run(op.ctx, Plan(op.engine.design, reads), outcomes)

	op.mu.Lock()
	defer op.mu.Unlock()
	for _, r := range reads {
		s := op.reads[r]
		s.outcome, s.done = op.checked(r, outcomes), true
	}
	waiting := op.waiting
	op.waiting = nil
	for _, w := range waiting {
		if !op.advance(w) {
			op.waiting = append(op.waiting, w)
		}
	}
}

// checked is the outcome of a Read, with an item that is larger than its type
// allows reported to the log.
func (op *Operation) checked(r Read, outcomes map[Read]outcome) outcome {
	o, ok := outcomes[r]
	if !ok {
		return outcome{err: damaged(fmt.Errorf("loaders: bug: the plan has no request for %+v", r))}
	}
	for _, it := range o.items {
		t := op.engine.design.Type(it.Type())
		if t != nil && it.Size() > t.MaxBytes {
			op.engine.options.Logger.WarnContext(op.ctx, "an item is larger than its type's maxBytes",
				"type", t.Name, "bytes", it.Size(), "maxBytes", t.MaxBytes)
		}
	}
	return o
}

func (op *Operation) await(r Read) outcome {
	op.mu.Lock()
	w := op.reads[r].wave
	op.mu.Unlock()
	<-w.done
	op.mu.Lock()
	defer op.mu.Unlock()
	s := op.reads[r]
	if !s.done {
		return outcome{err: damaged(errors.New("loaders: bug: a wave ended without an outcome"))}
	}
	return s.outcome
}
