package check

import (
	"fmt"
	"slices"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/write"
)

// tombstone inspects the base item of a deleted object of a type that has something below it: it has nothing else of
// the object, and is in the list of the sweep.
func (in *inspector) tombstone(t *design.Type, it item.Item, r Reader) []Violation {
	if len(in.design.Below(t)) == 0 {
		return nil
	}
	at := keys.KeyOf(it)
	whole, err := write.Tombstone(in.design, t, it)
	if err != nil {
		return []Violation{At(at, TombstoneWrong, fmt.Sprintf("the sweep cannot remove this %s: %v", t.Name, err))}
	}
	var found []Violation
	if change := write.Change(it, whole); len(change.Set)+len(change.Remove) > 0 {
		change.If = write.IfUnchanged(in.design, it)
		v := At(at, TombstoneWrong, fmt.Sprintf("the item of a deleted %s has more than its counters", t.Name))
		found = append(found, v.FixedBy("make it as its deletion does", change))
	}
	listed, put, err := write.Listed(in.design, t, it)
	if err == nil && r.Get(listed.Key) == nil {
		v := At(at, TombstoneWrong, fmt.Sprintf("the sweep does not find this %s: the list has no %s", t.Name,
			in.show(listed.Key)))
		v.part = "list"
		found = append(found, v.completedBy("put it", put, write.CheckItem(at, write.IfUnchanged(in.design, it)...)))
	}
	return found
}

// deletion inspects an item in the list of the sweep. One whose object is gone is deleted by the sweep.
func (in *inspector) deletion(n write.Deletion) []Violation {
	if _, err := write.NewSweep(in.design, n); err != nil {
		return []Violation{At(n.Key, TombstoneWrong, "the sweep cannot remove an object of the list: "+err.Error())}
	}
	return nil
}

// parents finds objects below one that does not exist. What is known are the keys of objects that are found to be
// missing already.
func (in *inspector) parents(t *design.Type, it item.Item, r Reader, known []keys.Key) []Violation {
	var found []Violation
	for _, f := range in.design.Fields {
		if !f.Cascades || !slices.Contains(f.Types, t.Name) {
			continue
		}
		parent := in.design.Type(f.Parent)
		c := in.design.ParentIn(f, t)
		if c == nil {
			continue
		}
		key, err := write.ParentKey(in.design, c, it)
		if err != nil || key == (keys.Key{}) || slices.Contains(known, key) || r.Get(key).Type() == parent.Name {
			continue
		}
		known = append(known, key)
		v := At(keys.KeyOf(it), ReferenceBroken,
			fmt.Sprintf("it is one of %s of %s, which does not exist", f.Coordinate(), in.show(key)))
		v.part, v.isOfAnother = f.Coordinate(), true
		found = append(found, v)
	}
	return found
}
