package check

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/write"
)

// wrongEntries returns a violation for each index in which an item has another entry than it should have, with the
// action that corrects it. The keys of indexes that are attributes are corrected with them.
func (in *inspector) wrongEntries(t *design.Type, it, wanted item.Item) []Violation {
	var found []Violation
	indexes, others := in.entries(in.differences(t, it, wanted))
	if len(others) > 0 {
		indexes[""] = others
	}
	for _, index := range slices.Sorted(maps.Keys(indexes)) {
		names := indexes[index]
		v := At(keys.KeyOf(it), IndexEntryWrong, "not what follows from the other attributes: "+in.inTable(t, names))
		if in.design.HasOtherWriters() {
			v.Problem = in.bothValues(t, it, wanted, names)
		}
		v.index, v.part = index, index
		v.Actions = []write.Action{in.update(it, withValues(it, wanted, names))}
		found = append(found, v)
	}
	return found
}

// bothValues describes attributes that differ from what follows from the others: one of both may be meant.
func (in *inspector) bothValues(t *design.Type, it, wanted item.Item, names []string) string {
	var parts []string
	for _, name := range names {
		is, _ := it.Get(name)
		follows, _ := wanted.Get(name)
		stored, _ := in.design.StoredAttributes(t, name, is)
		right, _ := in.design.StoredAttributes(t, name, follows)
		for i := range stored {
			if !stored[i].Value.Equal(right[i].Value) {
				parts = append(parts, fmt.Sprintf("%s is %s, and %s follows from the other attributes", stored[i].Name,
					shown(stored[i].Value), shown(right[i].Value)))
			}
		}
	}
	return strings.Join(parts, "; ")
}

func shown(v item.Value) string {
	if v.Text == "" {
		return "unset"
	}
	return strconv.Quote(v.Text)
}

// inTable lists attributes of a type by their names in the table. A key of an index that is another attribute there
// is left out.
func (in *inspector) inTable(t *design.Type, names []string) string {
	stored := make([]string, 0, len(names))
	for _, name := range names {
		of, _ := in.design.StoredAttributes(t, name, item.Value{})
		for _, a := range of {
			stored = append(stored, a.Name)
		}
	}
	return strings.Join(stored, ", ")
}

// compareCopy compares a copy with its base item, which is right by definition.
func (in *inspector) compareCopy(t *design.Type, base, copied item.Item, r Reader) []Violation {
	key, from := keys.KeyOf(copied), keys.KeyOf(base)
	stored := r.Get(key)
	still := write.CheckItem(from, write.IfUnchanged(in.design, base)...)
	if stored == nil {
		v := At(key, CopyMissing, fmt.Sprintf("%s %s has no copy here", t.Name, in.show(from)))
		return []Violation{v.completedBy("put it", write.PutItem(copied, write.IfMissing()), still)}
	}
	copied = in.withOthers(t, copied, stored)
	return in.differs(t, from, stored, copied, still)
}

// differs returns the violations of a copy with other attributes than its base item requires.
func (in *inspector) differs(t *design.Type, from keys.Key, stored, copied item.Item, still write.Action) []Violation {
	names := in.differences(t, stored, copied)
	if len(names) == 0 {
		return nil
	}
	const fix = "make it as that is"
	if _, others := in.entries(names); len(others) > 0 {
		v := At(keys.KeyOf(copied), CopyDiffers, fmt.Sprintf("not as in %s: %s", in.show(from), in.inTable(t, names)))
		return []Violation{v.FixedBy(fix, in.update(stored, copied), still)}
	}
	found := in.wrongEntries(t, stored, copied)
	for i, v := range found {
		found[i] = v.FixedBy(fix, append(v.Actions, still)...)
	}
	return found
}

// inspectCopy looks for the base item of a copy. The inspection of the base item
// compares the two.
func (in *inspector) inspectCopy(t *design.Type, copied keys.Shape, it item.Item, r Reader) []Violation {
	key := keys.KeyOf(it)
	from, err := baseKey(t, copied, key, it)
	if err != nil {
		return []Violation{At(key, KeyWrong, fmt.Sprintf("the key is not that of a copy: %v", err))}
	}
	base := r.Get(from)
	if base == nil && isIncomplete(r) {
		return nil // What needs the copy is looked up only if the base item is known to be missing.
	}
	remove := write.DeleteItem(key, write.IfUnchanged(in.design, it)...)
	if base == nil {
		problem := fmt.Sprintf("there is no %s %s that this would be a copy of", t.Name, in.show(from))
		v := At(key, CopyOrphan, problem)
		v.isOfAnother = true
		still := write.CheckItem(from, write.IfMissing())
		return []Violation{v.deletedBy(in.needed(t, from, it, r), "delete it", remove, still)}
	}
	if base.Type() != t.Name {
		problem := fmt.Sprintf("%s, which this would be a copy of, is no %s", in.show(from), t.Name)
		return []Violation{At(key, CopyOrphan, problem)}
	}
	if keys.IsDeleted(base) {
		return nil // Its copies are deleted step by step.
	}
	items, err := write.ItemsOf(in.design, t, base)
	if err != nil || keys.KeyOf(items[0]) != from {
		return nil // The inspection of the base item finds this.
	}
	if slices.ContainsFunc(items[1:], func(it item.Item) bool { return keys.KeyOf(it) == key }) {
		return nil
	}
	v := At(key, CopyOrphan, fmt.Sprintf("%s %s has no copy under this key", t.Name, in.show(from)))
	still := write.CheckItem(from, write.IfUnchanged(in.design, base)...)
	return []Violation{v.deletedBy(in.hasMore(t, it, base), "delete it", remove, still)}
}

// update changes the stored item into another with the same key, on the condition
// that it is still as it was read.
func (in *inspector) update(stored, wanted item.Item) write.Action {
	a := write.Change(stored, wanted)
	a.If = write.IfUnchanged(in.design, stored)
	return a
}

// differences returns the names of the attributes in which a stored item differs from what it should be, without
// those of an index in which neither has an entry: another program may write one attribute of its key without the
// other, or leave it when it removes the entry.
func (in *inspector) differences(t *design.Type, stored, wanted item.Item) []string {
	names := differences(stored, wanted)
	for _, ix := range t.Indexes {
		if len(names) == 0 {
			return nil
		}
		pk, sk := keys.IndexPK(ix.Name), keys.IndexSK(ix.Name)
		hasSK := len(in.design.Layout.Index(ix.Name).SK) > 0
		hasEntry := func(it item.Item) bool { return it.Text(pk) != "" && (!hasSK || it.Text(sk) != "") }
		if !hasEntry(stored) && !hasEntry(wanted) {
			names = slices.DeleteFunc(names, func(name string) bool { return name == pk || name == sk })
		}
	}
	return names
}

// differences returns the names of the attributes in which two items differ, in
// order.
func differences(a, b item.Item) []string {
	var names []string
	for _, pair := range [...][2]item.Item{{a, b}, {b, a}} {
		for _, attribute := range pair[0].WithoutNulls() {
			if v, ok := pair[1].Get(attribute.Name); !ok || !v.Equal(attribute.Value) {
				names = append(names, attribute.Name)
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// entries returns the indexes in whose keys two items differ, with the names of these attributes, and the other names.
func (in *inspector) entries(names []string) (indexes map[string][]string, others []string) {
	indexes = map[string][]string{}
	for _, name := range names {
		others = append(others, name)
		for _, ix := range in.design.IndexNames() {
			if name == keys.IndexPK(ix) || name == keys.IndexSK(ix) {
				indexes[ix] = append(indexes[ix], name)
				others = others[:len(others)-1]
				break
			}
		}
	}
	return indexes, others
}

// withValues returns an item with the values that another one has for some attributes.
func withValues(it, of item.Item, names []string) item.Item {
	changed := slices.DeleteFunc(slices.Clone(it), func(a item.Attribute) bool { return slices.Contains(names, a.Name) })
	for _, a := range of {
		if slices.Contains(names, a.Name) {
			changed = append(changed, a)
		}
	}
	return changed
}
