package check

import (
	"fmt"
	"slices"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/write"
)

// A copy that several objects share must hold one with the greatest value of its attribute Latest. No inspection knows
// all of them, so that two passes are needed to repair it. The first one removes what is not a copy of an object, and
// what holds the place of one that was deleted. In any pass, an object with a greater value than that of the copy
// replaces it. Nothing becomes lower in the second pass, so that the greatest is in place at its end, whatever is
// written meanwhile.

// compareLatest compares a base item with the copy that it shares with others.
func (in *inspector) compareLatest(t *design.Type, c design.Copy, base, copied item.Item, r Reader) []Violation {
	key, from := keys.KeyOf(copied), keys.KeyOf(base)
	stored := r.Get(key)
	still := write.CheckItem(from, write.IfUnchanged(in.design, base)...)
	if stored == nil {
		v := tooLow(key, fmt.Sprintf("there is no copy, not even of %s %s", t.Name, in.show(from)))
		return []Violation{v.completedBy("put that", write.PutItem(copied, write.IfMissing()), still)}
	}
	was, _ := stored.Get(c.Latest)
	is, _ := base.Get(c.Latest)
	order := write.Compare(is, was)
	if !keys.IsDeleted(stored) && slices.Equal(distinguishing(t, c, stored), distinguishing(t, c, base)) {
		copied = in.withOthers(t, copied, stored)
		found := in.differs(t, from, stored, copied, still)
		for i := range found {
			found[i].lowers = order < 0
		}
		return found
	}
	if order < 0 || order == 0 && !keys.IsDeleted(stored) {
		return nil
	}
	v := tooLow(key, fmt.Sprintf("%s %s has a greater %s, %s", t.Name, in.show(from), c.Latest, is.Text))
	return []Violation{v.FixedBy("put that", in.update(stored, in.withOthers(t, copied, stored)), still)}
}

// tooLow returns the violation of a copy that does not hold the greatest. The repair of another object may put a
// greater one meanwhile, and this one may be greater still.
func tooLow(key keys.Key, problem string) Violation {
	v := At(key, LatestWrong, problem)
	v.steady = "too low"
	return v
}

// distinguishing returns the values by which an object differs from others that share a copy.
func distinguishing(t *design.Type, c design.Copy, it item.Item) []string {
	var values []string
	for _, a := range write.Distinguishing(t, c, it) {
		values = append(values, a.Name, a.Value.Text)
	}
	return values
}

// inspectLatest looks for the base item of a copy that several objects share.
func (in *inspector) inspectLatest(t *design.Type, c design.Copy, it item.Item, r Reader) []Violation {
	key := keys.KeyOf(it)
	if !keys.IsDeleted(it) {
		found := in.inspectCopy(t, c.Shape, it, r)
		for i := range found {
			found[i].lowers = true
		}
		return found
	}
	v := At(key, LatestUnknown, fmt.Sprintf("the latest %s was deleted, and it is not known which one is next", t.Name))
	v = v.deletedBy(in.hasMore(t, it, nil), "delete this, and put the next one", write.DeleteItem(key,
		write.IfUnchanged(in.design, it)...))
	v.lowers = true
	return []Violation{v}
}
