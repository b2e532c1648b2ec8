package check

import (
	"context"
	"iter"
	"slices"
	"strings"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/write"
)

// Change is a change of one item of the engine, which is nil where there is none. Both have the same key.
type Change struct{ Before, After item.Item }

// maxReferring is how many items with a reference to an object are inspected when it comes or goes.
const maxReferring = 25

// Breaks returns what would be wrong after a change and is not wrong now: with the item, with the others of its object,
// which are its base item, copies and claims, and with the objects that count it. If an object comes or goes, some of
// those that refer to it are inspected as well. Nothing is written. The keys of the violations are without the tenant,
// which the context has. Errors are those of the Source.
func Breaks(ctx context.Context, source Source, o Options, c Change) ([]Violation, Cost, error) {
	p, err := newPass(source, o, Cost{})
	if err != nil {
		return nil, Cost{}, err
	}
	r := p.strong(ctx)
	then := &changed{r, c}
	near := p.inspector.near(c, r, then)
	now := p.inspector.inspectEach(near, r)
	found := slices.DeleteFunc(p.inspector.inspectEach(near, then), func(v Violation) bool {
		return slices.ContainsFunc(now, func(n Violation) bool { return n.slot() == v.slot() && n.Problem == v.Problem })
	})
	return found, p.meter.spent(), r.err
}

// Around returns what is wrong after a change where Breaks looks, whatever it was before.
func Around(ctx context.Context, source Source, o Options, c Change) ([]Violation, Cost, error) {
	p, err := newPass(source, o, Cost{})
	if err != nil {
		return nil, Cost{}, err
	}
	r := p.strong(ctx)
	found := p.inspector.inspectEach(p.inspector.near(c, r, r), r)
	return found, p.meter.spent(), r.err
}

// inspectEach inspects the items with these keys, and returns each violation once.
func (in *inspector) inspectEach(all []keys.Key, r Reader) []Violation {
	var found []Violation
	for _, key := range all {
		it := r.Get(key)
		if it == nil {
			continue
		}
		for _, v := range in.inspect(it, r) {
			if !slices.ContainsFunc(found, func(f Violation) bool { return f.slot() == v.slot() }) {
				found = append(found, v)
			}
		}
	}
	return found
}

// near returns the keys of the items that a change may break, each once.
func (in *inspector) near(c Change, before, after Reader) []keys.Key {
	all := append(in.nearItem(c.Before, before), in.nearItem(c.After, after)...)
	if c.Before.Type() != c.After.Type() {
		all = append(append(all, in.referring(c.Before, before)...), in.referring(c.After, after)...)
	}
	seen := map[keys.Key]bool{}
	return slices.DeleteFunc(all, func(key keys.Key) bool {
		isAgain := seen[key]
		seen[key] = true
		return isAgain
	})
}

// nearItem returns the keys of an item, of the others of its object, and of those that count it.
func (in *inspector) nearItem(it item.Item, r Reader) []keys.Key {
	if it == nil {
		return nil
	}
	t, object := in.objectOf(it, r)
	all := append([]keys.Key{keys.KeyOf(it)}, in.counting(t, it)...)
	if object == nil {
		return all
	}
	all = append(append(all, keys.KeyOf(object)), in.counting(t, object)...)
	if items, err := write.ItemsOf(in.design, t, object); err == nil {
		for _, stored := range items {
			all = append(all, keys.KeyOf(stored))
		}
	}
	for _, u := range t.Uniques {
		if claim, err := write.UniqueClaim(t, u, object); err == nil && claim != nil {
			all = append(all, keys.KeyOf(claim))
		}
	}
	return all
}

// counting returns the keys of the objects with counters of an item of a type, which may be nil.
func (in *inspector) counting(t *design.Type, it item.Item) []keys.Key {
	if t == nil {
		return nil
	}
	counters := in.design.CountersOf(t)
	for _, parent := range in.design.Types {
		for _, f := range in.design.Counted(parent) {
			if c := in.design.ParentIn(f, t); c != nil && slices.Contains(f.Types, t.Name) {
				counters = append(counters, c)
			}
		}
	}
	var all []keys.Key
	for _, c := range counters {
		if key, err := write.ParentKey(in.design, c, it); err == nil && key != (keys.Key{}) {
			all = append(all, key)
		}
	}
	return all
}

// objectOf returns the base item that an item is, is a copy of, or claims a value for, and its type; nil if there is
// none.
func (in *inspector) objectOf(it item.Item, r Reader) (*design.Type, item.Item) {
	key := keys.KeyOf(it)
	t := in.design.Type(it.Type())
	if t == nil {
		of, u := write.ClaimOf(in.design, it)
		if of == nil || !write.UniqueClaims(of, u).HasHolder(it) {
			return nil, nil
		}
		holder, err := write.ObjectKey(of, write.UniqueClaims(of, u).HolderOf(it))
		if err != nil {
			return nil, nil
		}
		return of, r.Get(holder)
	}
	if from := in.baseOf(t, it); from != key {
		return t, r.Get(from)
	}
	return t, it
}

// baseOf returns the key of the base item of a copy; of any other item its own.
func (in *inspector) baseOf(t *design.Type, it item.Item) keys.Key {
	key := keys.KeyOf(it)
	if t.IsBase(key) {
		return key
	}
	for _, c := range t.Copies {
		if !c.Holds(key) {
			continue
		}
		if from, err := baseKey(t, c.Shape, key, it); err == nil {
			return from
		}
	}
	return key
}

// referring returns the keys of objects that refer to one, or that are deleted with it.
func (in *inspector) referring(it item.Item, r Reader) []keys.Key {
	t := in.design.Type(it.Type())
	if t == nil || !t.IsBase(keys.KeyOf(it)) {
		return nil
	}
	var all []keys.Key
	add := func(index string, pk keys.PK, prefix keys.SK, isOne func(item.Item) bool) {
		n := 0
		for one := range r.Range(index, pk, prefix) {
			if of := in.design.Type(one.Type()); of != nil && isOne(one) {
				all, n = append(all, in.baseOf(of, one)), n+1
			}
			if n == maxReferring {
				return
			}
		}
	}
	for _, other := range in.design.Types {
		for _, a := range other.Attributes {
			if a.Ref != t.Name || len(t.Identity) != 1 || other == t && slices.Contains(t.Identity, a.Name) {
				continue
			}
			id := it.Text(t.Identity[0])
			if index, pk, ok := partitionBy(other, a.Name, id); ok {
				add(index, pk, "", func(one item.Item) bool { return one.Type() == other.Name && one.Text(a.Name) == id })
			}
		}
	}
	for _, f := range in.design.Below(t) {
		c, err := f.Bind(func(name string) keys.Value { return keys.AttributeValue(it, name) }).Condition()
		if err != nil || c.IsEmpty() {
			continue
		}
		for _, p := range c.Partitions {
			add(f.Index, p.PK, c.Prefix, func(one item.Item) bool { return slices.Contains(f.Types, one.Type()) })
		}
	}
	return all
}

// changed is a Reader of the table as it would be after a change.
type changed struct {
	Reader
	change Change
}

func (r *changed) key() keys.Key {
	if r.change.After != nil {
		return keys.KeyOf(r.change.After)
	}
	return keys.KeyOf(r.change.Before)
}

func (r *changed) Get(key keys.Key) item.Item {
	if key == r.key() {
		return r.change.After
	}
	return r.Reader.Get(key)
}

func (r *changed) Range(index string, pk keys.PK, prefix keys.SK) iter.Seq[item.Item] {
	return func(yield func(item.Item) bool) {
		for it := range r.Reader.Range(index, pk, prefix) {
			if keys.KeyOf(it) != r.key() && !yield(it) {
				return
			}
		}
		if r.isIn(index, pk, prefix) {
			yield(r.change.After)
		}
	}
}

// isIn reports whether the item is in a partition, with a sort key that begins with the prefix.
func (r *changed) isIn(index string, pk keys.PK, prefix keys.SK) bool {
	after := r.change.After
	return after.Text(keys.IndexPK(index)) == string(pk) &&
		strings.HasPrefix(after.Text(keys.IndexSK(index)), string(prefix))
}
