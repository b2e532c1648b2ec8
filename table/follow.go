package table

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"

	"github.com/partita/partita/internal/table/wire"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/request"
	"github.com/partita/partita/write"
)

// A Follower extends each transaction by what else must be written with it: while a table goes from a design to another
// one, the form of its objects by the other design.
type Follower interface {
	// Follow returns what is written: first an element for each action of the caller, in their order, then others. It is
	// called again if what it has read has changed. The error is for the caller of the transaction.
	Follow(ctx context.Context, f Following) ([]Followed, error)
	// Workload returns what a mutation reads and writes at worst for an input, or with nil for any input, from what it
	// does without the Follower.
	Workload(m *design.Mutation, in *write.Input, own write.Workload) write.Workload
}

// Following is a transaction for a Follower.
type Following struct {
	// Own is the caller's view of the table.
	Own View
	// Actions are those of the caller, with the tenant in their keys.
	Actions []write.Action
	// Now is the time by the clock of the table.
	Now time.Time
	// Items reads stored items as they are now, strongly consistent. A key without an item is missing from the result.
	Items func(context.Context, []keys.Key) (map[keys.Key]item.Item, error)
}

// Followed is one action as a Follower returns it.
type Followed struct {
	// Action is that of the caller; of further ones it is the zero Action.
	Action write.Action
	// Raw is what is done to the item, in the names and formats of the table. With it, Action has nothing but its
	// conditions, which must hold as well. The conditions of Raw are IfStored, IfMissing, IfEquals and IfUnset: if they do
	// not hold, the Follower is asked again. Nil for an action as the caller has it.
	Raw *write.Action
	// Hidden are the stored attributes that the caller does not get to see.
	Hidden []string
	// After is the stored item afterwards, as far as it is known.
	After item.Item
	// Units are the write units of Raw in a transaction, and Bytes how many the item has more then.
	Units, Bytes int
}

// WithFollower returns the table with a Follower of its transactions, over the same connections; nil for none.
func (t *Table) WithFollower(f Follower) *Table {
	changed := *t
	changed.follower = f
	return &changed
}

// Workload returns what a mutation reads and writes at worst with what follows it, from what it does without that.
func (t *Table) Workload(m *design.Mutation, in *write.Input, own write.Workload) write.Workload {
	if t.follower == nil {
		return own
	}
	return t.follower.Workload(m, in, own)
}

// WithWriteCheck returns the table with a check before each attempt at a write, over the same connections: with its
// error nothing is sent. The error of the write wraps it and request.ErrUnavailable.
func (t *Table) WithWriteCheck(check func() error) *Table {
	changed := *t
	changed.checkWrite = check
	return &changed
}

// maxFollowed limits how often a Follower is asked again because what it has read has changed.
const maxFollowed = 12

// errOutdated means that something has changed since a Follower has read it.
var errOutdated = errors.New("table: what was read for the other design has changed")

// follow carries out a transaction as the Follower extends it. own is the transaction as the caller has it.
func (t *Table) follow(ctx context.Context, b border, own, w write.Transaction, result *request.Result) error {
	f := t.following(b, w.Actions, result)
	token := w.Token
	for attempt := 1; ; attempt++ {
		f.Now = t.Now()
		followed, err := t.follower.Follow(ctx, f)
		if err != nil {
			return err
		}
		sent := w
		sent.Actions, sent.Token = make([]write.Action, len(followed)), token
		for i, one := range followed {
			sent.Actions[i] = one.Action
			if i >= len(w.Actions) {
				sent.Actions[i] = write.Action{Kind: one.Raw.Kind, Key: one.Raw.Key}
			}
		}
		err = t.carryOut(ctx, b, sent, followed, result)
		result.CompanionUnits = max(result.CompanionUnits, companionUnits(b.schema.Design, own, followed))
		if !errors.Is(err, errOutdated) {
			if err == nil && w.IsSingle() && len(followed) > 1 && w.Actions[0].Kind == write.ActionUpdate {
				result.Items = []item.Item{View{b}.FromStored(without(followed[0].After, followed[0].Hidden))}
			}
			return err
		}
		if attempt == maxFollowed {
			return fmt.Errorf("%w: %w", write.ErrConflict, err)
		}
		if ended := request.Pause(ctx, attempt); ended != nil {
			return fmt.Errorf("%w: %w", err, ended)
		}
		if token != "" { // The transaction is another one now.
			token = uuid.NewSHA1(uuid.NameSpaceOID, []byte(token)).String()
		}
		result.Retries++
	}
}

// companionUnits returns what a transaction consumes as it is followed beyond what own.Units has.
func companionUnits(d *design.Design, own write.Transaction, followed []Followed) float64 {
	times := 2
	if own.IsSingle() {
		times = 1
	}
	units := 0
	for i, one := range followed {
		if i < len(own.Actions) && one.Raw != nil {
			one.Units = max(0, one.Units-own.Actions[i].Units(d, times))
		}
		units += one.Units
	}
	return float64(units)
}

// following returns a transaction for the Follower. What it reads is added to the result.
func (t *Table) following(b border, actions []write.Action, result *request.Result) Following {
	return Following{Own: View{b}, Actions: actions, Now: t.Now(),
		Items: func(ctx context.Context, all []keys.Key) (map[keys.Key]item.Item, error) {
			return t.readRaw(ctx, all, result)
		}}
}

// readRaw reads items with stored keys as they are in the table.
func (t *Table) readRaw(ctx context.Context, all []keys.Key, result *request.Result) (map[keys.Key]item.Item, error) {
	found := make(map[keys.Key]item.Item, len(all))
	for attempt := 1; len(all) > 0; attempt++ {
		n := min(len(all), request.MaxBatchKeys)
		r := request.BatchGetItem{Keys: all[:n], Consistent: true}
		read, err := request.Result{}, wire.ErrUnsupported
		if t.wire != nil {
			read, err = t.wire.BatchGetItem(ctx, r)
		}
		if errors.Is(err, wire.ErrUnsupported) {
			read, err = t.batchGetItem(ctx, r)
		}
		result.CompanionReads++
		result.ReadUnits += read.ReadUnits
		result.Retries += read.Retries
		result.Throttles += read.Throttles
		t.throttledRead(r, &read)
		result.Throttled = append(result.Throttled, read.Throttled...)
		if err != nil {
			return nil, err
		}
		for _, it := range read.Items {
			found[t.layout.KeyOf(it)] = it
		}
		all = append(read.Unprocessed, all[n:]...)
		if len(read.Unprocessed) > 0 {
			if ended := request.Pause(ctx, attempt); ended != nil {
				return nil, fmt.Errorf("%w: %w", request.ErrThrottled, ended)
			}
		}
	}
	return found, nil
}

// rawOf returns the raw form of an action; nil for none.
func rawOf(followed []Followed, i int) *write.Action {
	if followed == nil {
		return nil
	}
	return followed[i].Raw
}

// isOutdated reports whether an action failed because its item is not as the Follower has read it.
func isOutdated(followed []Followed, i int, stored item.Item) bool {
	raw := rawOf(followed, i)
	if raw == nil {
		return false
	}
	for _, c := range raw.If {
		if !c.Holds(stored) {
			return true
		}
	}
	return false
}

// isAfter reports whether the item of a single write in raw form, whose condition has failed, is as the write leaves
// it. An earlier attempt, which was not answered, was then carried out.
func isAfter(followed []Followed, reasons []wire.Reason) bool {
	if rawOf(followed, 0) == nil || len(reasons) != 1 || len(reasons[0].Item) == 0 ||
		reasons[0].Code != reasonCondition {
		return false
	}
	return item.FieldsValue(reasons[0].Item).Equal(item.FieldsValue(followed[0].After))
}

// shown returns a stored item without what the caller does not get to see.
func shown(followed []Followed, i int, stored item.Item) item.Item {
	if followed == nil {
		return stored
	}
	return without(stored, followed[i].Hidden)
}

func without(it item.Item, names []string) item.Item {
	var out item.Item
	for _, a := range it {
		isHidden := false
		for _, name := range names {
			isHidden = isHidden || name == a.Name
		}
		if !isHidden {
			out = append(out, a)
		}
	}
	return out
}

// expressionsOf returns the expressions of an action, what it does to its item, and the condition of both its forms:
// raw is nil if it has none in the names of the table.
func (b border) expressionsOf(a write.Action, raw *write.Action, now time.Time) (*expressions, write.Action, string) {
	e := b.expressions(a, now)
	if raw == nil {
		return e, a, e.conditions(a.If)
	}
	parts := e.parts(a.If)
	r := &expressions{
		border: border{schema: Schema{Design: &design.Design{Layout: b.schema.Layout()}}},
		names:  e.names, values: e.values, isRaw: true,
	}
	return r, *raw, joined(append(parts, r.parts(raw.If)...))
}
