package loaders

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/99designs/gqlgen/graphql"
	"github.com/graph-gophers/dataloader/v7"
	"github.com/vektah/gqlparser/v2/ast"
	"golang.org/x/sync/semaphore"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/viewer"
)

// Operation has the Reads of one GraphQL operation. Its methods may be called concurrently.
type Operation struct {
	boundOperation
	engine *Engine
	ctx    context.Context
	exec   *executor
	loader *dataloader.Loader[Read, []item.Item]

	// mu is held during a whole walk of the selection set, so that everything that the walk finds is
	// registered before the wave can end.
	mu    sync.Mutex
	reads map[Read]*state
	// pending are the Reads of the next wave.
	pending []Read
	// deferred are existence checks: Gets of objects whose selected fields are all key-only. They wait
	// if a later wave probably has Gets anyway, and are sent with the first BatchGetItem, or when
	// nothing else is left to read.
	deferred []Read
	// running is the number of waves in flight.
	running int
	// waiting are the walks that continue when their Reads are done.
	waiting []*walk
	walked  map[walkKey]struct{}
	// laterGets are the results of hasLaterGets: fragments may spread the same selection at
	// exponentially many places.
	laterGets map[laterGetsKey]bool
	// answered is how many objects are in the answer so far.
	answered atomic.Int64
}

// state is the state of a registered Read.
type state struct {
	// thunk waits for the dataloader; nil for a deferred Get that is not in the dataloader yet.
	thunk dataloader.Thunk[[]item.Item]
	// answered is closed when the outcome is set and the Reads that follow from it are registered.
	answered chan struct{}
	outcome  outcome
	done     bool
}

// walk is the part of the selection set below a field; it continues when the field's Reads are done.
type walk struct {
	reads []Read
	then  func(results []outcome)
}

// walkKey identifies a walk. The prefetch walks a selection first; its resolver must not walk it
// again.
type walkKey struct {
	read      Read
	selection selection
}

func (e *Engine) newExecutor(request *graphql.OperationContext) *executor {
	return &executor{
		source:     e.source,
		consistent: isConsistent(request),
		operation:  semaphore.NewWeighted(e.options.MaxInFlightPerOperation),
		process:    e.process,
		maxItems:   e.options.MaxObjects,
		observer:   e.options.Observer,
		log:        e.options.Logger,
	}
}

func (e *Engine) newOperation(ctx context.Context, request *graphql.OperationContext, exec *executor) *Operation {
	v := viewer.FromContext(ctx)
	op := &Operation{
		boundOperation: boundOperation{e.design, request, &v},
		engine:         e,
		ctx:            ctx,
		exec:           exec,
		reads:          make(map[Read]*state),
		walked:         make(map[walkKey]struct{}),
		laterGets:      make(map[laterGetsKey]bool),
	}
	op.loader = dataloader.NewBatchedLoader(op.batch,
		dataloader.WithWait[Read, []item.Item](0),
		dataloader.WithInputCapacity[Read, []item.Item](inputCapacity))
	return op
}

// answer counts objects that are added to the answer. It returns an error for those beyond
// Options.MaxObjects and after the operation's deadline: an object that was read once may occur at
// any number of places without another Read.
func (op *Operation) answer(objects int) error {
	if err := op.ctx.Err(); err != nil {
		return readError(err)
	}
	if op.answered.Add(int64(objects)) > int64(op.engine.options.MaxObjects) {
		return tooLarge()
	}
	return nil
}

// renewed returns the operation without anything that it has read. The costs so far remain.
func (op *Operation) renewed() *Operation {
	return op.engine.newOperation(op.ctx, op.request, op.exec)
}

// inputCapacity is the size of the dataloader's input channel, which is emptied all the time.
const inputCapacity = 64

// ConsistencyHeader requests strongly consistent reads if its value is "strong". They consume twice
// the read units. Queries of an index remain eventually consistent.
//
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/HowItWorks.ReadConsistency.html
const ConsistencyHeader = "Partita-Consistency"

// isConsistent reports whether the operation's reads are strongly consistent: a mutation must read
// what it has just written, and a caller may request it.
func isConsistent(request *graphql.OperationContext) bool {
	return request.Operation.Operation == ast.Mutation || request.Headers.Get(ConsistencyHeader) == "strong"
}

// begin registers every Read of the operation whose key is known from its arguments.
func (op *Operation) begin() {
	op.mu.Lock()
	defer op.endWalk()
	root := op.request.Operation.SelectionSet
	for _, f := range graphql.CollectFields(op.request, root, rootTypes) {
		if fd := op.design.Field(rootTypes[0], f.Name); fd != nil {
			op.walkField(fd, op.conditions(fd, f, nil), f)
		}
	}
}

var rootTypes = []string{"Query"}

// register adds a Read to the next wave unless it is registered already. The lock is held.
func (op *Operation) register(r Read) *state {
	if op.reads[r] == nil && !op.isFull() {
		op.reads[r] = &state{answered: make(chan struct{})}
		op.enqueue(r)
	}
	return op.stateOf(r)
}

// isFull reports whether the operation has as many Reads as Options.MaxReads.
func (op *Operation) isFull() bool { return len(op.reads) >= op.engine.options.MaxReads }

// stateOf returns the state of a Read, or overLimit if the Read was not registered because the
// operation was full.
func (op *Operation) stateOf(r Read) *state {
	if s := op.reads[r]; s != nil {
		return s
	}
	return overLimit
}

// overLimit is the state of all Reads beyond Options.MaxReads.
var overLimit = func() *state {
	s := &state{answered: make(chan struct{}), outcome: outcome{err: tooLarge()}, done: true}
	close(s.answered)
	return s
}()

// registerDeferred is register for a deferred existence check.
func (op *Operation) registerDeferred(r Read) {
	if op.reads[r] == nil && !op.isFull() {
		op.reads[r] = &state{answered: make(chan struct{})}
		op.deferred = append(op.deferred, r)
	}
}

// enqueue adds registered Reads to the next wave.
func (op *Operation) enqueue(reads ...Read) {
	for _, r := range reads {
		op.reads[r].thunk = op.loader.Load(op.ctx, r)
	}
	op.pending = append(op.pending, reads...)
}

// endWalk releases the lock, so that the wave can end. If nothing else is left to read, the deferred
// existence checks make a wave of their own.
func (op *Operation) endWalk() {
	if len(op.pending) == 0 && op.running == 0 {
		op.enqueueDeferred()
	}
	op.mu.Unlock()
}

func (op *Operation) enqueueDeferred() {
	op.enqueue(op.deferred...)
	op.deferred = nil
}

// after registers the Reads and calls then, with the lock held, when all of them are done: at once
// if they are already.
func (op *Operation) after(reads []Read, then func([]outcome)) {
	for _, r := range reads {
		if op.register(r).thunk == nil {
			op.enqueueDeferred()
		}
	}
	w := &walk{reads: reads, then: then}
	if !op.advance(w) {
		op.waiting = append(op.waiting, w)
	}
}

// advance continues a walk if its Reads are done, and reports whether they are.
func (op *Operation) advance(w *walk) bool {
	results := make([]outcome, len(w.reads))
	for i, r := range w.reads {
		s := op.stateOf(r)
		if !s.done {
			return false
		}
		results[i] = s.outcome
	}
	w.then(results)
	return true
}

// batch is the dataloader's batch function. It runs a wave of everything that is registered by now,
// including what the dataloader will pass to the next call.
func (op *Operation) batch(_ context.Context, reads []Read) []*dataloader.Result[[]item.Item] {
	tick()
	op.runWave()
	results := make([]*dataloader.Result[[]item.Item], len(reads))
	for i, r := range reads {
		o := op.await(r)
		results[i] = &dataloader.Result[[]item.Item]{Data: o.items, Error: o.err}
	}
	return results
}

// tick yields to resolvers that are about to register a Read of their own. The prefetch does not
// depend on it. A timer would be too slow: on an idle machine the runtime sleeps for at least a
// millisecond.
func tick() {
	for range 16 {
		runtime.Gosched()
	}
}

// runWave sends the pending Reads, if any, and registers the Reads that follow from them.
func (op *Operation) runWave() {
	reads := op.takeWave()
	if len(reads) == 0 {
		return
	}
	outcomes := make(map[Read]outcome, len(reads))
	defer op.endWave(reads, outcomes)
	op.exec.run(op.ctx, Plan(op.design, reads), outcomes)
}

// takeWave returns the pending Reads.
func (op *Operation) takeWave() []Read {
	op.mu.Lock()
	defer op.mu.Unlock()
	if slices.ContainsFunc(op.pending, func(r Read) bool { return r.Kind == Get }) {
		op.enqueueDeferred()
	}
	reads := op.pending
	op.pending = nil
	if len(reads) > 0 {
		op.running++
	}
	return reads
}

// endWave sets the outcomes of a wave's Reads and continues the walks that waited for them.
func (op *Operation) endWave(reads []Read, outcomes map[Read]outcome) {
	op.mu.Lock()
	defer op.endWalk()
	op.running--
	for _, r := range reads {
		s := op.reads[r]
		s.outcome, s.done = op.checked(r, outcomes), true
		defer close(s.answered)
	}
	waiting := op.waiting
	op.waiting = nil
	for _, w := range waiting {
		if !op.advance(w) {
			op.waiting = append(op.waiting, w)
		}
	}
}

// checked returns the outcome of a Read, without the tombstone of a Get. It logs items that are
// larger than their type allows.
func (op *Operation) checked(r Read, outcomes map[Read]outcome) outcome {
	o, ok := outcomes[r]
	if !ok {
		return outcome{err: damaged(fmt.Errorf("loaders: bug: the plan has no request for %+v", r))}
	}
	if r.Kind == Get && len(o.items) > 0 && keys.IsDeleted(o.items[0]) {
		return outcome{}
	}
	for _, it := range o.items {
		t := op.design.Type(it.Type())
		if t != nil && it.Size() > t.MaxBytes {
			op.engine.options.Logger.WarnContext(op.ctx, "an item is larger than its type's maxBytes",
				"type", t.Name, "bytes", it.Size(), "maxBytes", t.MaxBytes)
		}
	}
	return o
}

// await waits until a Read is done.
func (op *Operation) await(r Read) outcome {
	op.mu.Lock()
	s := op.stateOf(r)
	op.mu.Unlock()
	<-s.answered
	return s.outcome
}
