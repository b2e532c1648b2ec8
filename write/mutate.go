package write

import (
	"context"
	"errors"
	"fmt"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// Mutate carries out a mutation of a design by the Store of the context, after the hook of the mutation, if there is
// one. An error that is none of a person's is returned as of [Transaction.Commit].
func Mutate(ctx context.Context, d *design.Design, m *design.Mutation, in Input) (Outcome, error) {
	store, err := FromContext(ctx)
	if err != nil {
		return Outcome{}, err
	}
	t := d.Type(m.Type)
	if t == nil {
		return Outcome{}, fmt.Errorf("write: bug: %s is a mutation of %s, which is not stored", m.Name, m.Type)
	}
	x := &mutation{
		d: d, m: m, t: t, in: &in, now: store.Now(), parents: map[keys.Key]item.Item{},
		numbers: sequences{},
	}
	hook := hooksOf(ctx)[m.Name]
	if hook.Check != nil {
		if err := hook.Check(ctx, m, &in, &x.out.UserErrors); err != nil || x.out.Any() {
			return x.out, err
		}
	}
	if m.Kind != design.ActionMutation {
		x.out.Check(t, in.Set)
	}
	if x.out.Any() {
		return x.out, nil
	}
	switch m.Kind {
	case design.CreateMutation:
		err = x.create(ctx)
	case design.UpdateMutation:
		err = x.update(ctx)
	case design.ActionMutation:
		err = x.act(ctx)
	default:
		err = x.delete(ctx)
	}
	if taken, is := errors.AsType[*TakenError](err); is {
		x.takenBy(taken)
		x.out.ID, x.out.Object, x.out.Steps = "", nil, nil
		return x.out, nil
	}
	if x.invalid(err) { // the Store has rejected what follows from the input
		x.out.ID, x.out.Object, x.out.Steps = "", nil, nil
		return x.out, nil
	}
	if err != nil {
		return Outcome{}, err
	}
	if hook.Done != nil {
		if err := hook.Done(ctx, m, in, &x.out); err != nil {
			return Outcome{}, err
		}
	}
	return x.out, nil
}
