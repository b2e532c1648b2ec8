package loaders

import (
	"context"
	"errors"

	"github.com/partita/partita/internal/plan"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/write"
)

// Payload is what the payload of a mutation without hand-written Go consists of.
type Payload struct {
	// Item has the attributes of the object: of one that was deleted at least those of its identity. It is nil if there
	// is no object.
	Item item.Item
	// Deleted is the global id of the deleted object; nil if none was deleted.
	Deleted *keys.ID
	// DeletedIDs are those of an action, by the fields of the payload, and DeletedLists those of elements of its lists.
	DeletedIDs   map[string]*keys.ID
	DeletedLists map[string][]keys.ID
	// UserErrors are not nil.
	UserErrors []*write.UserError
}

// Mutate resolves a field of Mutation that has no hand-written Go: it carries out the mutation of the design with the
// input that the plan has bound, and reads what is selected below the payload. build returns the payload. The fields of
// the payload that are read are resolved by [Object], [List] and [Connection], which find what has been read for them
// by their place: the design.BoundField that they get is not used.
//
// Errors are plan.AccessErrors, ReadErrors, WriteErrors, and bugs.
func Mutate[P any](ctx context.Context, build func(Payload) P) (P, error) {
	op, fc := current(ctx)
	_, payload, err := mutate(ctx, op.fieldAt(fc))
	if err != nil {
		var none P
		return none, err
	}
	return build(payload), nil
}

// MutationOf carries out a plan.MutationField of the operation of a context, and reads what is selected below its
// payload. It returns the payload. Errors are those of [Mutate], and plan.ArgumentErrors. The next one of the operation
// must not begin before everything of the payload has been answered.
func MutationOf(ctx context.Context, f *plan.Field) (*Instance, error) {
	o, _, err := mutate(ctx, f)
	return o, err
}

func mutate(ctx context.Context, f *plan.Field) (*Instance, Payload, error) {
	s := sessionOf(ctx)
	outcome, err := s.current.Load().write(ctx, f)
	// What follows is read after the write.
	op := s.current.Load().renewed()
	s.current.Store(op)
	if err != nil {
		return nil, Payload{}, err
	}
	node := f.Children[0]
	if err := op.answer(node.Weight); err != nil {
		return nil, Payload{}, err
	}
	w := &mutated{Outcome: outcome, mutation: f.Mutation, node: node}
	return op.readPayload(f, w), w.payload(), nil
}

// write carries out a mutation. The operation gives up its turn on the CPUs meanwhile.
func (op *Operation) write(ctx context.Context, f *plan.Field) (write.Outcome, error) {
	b := op.bound
	if err := b.Arguments(f).Err; err != nil {
		return write.Outcome{}, err
	}
	owner, isMember, err := b.AuthorizeMutation(f)
	if err != nil {
		return write.Outcome{}, err
	}
	input, invalid := b.MutationInput(f, owner, isMember)
	if invalid.Any() {
		return write.Outcome{UserErrors: invalid}, nil
	}
	defer op.exec.awaiting(ctx)()
	ctx = write.WithHooks(op.traced(ctx, f), op.engine.options.Hooks)
	outcome, err := write.Mutate(ctx, op.engine.design, f.Mutation, input)
	if deleted := op.engine.options.Deleted; outcome.IsSwept && deleted != nil {
		deleted(ctx)
	}
	if errors.Is(err, write.ErrNotMember) {
		err = plan.ErrNotYours
	}
	return outcome, err
}

// mutated is what a mutation has written, and the node of its payload.
type mutated struct {
	write.Outcome
	mutation *design.Mutation
	node     *plan.Object
}

// isDeleted reports whether the object exists no more.
func (w *mutated) isDeleted() bool { return w.mutation.Kind == design.DeleteMutation && !w.Any() }

func (w *mutated) payload() Payload {
	p := Payload{Item: w.Object, UserErrors: w.List()}
	if w.isDeleted() {
		p.Deleted = &w.ID
	}
	w.setDeleted(&p)
	return p
}

// attributes returns the attributes of the payload: the user errors, the id of a deleted object, and those of the
// object, from which the conditions of its other fields follow.
func (w *mutated) attributes() item.Item {
	p := w.payload()
	it := make(item.Item, 0, 2+len(p.Item))
	if w.mutation.Deleted != "" && p.Deleted != nil {
		it = append(it, item.Attribute{Name: w.mutation.Deleted, Value: keys.EncodedID(*p.Deleted)})
	}
	for field, id := range p.DeletedIDs {
		it = append(it, item.Attribute{Name: field, Value: keys.EncodedID(*id)})
	}
	for field, ids := range p.DeletedLists {
		it = append(it, item.Attribute{Name: field, Value: item.ListOf(ids, keys.EncodedID)})
	}
	it = append(it, item.Attribute{Name: userErrorsField, Value: item.ListOf(p.UserErrors, userErrorValue)})
	return append(it, p.Item...)
}

// userErrorsField is the field of a payload with the user errors.
const userErrorsField = "userErrors"

func userErrorValue(e *write.UserError) item.Value {
	return item.MapValue(item.Item{
		{Name: "code", Value: item.TextValue(e.Code)},
		{Name: "message", Value: item.StringValue(e.Message)},
		{Name: "field", Value: item.NullableValue(e.Field, item.StringValue)},
	})
}

// readPayload reads what is selected below a payload. It returns the payload, which is then at its place in the
// operation. The object that has been written is not read.
func (op *Operation) readPayload(f *plan.Field, w *mutated) *Instance {
	isThere := w.Object != nil && !w.isDeleted() && !op.exec.expiry.IsMissing(w.Object)
	if isThere {
		op.written = []item.Item{w.Object}
	}
	payload := Instance{Node: w.node, Item: w.attributes()}
	payload.Values = w.absent(isThere)
	r := &run{op: op}
	w.steps(r, payload.Values, op.trace().Field(f))
	v := &Value{Field: f, Objects: []Instance{payload}, finished: true}
	op.root.Values = make([]*Value, op.root.Node.Slots)
	op.root.Values[f.Slot] = v
	r.fill(&v.Objects[0], nil, op.trace().Field(f))
	r.all()
	op.prune(nil, v)
	r.prime()
	return &v.Objects[0]
}

// absent returns the values of the payload's fields that are null, because there is no object, or it has been deleted
// or has expired already: there is nothing to read, and nothing to authorize.
func (w *mutated) absent(isThere bool) []*Value {
	values := make([]*Value, w.node.Slots)
	if w.mutation.Kind == design.ActionMutation {
		return values
	}
	for _, f := range w.node.Fields {
		if f.Kind != plan.ReadField || f.Read.Result != design.One {
			continue
		}
		if w.Object == nil || !isThere && f.Name == w.mutation.Object {
			values[f.Slot] = &Value{Field: f, finished: true}
		}
	}
	return values
}
