package check

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/write"
)

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
	if n, is := write.DeletionOf(in.design, it); is {
		return in.deletion(n)
	}
	expiry := in.design.ExpiryAt(in.now())
	if expiry.IsExpired(it) {
		return nil
	}
	return in.inspectLasting(it, &lasting{r, expiry})
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
		found := append(in.tombstone(t, it, r), in.counters(t, it, r)...)
		return append(found, apply(in.rules[t.Name], it, r)...)
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
	found = append(found, in.uncounted(t, it, r)...)
	found = append(found, in.sequences(t, it, r)...)
	found = append(found, in.claims(t, it, r)...)
	return append(found, apply(in.rules[t.Name], it, r)...)
}

// references finds references to objects that do not exist. An edge that lacks one of its ends is useless and can be
// deleted; any other item may be of value.
func (in *inspector) references(t *design.Type, it item.Item, items []item.Item, r Reader) []Violation {
	var found []Violation
	var missing []keys.Key
	for _, a := range references(in.design, t) {
		target, err := referencedKey(in.design, a, it)
		if err != nil {
			continue // The item is invalid, or its key is wrong.
		}
		named := r.Get(target)
		isOnDemand := slices.ContainsFunc(in.design.CountersOf(t), func(c *design.Counter) bool {
			return c.OnDemand && c.Parent == a.Ref
		})
		if named.Type() == a.Ref || isOnDemand { // or uncounted finds it
			continue
		}
		v := At(keys.KeyOf(it), ReferenceBroken,
			fmt.Sprintf("%s names %s %s, which does not exist", a.Name, a.Ref, in.show(target)))
		missing = append(missing, target)
		v.part, v.isOfAnother = a.Name, true
		if named == nil && isEdge(in.design, t) && !isIncomplete(r) {
			actions := write.Delete(in.design, items)
			actions[0].If = write.IfUnchanged(in.design, it)
			still := write.CheckItem(target, write.IfMissing())
			why := cmp.Or(in.otherCase(target, r), in.named(t, it, r), in.anyHasMore(t, it, items, r))
			v = v.deletedBy(why, "delete the "+t.Name+" and its copies", append(actions, still)...)
		}
		found = append(found, v)
	}
	return append(found, in.parents(t, it, r, missing)...)
}

// counters compares each counter with its collection. An item of a type that got the counter later may lack it.
func (in *inspector) counters(t *design.Type, it item.Item, r Reader) []Violation {
	var found []Violation
	for counter, f := range in.design.Counted(t) {
		n, isCounted := in.number(t, counter, f, it, r)
		stored, has := it.Get(counter)
		if !isCounted || stored.Text == strconv.Itoa(n) {
			continue
		}
		problem, condition := fmt.Sprintf("%s is %s", counter, stored.Text), write.IfEquals(counter, stored)
		if !has {
			problem, condition = counter+" is missing", write.IfUnset(counter)
		}
		v := At(keys.KeyOf(it), CounterWrong, problem+"; "+counted(in.design.Counter(t, counter, f.Types[0]), f, n))
		// A counter and its collection may change together while they are confirmed;
		// their difference does not.
		have, _ := strconv.Atoi(stored.Text)
		v.part, v.steady = counter, strconv.Itoa(n-have)
		v.isLossless = true
		set := write.Action{
			Kind: write.ActionUpdate, Key: keys.KeyOf(it), Type: it.Type(),
			Set: item.Item{{Name: counter, Value: item.NumberValue(n)}}, If: []write.Precondition{condition},
		}
		found = append(found, v.FixedBy("set it to the count", append([]write.Action{set}, in.inCopies(t, it, set, r)...)...))
	}
	return found
}

// number returns what a counter of an object should be. A collection that depends on an argument has no counter.
func (in *inspector) number(
	t *design.Type, counter string, f *design.Field, it item.Item, r Reader,
) (n int, isCounted bool) {
	c, err := f.Bind(func(name string) keys.Value { return keys.AttributeValue(it, name) }).Condition()
	if err != nil || c.IsEmpty() {
		return 0, false
	}
	for _, p := range c.Partitions {
		for entry := range r.Range(f.Index, p.PK, c.Prefix) {
			sk := keys.SK(entry.Text(keys.IndexSK(f.Index)))
			if c.Contains(sk) && slices.Contains(f.Types, entry.Type()) && !keys.IsDeleted(entry) {
				n += in.share(in.design.Counter(t, counter, entry.Type()), f.Index, entry, r)
			}
		}
	}
	return n, true
}

// uncounted finds objects with counters that are not there, and should have been created with the object.
func (in *inspector) uncounted(t *design.Type, it item.Item, r Reader) []Violation {
	var found []Violation
	missing := map[keys.Key]bool{}
	for _, c := range in.design.CountersOf(t) {
		key, err := write.ParentKey(in.design, c, it)
		isMissing := c.OnDemand && c.Share(it) != 0 && err == nil && key != (keys.Key{}) && r.Get(key) == nil
		if !isMissing || missing[key] {
			continue
		}
		parent := in.design.Type(c.Parent)
		items, err := write.OnDemand(in.design, parent, write.ParentIdentity(in.design, c, it))
		if err != nil {
			continue
		}
		missing[key] = true
		for counter, f := range in.design.Counted(parent) {
			if n, isCounted := in.number(parent, counter, f, items[0], r); isCounted {
				for i := range items {
					value := item.Item{{Name: counter, Value: item.NumberValue(n)}}
					items[i] = withValues(items[i], value, []string{counter})
				}
			}
		}
		v := At(keys.KeyOf(it), CounterWrong, fmt.Sprintf("there is no %s %s that counts it", c.Parent, in.show(key)))
		v.part = c.Parent + " " + c.Attribute
		still := write.CheckItem(keys.KeyOf(it), write.IfUnchanged(in.design, it)...)
		found = append(found, v.completedBy("create it", append(write.Create(in.design, items), still)...))
	}
	return found
}

// sequences finds objects whose number in a sequence is beyond the last one: it would be given again.
func (in *inspector) sequences(t *design.Type, it item.Item, r Reader) []Violation {
	var found []Violation
	for _, c := range in.design.CountersOf(t) {
		key, err := write.ParentKey(in.design, c, it)
		if c.Number == "" || err != nil || key == (keys.Key{}) {
			continue
		}
		parent := r.Get(key)
		number, _ := it.Get(c.Number)
		n, err := item.AsInt(number)
		stored, has := parent.Get(c.Attribute)
		if last, failed := item.AsInt(stored); parent == nil || err != nil || failed == nil && last >= n {
			continue
		}
		condition := write.IfUnset(c.Attribute)
		if has {
			condition = write.IfEquals(c.Attribute, stored)
		}
		v := At(keys.KeyOf(it), CounterWrong, fmt.Sprintf("%s is %d, and the last one is %s of %s", c.Number, n,
			cmp.Or(stored.Text, "none"), in.show(key)))
		v.part, v.isLossless = c.Number, true
		set := write.Action{
			Kind: write.ActionUpdate, Key: key, Type: c.Parent, If: []write.Precondition{condition},
			Set: item.Item{{Name: c.Attribute, Value: item.NumberValue(n)}},
		}
		found = append(found, v.FixedBy("make it the last one", append([]write.Action{set},
			in.inCopies(in.design.Type(c.Parent), parent, set, r)...)...))
	}
	return found
}

// inCopies returns the actions that set a counter in the copies of an object as well.
func (in *inspector) inCopies(t *design.Type, it item.Item, set write.Action, r Reader) []write.Action {
	var all []write.Action
	for _, c := range t.Copies {
		key, err := c.Key(func(name string) keys.Value { return keys.AttributeValue(it, name) })
		if err != nil || c.Latest != "" || r.Get(key) == nil {
			continue
		}
		set.Key, set.If = key, []write.Precondition{write.IfExists()}
		all = append(all, set)
	}
	return all
}

// share returns what an object adds to a counter by its entry in an index, which may lack attributes.
func (in *inspector) share(c *design.Counter, index string, entry item.Item, r Reader) int {
	if c == nil || c.IsOfAll() {
		return 1
	}
	if in.design.IsProjected(index) {
		return c.Share(r.Get(keys.KeyOf(entry)))
	}
	return c.Share(entry)
}

// counted describes what a counter should be.
func counted(c *design.Counter, f *design.Field, n int) string {
	text := fmt.Sprintf("%s has %d", f.Coordinate(), n)
	if c == nil || c.IsOfAll() {
		return text
	}
	if c.Of != "" {
		text = fmt.Sprintf("%s has %d in all as %s", f.Coordinate(), n, c.Of)
	}
	if where := c.Where.String(); where != "" {
		text += " where " + where
	}
	return text
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
