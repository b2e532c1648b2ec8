package write

import (
	"context"
	"math"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// number returns the attributes of a new object with its numbers in sequences; nil after a user error.
func (x *mutation) number(ctx context.Context, attributes item.Item) (item.Item, error) {
	for _, c := range x.d.CountersOf(x.t) {
		if c.Number == "" {
			continue
		}
		key, err := ParentKey(x.d, c, x.raw())
		if err != nil || x.out.Any() {
			return nil, x.inputError(err)
		}
		if key == (keys.Key{}) {
			continue // It belongs to none; a number that it must have is missing then.
		}
		parent, err := x.readParent(ctx, key)
		if err != nil {
			return nil, err
		}
		if parent == nil {
			x.missingParent(c)
			return nil, nil
		}
		at := sequence{key, c.Attribute}
		if _, isBegun := x.numbers[at]; !isBegun {
			x.numbers[at] = numberIn(parent, c.Attribute)
		}
		if x.numbers[at]++; x.numbers[at] == math.MaxInt32 {
			x.out.Add(CodeInvalid, x.referenceField(c), "this %s has the highest %s there is", c.Parent, c.Attribute)
			return nil, nil
		}
		attributes = with(attributes, c.Number, item.NumberValue(x.numbers[at]))
	}
	return attributes, nil
}

// maxAttempts is how often a creation is made anew because what it depends on has changed. Numbers are given one after
// the other: each attempt of many at the same time lets one of them through.
func (x *mutation) maxAttempts() int {
	if x.isNumbered() {
		return 8 * maxChanges
	}
	return maxChanges
}

// isNumbered reports whether a new object of the mutation gets the next number of another one.
func (x *mutation) isNumbered() bool {
	for _, c := range x.d.CountersOf(x.t) {
		if c.Number != "" {
			return true
		}
	}
	return false
}

// sequence adds that the numbers of a new object are the last ones of its parents then.
func (x *mutation) sequence(c *change, base item.Item) error {
	for _, counter := range x.d.CountersOf(x.t) {
		if counter.Number == "" {
			continue
		}
		key, err := ParentKey(x.d, counter, base)
		if err != nil {
			return err
		}
		parent := x.parents[key]
		if parent == nil {
			continue
		}
		c.countAt(key, counter, 1, ParentIdentity(x.d, counter, base))
		last := IfUnset(counter.Attribute)
		if v, has := parent.Get(counter.Attribute); has {
			last = ifRead(x.d.Type(counter.Parent), counter.Attribute, v)
		}
		raised := Action{Kind: ActionUpdate, Key: key, If: []Precondition{last}}
		c.add(c.counts[len(c.counts)-1].part, raised)
	}
	return nil
}

// beginNumbers forgets the numbers of an attempt that failed.
func (x *mutation) beginNumbers() { clear(x.numbers) }

// isSequence reports whether a counter is the last number of a sequence.
func isSequence(c *design.Counter) bool { return c.Number != "" }
