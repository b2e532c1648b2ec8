package write

import (
	"errors"
	"fmt"
	"slices"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// DynamoDB's limits for one transaction: actions, bytes of all items together, and characters of a
// token.
//
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html
const (
	MaxActions          = design.MaxActions
	MaxTransactionBytes = design.MaxTransactionBytes
	MaxTokenLength      = 36
)

// ErrTooManyActions is the error of a transaction that exceeds MaxActions with what keeps another form of its objects.
// Nothing has been sent.
var ErrTooManyActions = errors.New("write: the transaction has too many actions")

// Transaction is 1 to MaxActions actions, no two on one item. All of them are
// carried out or none is. The zero value is empty.
type Transaction struct {
	Actions []Action
	// Token prevents that the transaction is carried out again if it is sent again within ten minutes:
	// DynamoDB's ClientRequestToken, at most MaxTokenLength characters. With "", one is made that
	// covers the retries of one execution.
	Token string

	parts []part
}

// part is a name for actions of a transaction.
type part struct {
	name string
	// actions are the indexes of its actions in the transaction.
	actions []int
}

// Add appends actions as a part of the transaction. Its name is for Commit: the
// part fails when the conditions of its first action do not hold, which is that of
// the base item if the actions are from Create, Update or Delete. Actions that are
// added under a name again belong to the same part. A part without actions does not
// fail.
func (t *Transaction) Add(name string, actions ...Action) {
	p := t.part(name)
	if p == nil {
		t.parts = append(t.parts, part{name: name})
		p = &t.parts[len(t.parts)-1]
	}
	p.actions = slices.Grow(p.actions, len(actions))
	for i := range actions {
		p.actions = append(p.actions, len(t.Actions)+i)
	}
	t.Actions = append(t.Actions, actions...)
}

// part returns the part of that name, or nil.
func (t *Transaction) part(name string) *part {
	for i := range t.parts {
		if t.parts[i].name == name {
			return &t.parts[i]
		}
	}
	return nil
}

// IsSingle reports whether the transaction is carried out as a single write of one item, which consumes half of its
// units. A single write has no token: an attempt whose answer was lost is sent again, and must not be carried out
// twice. So its condition does not hold any more once it has been.
//
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/read-write-operations.html
func (t *Transaction) IsSingle() bool {
	return len(t.Actions) == 1 && t.Actions[0].Otherwise == nil && t.Actions[0].endsCondition()
}

// isShown reports whether a failed condition shows that an earlier attempt at a single write, which was not answered,
// was carried out: the item is as the write leaves it.
func (t *Transaction) isShown(failed *ConditionError) bool {
	f := failed.Find(0)
	if !failed.InDoubt || !t.IsSingle() || f == nil || f.Item == nil {
		return false
	}
	a := t.Actions[0]
	if slices.ContainsFunc(a.If, func(c Precondition) bool { return c.Kind == PreconditionCompares }) {
		return false // Whoever was first has left it so, perhaps another caller.
	}
	has := func(want item.Attribute) bool {
		v, ok := f.Item.Get(want.Name)
		return ok && v.Equal(want.Value)
	}
	switch a.Kind {
	case ActionPut:
		return len(f.Item) == len(a.Item) && !slices.ContainsFunc(a.Item, func(w item.Attribute) bool { return !has(w) })
	case ActionUpdate:
		return len(a.Add) == 0 && !slices.ContainsFunc(a.Set, func(w item.Attribute) bool { return !has(w) }) &&
			!slices.ContainsFunc(a.Remove, func(name string) bool { _, ok := f.Item.Get(name); return ok })
	default:
		return false
	}
}

// Check returns an error if DynamoDB would reject the transaction whatever is
// stored. Callers keep within the limits, so the error is a bug of theirs.
func (t *Transaction) Check() error {
	if n := len(t.Actions); n == 0 || n > MaxActions {
		return fmt.Errorf("write: bug: a transaction of %d actions; 1 to %d are possible", n, MaxActions)
	}
	if len(t.Token) > MaxTokenLength {
		return fmt.Errorf("write: bug: a token of %d characters; at most %d are possible", len(t.Token), MaxTokenLength)
	}
	place := make(map[keys.Key]int, len(t.Actions))
	total := 0
	for i, a := range t.Actions {
		if before, twice := place[a.Key]; twice {
			return fmt.Errorf("write: bug: actions %d and %d of a transaction are on one item; merge them", before, i)
		}
		place[a.Key] = i
		if err := a.check(); err != nil {
			return fmt.Errorf("write: bug: action %d of a transaction: %w", i, err)
		}
		size := a.Item.Size() + a.Set.Size()
		if size > item.MaxBytes {
			return fmt.Errorf("write: bug: action %d of a transaction writes %d bytes; an item has at most %d",
				i, size, item.MaxBytes)
		}
		total += size
	}
	if total > MaxTransactionBytes {
		return fmt.Errorf("write: bug: a transaction of %d bytes; at most %d are possible", total, MaxTransactionBytes)
	}
	return nil
}

func (a Action) check() error {
	if n := len(a.Key.PK); n == 0 || n > keys.MaxPKBytes {
		return fmt.Errorf("a partition key of %d bytes; 1 to %d are possible", n, keys.MaxPKBytes)
	}
	if n := len(a.Key.SK); n > keys.MaxSKBytes { // none in a table without a sort key
		return fmt.Errorf("a sort key of %d bytes; at most %d are possible", n, keys.MaxSKBytes)
	}
	return errors.Join(a.Item.Check(), a.Set.Check())
}

// ConditionError means that nothing was written because conditions did not hold, unless InDoubt is set.
type ConditionError struct {
	// Failed are the actions whose conditions did not hold, in their order.
	Failed []FailedCondition
	// InDoubt is set if there is no answer to an earlier attempt. If that one was carried out and the table does not
	// know its token any more, conditions fail because of what it has written.
	InDoubt bool
	// earlier is the error of an exchange before, in which an attempt was not answered; nil if it was in this one.
	earlier error
}

// FailedCondition is an action whose conditions did not hold.
type FailedCondition struct {
	// Action is its index in the transaction.
	Action int
	// Item is the item as it is stored; nil when there is none.
	Item item.Item
}

func (e *ConditionError) Error() string {
	places := make([]int, len(e.Failed))
	for i, f := range e.Failed {
		places[i] = f.Action
	}
	return fmt.Sprintf("write: the conditions of the actions %v of the transaction do not hold", places)
}

// Unwrap returns the error of an exchange before that has left it in doubt what is written; nil for none.
func (e *ConditionError) Unwrap() error { return e.earlier }

// disproves reports whether no attempt at the transaction was carried out: a condition that the transaction itself ends
// still holds, such as that an item does not exist which it puts.
func (e *ConditionError) disproves(t *Transaction) bool {
	for i, a := range t.Actions {
		if a.endsCondition() && e.Find(i) == nil {
			return true
		}
	}
	return false
}

// Find returns the failed condition of the action with that index, or nil.
func (e *ConditionError) Find(action int) *FailedCondition {
	for i := range e.Failed {
		if e.Failed[i].Action == action {
			return &e.Failed[i]
		}
	}
	return nil
}

// TakenError is the error of a transaction that would give an object a unique value of another one, which no condition
// of the transaction says: the table makes the value unique at present. It wraps a keys.InputError.
type TakenError struct {
	// Type and Attribute are the object's.
	Type, Attribute string
}

func (e *TakenError) Error() string {
	return fmt.Sprintf("another %s has this %s already", e.Type, e.Attribute)
}

// Unwrap returns the keys.InputError.
func (e *TakenError) Unwrap() error {
	return &keys.InputError{Argument: e.Attribute, Message: e.Error()}
}

// Why a transaction was not carried out, apart from a ConditionError. Nothing was
// written, unless there is no answer to an earlier attempt.
var (
	// ErrConflict means that other transactions kept the items of this one busy
	// until the context ended.
	ErrConflict = errors.New("write: other transactions keep the items busy")
	// ErrCollectionFull means that an item collection would have more than 10 GB, the entries of the local indexes
	// included. Writes that do not let it grow are possible.
	//
	// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/LSI.html#LSI.ItemCollections.SizeLimit
	ErrCollectionFull = errors.New("write: an item collection of a table with local indexes has no room for more")
	// ErrTokenReused means that a transaction with the same token and other
	// actions was carried out within the last ten minutes.
	ErrTokenReused = errors.New("write: the token belongs to another transaction")
)
