package check

import (
	"cmp"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/write"
)

// Reader reads what an inspection needs beside the item. While reads are still
// being collected, its results may be incomplete; the result of the inspection is
// then not used.
type Reader interface {
	// Get returns the item with that key, or nil if there is none.
	Get(key keys.Key) item.Item
	// Range returns the items of a partition, of an index or with "" of the table,
	// whose sort keys begin with the prefix.
	Range(index string, pk keys.PK, prefix keys.SK) iter.Seq[item.Item]
}

// Rule is an invariant beyond those of the design.
type Rule struct {
	// Type is the entityType of the items that the rule is about: base items of a
	// type of the design, tombstones included, or items that the design does not
	// have.
	Type string
	// Inspect returns what is wrong with an item. It must depend on nothing but the
	// item and what it reads.
	Inspect func(it item.Item, r Reader) []Violation
}

// inspector inspects items by the design and the rules. Expired items do not exist for it.
type inspector struct {
	design *design.Design
	// now returns the time by the clock of the table.
	now    func() time.Time
	decode func(item.Item) error
	scope  Scope
	rules  map[string][]Rule
}

func newInspector(o Options, now func() time.Time) *inspector {
	rules := map[string][]Rule{}
	for _, rule := range o.Rules {
		rules[rule.Type] = append(rules[rule.Type], rule)
	}
	return &inspector{design: o.Design, now: now, decode: o.Decode, scope: o.Scope, rules: rules}
}

func (in *inspector) inspect(it item.Item, r Reader) []Violation {
	if !in.scope.hasType(in.typeOf(it)) {
		return nil
	}
	return in.within(in.inspectAll(it, r))
}

func (in *inspector) inspectAll(it item.Item, r Reader) []Violation {
	if write.IsOnce(in.design, it) {
		return in.inspectOnce(it)
	}
	expiry := in.design.ExpiryAt(in.now())
	if expiry.IsExpired(it) {
		return nil
	}
	return in.inspectLasting(it, &lasting{r, expiry})
}

// lasting is a Reader without the items that have expired.
type lasting struct {
	Reader
	expiry design.Expiry
}

func (r *lasting) Get(key keys.Key) item.Item {
	it := r.Reader.Get(key)
	if r.expiry.IsExpired(it) {
		return nil
	}
	return it
}

func (r *lasting) Range(index string, pk keys.PK, prefix keys.SK) iter.Seq[item.Item] {
	return func(yield func(item.Item) bool) {
		for it := range r.Reader.Range(index, pk, prefix) {
			if !r.expiry.IsExpired(it) && !yield(it) {
				return
			}
		}
	}
}

func (in *inspector) inspectLasting(it item.Item, r Reader) []Violation {
	t, key := in.design.Type(it.Type()), keys.KeyOf(it)
	if t == nil {
		if of, u := write.ClaimOf(in.design, it); of != nil {
			return in.inspectClaim(of, u, it, r)
		}
		return in.inspectForeign(it, r)
	}
	var found []Violation
	if n := t.StoredSize(it); n > t.MaxBytes {
		problem := fmt.Sprintf("this %s takes %d bytes; at most %d are allowed", t.Name, n, t.MaxBytes)
		found = append(found, At(key, ItemTooLarge, problem))
	}
	if t.IsBase(key) {
		found = append(found, inspectExpiry(t, it)...)
	}
	if t.HasDelimiter(it) && t.Agrees(it) {
		return found // What follows from it cannot be written, so nothing can be missing.
	}
	if t.IsBase(key) {
		return append(found, in.inspectBase(t, it, r)...)
	}
	for _, c := range t.Copies {
		switch {
		case !c.Holds(key):
		case c.Latest != "":
			return append(found, in.inspectLatest(t, c, it, r)...)
		default:
			return append(found, in.inspectCopy(t, c.Shape, it, r)...)
		}
	}
	return append(found, At(key, KeyWrong, "no "+t.Name+" is stored under such a key"))
}

// inspectExpiry finds an attribute by which DynamoDB would never delete the item, of a type whose items expire. One
// that is a field is found as what is not stored in its format.
func inspectExpiry(t *design.Type, it item.Item) []Violation {
	v, has := it.Get(t.Expires)
	if !has || v.Kind == item.Null || t.Attribute(t.Expires) != nil {
		return nil
	}
	problem := ""
	if at, err := item.AsFloat(v); err != nil {
		problem = fmt.Sprintf("%s is a %s: DynamoDB deletes items by a Number of seconds since 1970", t.Expires, v.Kind)
	} else if at > lastExpiry {
		problem = fmt.Sprintf("%s is %s, which may be milliseconds: DynamoDB deletes items by seconds since 1970",
			t.Expires, v.Text)
	}
	if problem == "" {
		return nil
	}
	return []Violation{At(keys.KeyOf(it), ExpiryWrong, problem)}
}

// lastExpiry is the end of the year 9999 in seconds since 1970: milliseconds from May 1978 on are above it.
const lastExpiry = 253402300799

// inspectForeign inspects an item whose type is not in the design.
func (in *inspector) inspectForeign(it item.Item, r Reader) []Violation {
	rules := in.rules[it.Type()]
	if len(rules) > 0 {
		return apply(rules, it, r)
	}
	problem := "the item has no " + cmp.Or(in.design.Layout.Type, "key of a type")
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

func (in *inspector) inspectBase(t *design.Type, it item.Item, r Reader) []Violation {
	key := keys.KeyOf(it)
	if keys.IsDeleted(it) {
		return append(in.counters(t, it, r), apply(in.rules[t.Name], it, r)...)
	}
	if in.lacksCounter(t, it) {
		// Without it this is no object of the type. What else is wrong is found afterwards.
		if found := in.counters(t, it, r); len(found) > 0 {
			return found
		}
	}
	var err error
	if in.decode != nil {
		err = in.decode(it)
	}
	var items []item.Item
	if err == nil {
		err = write.CheckAttributes(t, it)
	}
	if err == nil {
		items, err = write.ItemsOf(in.design, t, it)
	}
	if err != nil {
		return []Violation{At(key, ItemInvalid, fmt.Sprintf("this is no %s: %v", t.Name, err))}
	}
	if at := keys.KeyOf(items[0]); at != key {
		return []Violation{At(key, KeyWrong, fmt.Sprintf("its attributes are those of %s", in.show(at)))}
	}
	var found []Violation
	for _, v := range in.wrongEntries(t, it, in.withOthers(t, items[0], it)) {
		found = append(found, v.FixedBy("make them anew", v.Actions...))
	}
	for i, copied := range items[1:] {
		if c := t.Copies[i]; c.Latest != "" {
			found = append(found, in.compareLatest(t, c, it, copied, r)...)
			continue
		}
		found = append(found, in.compareCopy(t, it, copied, r)...)
	}
	found = append(found, in.references(t, it, items, r)...)
	found = append(found, in.counters(t, it, r)...)
	found = append(found, in.claims(t, it, r)...)
	return append(found, apply(in.rules[t.Name], it, r)...)
}

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
		still := write.CheckItem(from, write.IfMissing())
		return []Violation{At(key, CopyOrphan, problem).deletedBy(in.needed(t, from, it, r), "delete it", remove,
			still)}
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

// references finds references to objects that do not exist. An edge that lacks one of its ends is
// useless and is deleted; any other item may be of value.
func (in *inspector) references(t *design.Type, it item.Item, items []item.Item, r Reader) []Violation {
	var found []Violation
	for _, a := range references(in.design, t) {
		target, err := referencedKey(in.design, a, it)
		if err != nil {
			continue // The item is invalid, or its key is wrong.
		}
		named := r.Get(target)
		if named.Type() == a.Ref {
			continue
		}
		v := At(keys.KeyOf(it), ReferenceBroken,
			fmt.Sprintf("%s names %s %s, which does not exist", a.Name, a.Ref, in.show(target)))
		v.part = a.Name
		if named == nil && isEdge(in.design, t) {
			actions := write.Delete(in.design, items)
			actions[0].If = write.IfUnchanged(in.design, it)
			still := write.CheckItem(target, write.IfMissing())
			why := cmp.Or(in.otherCase(target, r), in.anyHasMore(t, it, items, r))
			v = v.deletedBy(why, "delete the "+t.Name+" and its copies", append(actions, still)...)
		}
		found = append(found, v)
	}
	return found
}

// counters compares each counter with its collection. An item of a type that got the counter later may lack it.
func (in *inspector) counters(t *design.Type, it item.Item, r Reader) []Violation {
	var found []Violation
	for counter, f := range in.design.Counted(t) {
		c, err := f.Bind(func(name string) keys.Value { return keys.AttributeValue(it, name) }).Condition()
		if err != nil || c.IsEmpty() {
			continue // A collection that depends on an argument has no counter.
		}
		n := 0
		for _, p := range c.Partitions {
			for counted := range r.Range(f.Index, p.PK, c.Prefix) {
				sk := keys.SK(counted.Text(keys.IndexSK(f.Index)))
				if c.Contains(sk) && slices.Contains(f.Types, counted.Type()) {
					n++
				}
			}
		}
		stored, has := it.Get(counter)
		if stored.Text == strconv.Itoa(n) {
			continue
		}
		problem, condition := fmt.Sprintf("%s is %s", counter, stored.Text), write.IfEquals(counter, stored)
		if !has {
			problem, condition = counter+" is missing", write.IfUnset(counter)
		}
		v := At(keys.KeyOf(it), CounterWrong, fmt.Sprintf("%s; %s has %d", problem, f.Coordinate(), n))
		// A counter and its collection may change together while they are confirmed;
		// their difference does not.
		have, _ := strconv.Atoi(stored.Text)
		v.part, v.steady = counter, strconv.Itoa(n-have)
		v.isLossless = true
		found = append(found, v.FixedBy("set it to the count", write.Action{
			Kind: write.ActionUpdate, Key: keys.KeyOf(it), Type: it.Type(),
			Set: item.Item{{Name: counter, Value: item.NumberValue(n)}}, If: []write.Precondition{condition},
		}))
	}
	return found
}

// lacksCounter reports whether an item lacks an attribute that counts.
func (in *inspector) lacksCounter(t *design.Type, it item.Item) bool {
	for counter := range in.design.Counted(t) {
		if _, has := it.Get(counter); !has {
			return true
		}
	}
	return false
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
