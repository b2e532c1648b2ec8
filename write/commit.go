package write

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/partita/partita/item"
)

// Failure has the parts of a transaction that failed, and because of which nothing
// was written. All of them were named in the call of Commit.
type Failure struct {
	named []string
	items map[string]item.Item
}

// Commit carries out the transaction by the store of the context. It returns nil,
// nil if everything was written.
//
// A failed condition is a Failure only if it belongs to a part that is named in
// handled: the caller has an answer for that. Any other failed condition is an
// error, and so is one of a later action of a part whose first action did not fail:
// the items of one object are written together, so the table is damaged.
//
// If an earlier attempt has no answer, conditions may have failed because of what that attempt has written. That is an
// error, too, unless other conditions show that it was not carried out.
func (t *Transaction) Commit(ctx context.Context, handled ...string) (*Failure, error) {
	_, failed, err := t.commit(ctx, "", handled)
	return failed, err
}

// commit is Commit where a failure of the part named decisive explains all others. The item of that part shows which
// attempt has put it. It also returns the item of a single update.
func (t *Transaction) commit(ctx context.Context, decisive string, handled []string) (item.Item, *Failure, error) {
	for _, name := range handled {
		if t.part(name) == nil {
			return nil, nil, fmt.Errorf("write: bug: Commit handles a failure of %q, which is no part of the transaction", name)
		}
	}
	if i := slices.IndexFunc(t.Actions, func(a Action) bool { return a.fault != nil }); i >= 0 {
		return nil, nil, t.Actions[i].fault
	}
	s, err := FromContext(ctx)
	if err != nil {
		return nil, nil, err
	}
	// Which of the alternatives of an action is sent makes no difference for the parts.
	it, err := t.send(ctx, s.Write)
	failed, is := errors.AsType[*ConditionError](err)
	switch {
	case !is:
		return it, nil, err
	case failed.InDoubt && decisive == "" && !failed.disproves(t):
		return nil, nil, err
	}
	f := &Failure{named: handled, items: map[string]item.Item{}}
	// A condition of an action with an alternative explains nothing, because it may have failed because of the others.
	unexplained := map[int]bool{}
	for _, c := range failed.Failed {
		if t.Actions[c.Action].Otherwise == nil {
			unexplained[c.Action] = true
		}
	}
	if len(unexplained) == 0 {
		return nil, nil, fmt.Errorf("%w%s", err, t.describe(failed))
	}
	for _, name := range handled {
		places := t.part(name).actions
		if len(places) == 0 {
			continue
		}
		base := failed.Find(places[0])
		if base == nil {
			continue
		}
		f.items[name] = base.Item
		for _, place := range places {
			delete(unexplained, place)
		}
	}
	if _, decided := f.items[decisive]; !decided && len(unexplained) > 0 {
		return nil, nil, fmt.Errorf("%w%s", err, t.describe(failed))
	}
	return nil, f, nil
}

// describe lists the failed parts and the keys of their items, for the log.
func (t *Transaction) describe(failed *ConditionError) string {
	var b strings.Builder
	for _, f := range failed.Failed {
		name := "no part"
		for _, p := range t.parts {
			if slices.Contains(p.actions, f.Action) {
				name = fmt.Sprintf("%q", p.name)
			}
		}
		key := t.Actions[f.Action].Key
		fmt.Fprintf(&b, "; %s: %s %s", name, key.PK, key.SK)
	}
	return b.String()
}

// Part reports whether the part of that name failed; of a nil Failure, none did. It
// panics if Commit does not handle the part: because of a misspelt name, a failure
// would otherwise be taken for success.
func (f *Failure) Part(name string) bool {
	if f == nil {
		return false
	}
	if !slices.Contains(f.named, name) {
		panic(fmt.Sprintf("write: bug: Commit does not handle a failure of %q; name it there", name))
	}
	_, failed := f.items[name]
	return failed
}

// Item returns the item of a failed part's first action as it is stored. It is nil if
// there is none, if it is a tombstone, and if the part did not fail.
func (f *Failure) Item(name string) item.Item {
	if f == nil {
		return nil
	}
	return f.items[name]
}
