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

// Operation holds the Reads of one GraphQL operation. Its methods may be called
// from all of the operation's resolvers at the same time.
type Operation struct {
	outline
	engine *Engine
	ctx    context.Context
	exec   *executor
	loader *dataloader.Loader[Read, []item.Item]

	// mu is held during a whole walk of the selection set, so that everything
	// which the walk finds is registered before the wave can end.
	mu    sync.Mutex
	reads map[Read]*state
	// pending are the Reads of the next wave.
	pending []Read
	// lazy are Gets that only ask whether an object exists, while a later wave is
	// expected to have Gets anyway: they go with the first BatchGetItem, or when
	// nothing else is left to read.
	lazy []Read
	// running is how many waves are on their way.
	running int
	// waiting are the walks that go on when their Reads have answered.
	waiting []*walk
	walked  map[walkKey]struct{}
	// expected remembers what expectsGets found: fragments may spread the same
	// selection at exponentially many places.
	expected map[expectation]bool
	// answered is how many objects the answer holds so far.
	answered atomic.Int64
}

// state is what is known of a registered Read.
type state struct {
	// thunk waits for the dataloader; nil while a lazy Get has not been handed to
	// it.
	thunk dataloader.Thunk[[]item.Item]
	// answered is closed when the outcome stands and what follows from it has
	// been registered.
	answered chan struct{}
	outcome  outcome
	done     bool
}

// walk is the part of the selection set below a field, which goes on when the
// field's Reads have answered.
type walk struct {
	reads []Read
	then  func(results []outcome)
}

// walkKey tells whether a selection was walked for a Read already: by the
// look-ahead, before its resolver comes to the same.
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
		outline:  outline{e.design, request, &v},
		engine:   e,
		ctx:      ctx,
		exec:     exec,
		reads:    make(map[Read]*state),
		walked:   make(map[walkKey]struct{}),
		expected: make(map[expectation]bool),
	}
	op.loader = dataloader.NewBatchedLoader(op.batch, dataloader.WithWait[Read, []item.Item](0), dataloader.WithInputCapacity[Read, []item.Item](inputCapacity))
	return op
}

// answer counts objects that are to stand in the answer. It refuses those beyond
// Options.MaxObjects, and all once the operation's time is over: what was read
// once may stand at any number of places without another Read.
func (op *Operation) answer(objects int) error {
	if err := op.ctx.Err(); err != nil {
		return readError(err)
	}
	if op.answered.Add(int64(objects)) > int64(op.engine.options.MaxObjects) {
		return tooLarge()
	}
	return nil
}

// renewed is the operation without anything that it has read, at the same
// expense.
func (op *Operation) renewed() *Operation {
	return op.engine.newOperation(op.ctx, op.request, op.exec)
}

// inputCapacity is how many Reads the dataloader takes before one of them is
// looked at; it is emptied all the time.
const inputCapacity = 64

// ConsistencyHeader asks for strongly consistent reads when its value is
// "strong". They cost twice the read units; an index has none.
//
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/HowItWorks.ReadConsistency.html
const ConsistencyHeader = "Partita-Consistency"

// isConsistent reports whether the operation must see what was written before
// it: what a mutation has just written itself, or what the caller asks for.
func isConsistent(request *graphql.OperationContext) bool {
	return request.Operation.Operation == ast.Mutation || request.Headers.Get(ConsistencyHeader) == "strong"
}

// begin registers every Read of the operation whose key is known from its
// arguments.
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

// register puts a Read into the next wave unless it was read before. The lock
// is held.
func (op *Operation) register(r Read) *state {
	if op.reads[r] == nil && !op.isFull() {
		op.reads[r] = &state{answered: make(chan struct{})}
		op.enqueue(r)
	}
	return op.stateOf(r)
}

// isFull reports whether the operation has all the Reads that it may have.
func (op *Operation) isFull() bool { return len(op.reads) >= op.engine.options.MaxReads }

// stateOf is the state of a Read, which was not registered if the operation was
// full.
func (op *Operation) stateOf(r Read) *state {
	if s := op.reads[r]; s != nil {
		return s
	}
	return refused
}

// refused is the state of all Reads beyond Options.MaxReads.
var refused = func() *state {
	s := &state{answered: make(chan struct{}), outcome: outcome{err: tooLarge()}, done: true}
	close(s.answered)
	return s
}()

// registerLazy is register for a Get that can wait.
func (op *Operation) registerLazy(r Read) {
	if op.reads[r] == nil && !op.isFull() {
		op.reads[r] = &state{answered: make(chan struct{})}
		op.lazy = append(op.lazy, r)
	}
}

func (op *Operation) enqueue(reads ...Read) {
	for _, r := range reads {
		op.reads[r].thunk = op.loader.Load(op.ctx, r)
	}
	op.pending = append(op.pending, reads...)
}

// endWalk lets the wave end that the walk has filled. Gets that can wait no
// longer, because nothing else is left to read, make a wave of their own.
func (op *Operation) endWalk() {
	if len(op.pending) == 0 && op.running == 0 {
		op.enqueueLazy()
	}
	op.mu.Unlock()
}

func (op *Operation) enqueueLazy() {
	op.enqueue(op.lazy...)
	op.lazy = nil
}

// after registers the Reads and calls then, with the lock held, when all of
// them have answered: at once if they have already.
func (op *Operation) after(reads []Read, then func([]outcome)) {
	for _, r := range reads {
		if op.register(r).thunk == nil {
			op.enqueueLazy()
		}
	}
	w := &walk{reads: reads, then: then}
	if !op.advance(w) {
		op.waiting = append(op.waiting, w)
	}
}

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

// batch is the dataloader's batch function: the wave that its tick has ended.
// The wave takes in everything that is registered by now, also what the
// dataloader will hand over with its next tick.
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

// tick lets resolvers that are about to register a Read of their own do so.
// What the engine finds itself does not depend on it. A timer would not do: on
// an idle machine the runtime's sleep is never shorter than a millisecond.
func tick() {
	for range 16 {
		runtime.Gosched()
	}
}

// runWave reads what is pending, if anything, and registers what follows.
func (op *Operation) runWave() {
	reads := op.takeWave()
	if len(reads) == 0 {
		return
	}
	outcomes := make(map[Read]outcome, len(reads))
	defer op.endWave(reads, outcomes)
	op.exec.run(op.ctx, Plan(op.design, reads), outcomes)
}

func (op *Operation) takeWave() []Read {
	op.mu.Lock()
	defer op.mu.Unlock()
	if slices.ContainsFunc(op.pending, func(r Read) bool { return r.Kind == Get }) {
		op.enqueueLazy()
	}
	reads := op.pending
	op.pending = nil
	if len(reads) > 0 {
		op.running++
	}
	return reads
}

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

// checked is the outcome of a Read, with an item that is larger than its type
// allows reported to the log. A Get whose item is marked as deleted has none,
// whichever request has brought it.
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

func (op *Operation) await(r Read) outcome {
	op.mu.Lock()
	s := op.stateOf(r)
	op.mu.Unlock()
	<-s.answered
	return s.outcome
}
