package check

import (
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/write"
)

// Reader reads what stands beside an item that is inspected. What it gives may
// be unfinished while the reads are being collected; the inspection's result is
// then not used.
type Reader interface {
	// Get is the item with that key, nil when there is none.
	Get(key keys.Key) item.Item
	// Range are the items of a partition, of an index or with "" of the table,
	// whose sort keys begin with the prefix.
	Range(index string, pk keys.PK, prefix keys.SK) iter.Seq[item.Item]
}

// Rule is an invariant that the design does not tell.
type Rule struct {
	// Type is the entityType of the items that the rule is about: base items of a
	// type of the design, those that are marked as deleted among them, or items that
	// only rules know.
	Type string
	// Inspect gives what is wrong with an item. It must depend on nothing but the
	// item and what it reads.
	Inspect func(it item.Item, r Reader) []Violation
}

// inspector knows what must hold for an item.
type inspector struct {
	design *keys.Design
	decode func(item.Item) error
	rules  map[string][]Rule
}

func (in *inspector) inspect(it item.Item, r Reader) []Violation {
	t, key := in.design.Type(it.Type()), keys.KeyOf(it)
	if t == nil {
		return in.inspectForeign(it, r)
	}
	var found []Violation
	if n := it.Size(); n > t.MaxBytes {
		found = append(found, At(key, ItemTooLarge, fmt.Sprintf("this %s takes %d bytes; at most %d are allowed", t.Name, n, t.MaxBytes)))
	}
	if t.Item.Holds(key) {
		return append(found, in.inspectBase(t, it, r)...)
	}
	for _, copied := range t.Copies {
		if copied.Holds(key) {
			return append(found, in.inspectCopy(t, copied, it, r)...)
		}
	}
	return append(found, At(key, KeyWrong, "no "+t.Name+" is stored under such a key"))
}

// inspectForeign looks at an item that is none of the design's.
func (in *inspector) inspectForeign(it item.Item, r Reader) []Violation {
	rules := in.rules[it.Type()]
	if len(rules) > 0 {
		return apply(rules, it, r)
	}
	problem := "the item has no " + item.EntityType
	if name := it.Type(); name != "" {
		problem = strconv.Quote(name) + " is no type of the schema"
	}
	return []Violation{At(keys.KeyOf(it), ItemUnknown, problem)}
}

func apply(rules []Rule, it item.Item, r Reader) []Violation {
	var found []Violation
	for _, rule := range rules {
		found = append(found, rule.Inspect(it, r)...)
	}
	return found
}

func (in *inspector) inspectBase(t *keys.Type, it item.Item, r Reader) []Violation {
	key := keys.KeyOf(it)
	if keys.IsDeleted(it) {
		return append(in.counters(t, it, r), apply(in.rules[t.Name], it, r)...)
	}
	forms, err := write.ItemsOf(in.design, t, it)
	if err == nil && in.decode != nil {
		err = in.decode(it)
	}
	if err != nil {
		return []Violation{At(key, ItemInvalid, fmt.Sprintf("this is no %s: %v", t.Name, err))}
	}
	if at := keys.KeyOf(forms[0]); at != key {
		return []Violation{At(key, KeyWrong, fmt.Sprintf("its attributes are those of %s %s", at.PK, at.SK))}
	}
	var found []Violation
	if names := differences(it, forms[0]); len(names) > 0 {
		found = append(found, At(key, IndexEntryWrong, wrongEntry(names)).MendedBy("make them anew", in.update(it, forms[0])))
	}
	for _, form := range forms[1:] {
		found = append(found, in.compareCopy(t, it, form, r)...)
	}
	found = append(found, in.references(t, it, forms, r)...)
	found = append(found, in.counters(t, it, r)...)
	return append(found, apply(in.rules[t.Name], it, r)...)
}

func wrongEntry(names []string) string {
	return "not what follows from the other attributes: " + strings.Join(names, ", ")
}

// compareCopy looks at a copy from its base item, which is the truth.
func (in *inspector) compareCopy(t *keys.Type, base, form item.Item, r Reader) []Violation {
	key, from := keys.KeyOf(form), keys.KeyOf(base)
	stored := r.Get(key)
	still := write.Action{Kind: write.ActionCheck, Key: from, If: write.IfUnchanged(in.design, base)}
	if stored == nil {
		v := At(key, CopyMissing, fmt.Sprintf("%s %s %s has no copy here", t.Name, from.PK, from.SK))
		return []Violation{v.MendedBy("put it", write.PutItem(form, write.IfMissing()), still)}
	}
	names := differences(stored, form)
	if len(names) == 0 {
		return nil
	}
	v := At(key, IndexEntryWrong, wrongEntry(names))
	if slices.ContainsFunc(names, func(name string) bool { return !in.design.IsIndexAttribute(name) }) {
		v = At(key, CopyDiffers, fmt.Sprintf("not as in %s %s: %s", from.PK, from.SK, strings.Join(names, ", ")))
	}
	return []Violation{v.MendedBy("make it as that is", in.update(stored, form), still)}
}

// inspectCopy looks at a copy for the base item that it must have. Whether it is
// as that is found from there.
func (in *inspector) inspectCopy(t *keys.Type, copied keys.Shape, it item.Item, r Reader) []Violation {
	key := keys.KeyOf(it)
	from, err := baseKey(t, copied, key, it)
	if err != nil {
		return []Violation{At(key, KeyWrong, fmt.Sprintf("the key is not that of a copy: %v", err))}
	}
	base := r.Get(from)
	remove := write.Action{Kind: write.ActionDelete, Key: key, If: write.IfUnchanged(in.design, it)}
	if base == nil {
		v := At(key, CopyOrphan, fmt.Sprintf("there is no %s %s %s that this would be a copy of", t.Name, from.PK, from.SK))
		return []Violation{v.MendedBy("delete it", remove, write.Action{Kind: write.ActionCheck, Key: from, If: []write.Precondition{write.IfMissing()}})}
	}
	if base.Type() != t.Name {
		return []Violation{At(key, CopyOrphan, fmt.Sprintf("%s %s, which this would be a copy of, is no %s", from.PK, from.SK, t.Name))}
	}
	if keys.IsDeleted(base) {
		return nil // Its copies go step by step.
	}
	forms, err := write.ItemsOf(in.design, t, base)
	if err != nil || keys.KeyOf(forms[0]) != from {
		return nil // Found where the base item is inspected.
	}
	for _, form := range forms[1:] {
		if keys.KeyOf(form) == key {
			return nil
		}
	}
	v := At(key, CopyOrphan, fmt.Sprintf("%s %s %s has no copy under this key", t.Name, from.PK, from.SK))
	return []Violation{v.MendedBy("delete it", remove, write.Action{Kind: write.ActionCheck, Key: from, If: write.IfUnchanged(in.design, base)})}
}

// references looks for the objects that an item's key names. An edge without an
// end is of no use to anyone; whatever else lost its owner may be.
func (in *inspector) references(t *keys.Type, it item.Item, forms []item.Item, r Reader) []Violation {
	var found []Violation
	for _, a := range references(in.design, t) {
		target, err := referencedKey(in.design, a, it)
		if err != nil {
			continue // The key would not fit either.
		}
		named := r.Get(target)
		if named.Type() == a.Ref {
			continue
		}
		v := At(keys.KeyOf(it), ReferenceBroken, fmt.Sprintf("%s names %s %s %s, which does not exist", a.Name, a.Ref, target.PK, target.SK))
		v.part = a.Name
		if named == nil && isEdge(in.design, t) {
			actions := write.Delete(forms)
			actions[0].If = write.IfUnchanged(in.design, it)
			v = v.MendedBy("delete the "+t.Name+" and its copies",
				append(actions, write.Action{Kind: write.ActionCheck, Key: target, If: []write.Precondition{write.IfMissing()}})...)
		}
		found = append(found, v)
	}
	return found
}

// counters counts the collections that have a counter.
func (in *inspector) counters(t *keys.Type, it item.Item, r Reader) []Violation {
	var found []Violation
	for _, f := range in.design.Fields {
		if f.Count == "" || f.Parent != t.Name {
			continue
		}
		c := f.Condition(func(name string) keys.Value { return keys.AttributeValue(it, name) })
		if c.Err != nil || c.Absent {
			continue // A collection that only exists for an argument has no counter.
		}
		n := 0
		for _, p := range c.Partitions {
			for range r.Range(f.Index, p.PK, c.Prefix) {
				n++
			}
		}
		stored, _ := it.Get(f.Count)
		if stored.Text == strconv.Itoa(n) {
			continue
		}
		v := At(keys.KeyOf(it), CounterWrong, fmt.Sprintf("%s is %s; %s has %d", f.Count, stored.Text, f.Coordinate(), n))
		// A counter and its collection may change together while they are confirmed;
		// how far they are apart does not.
		have, _ := strconv.Atoi(stored.Text)
		v.part, v.steady = f.Count, strconv.Itoa(n-have)
		found = append(found, v.MendedBy("set it to the count", write.Action{
			Kind: write.ActionUpdate, Key: keys.KeyOf(it),
			Set: item.Item{{Name: f.Count, Value: item.NumberValue(n)}},
			If:  []write.Precondition{write.IfEquals(f.Count, stored)},
		}))
	}
	return found
}

// update turns an item into another with the same key, while it is as it was
// read.
func (in *inspector) update(stored, form item.Item) write.Action {
	a := write.Change(stored, form)
	a.If = write.IfUnchanged(in.design, stored)
	return a
}

// differences names the attributes in which two items differ, in order.
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
