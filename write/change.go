package write

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// objectPart is the part of a mutation's transaction with the stored items of the object.
const objectPart = "object"

// change is the transaction of a mutation. Actions of several parts on one item are merged, such as those of an edge
// from an object to itself.
type change struct {
	tx Transaction
	// counts are the counters that the transaction changes, and claims the unique attributes whose values it claims, by
	// the names of their parts, in order.
	counts []counted
	claims []design.Unique
	names  []string
	// members are the names of the parts with conditions on members, and below those of objects below another one.
	members, below []string
	// isBelow is set if the objects that are deleted are below others that may be tombstones.
	isBelow bool
	// removed are the types of the objects below another one that are deleted, and listed is how many become tombstones.
	removed []string
	listed  int
}

// counted is a change of a counter of the object with the key.
type counted struct {
	*design.Counter
	part string
	key  keys.Key
	by   int
}

// add adds the actions of a part.
func (c *change) add(name string, actions ...Action) {
	if !slices.Contains(c.names, name) {
		c.names = append(c.names, name)
	}
	for _, a := range actions {
		at := slices.IndexFunc(c.tx.Actions, func(b Action) bool { return b.Key == a.Key })
		if at < 0 {
			c.tx.Add(name, a)
			continue
		}
		c.tx.Actions[at] = c.tx.Actions[at].merge(a)
		c.tx.Add(name)
		p := c.tx.part(name)
		p.actions = append(p.actions, at)
	}
}

// merge returns the action that does what two actions on one item do. A change of an item that is deleted makes no
// difference, and that of one that is put changes only its counters.
func (a Action) merge(b Action) Action {
	a.If = slices.Clone(a.If)
	for _, c := range b.bounded {
		if !slices.Contains(a.bounded, c) {
			a.bounded = append(slices.Clip(a.bounded), c)
		}
	}
	if b.Kind == ActionCheck && (a.Kind == ActionPut || a.Kind == ActionDelete) {
		a.If = append(slices.Clip(a.If), b.If...)
	}
	switch {
	case a.Kind == ActionPut:
		a.Item = b.counts(a.Item)
		return a
	case a.Kind == ActionDelete:
		return a
	}
	if b.Kind == ActionUpdate {
		a.Kind = ActionUpdate
	}
	a.Set, a.Remove = append(a.Set, b.Set...), append(a.Remove, b.Remove...)
	if a.After == nil {
		a.After = b.After
	}
	a.Type = cmp.Or(a.Type, b.Type)
	if a.kept == nil {
		a.kept = b.kept
	}
	if a.object == nil {
		a.object = b.object
	}
	for _, add := range b.Add {
		if i := slices.IndexFunc(a.Add, func(have Increment) bool { return have.Name == add.Name }); i >= 0 {
			a.Add[i].By += add.By
		} else {
			a.Add = append(a.Add, add)
		}
	}
	for _, condition := range b.If {
		same := func(have Precondition) bool {
			return have.Kind == condition.Kind && have.Name == condition.Name && have.Value.Equal(condition.Value) &&
				len(have.Values) == 0 && len(condition.Values) == 0
		}
		if !slices.ContainsFunc(a.If, same) {
			a.If = append(a.If, condition)
		}
	}
	return a
}

// claim adds what makes the values of an object unique: before and after are its attributes, nil for an object that is
// created or deleted. The error is a keys.InputError.
func (c *change) claim(t *design.Type, before, after item.Item) error {
	for _, u := range t.Uniques {
		old, err := UniqueClaim(t, u, before)
		if err != nil {
			// What is stored was valid when it was written, and has no claim otherwise.
			old = nil
		}
		claimed, err := UniqueClaim(t, u, after)
		if err != nil && isSame(before, after, u.Attribute) {
			continue
		}
		if err != nil {
			return err
		}
		if old != nil && claimed != nil && keys.KeyOf(old) == keys.KeyOf(claimed) {
			if !ExpiresWith(t, claimed, old) {
				c.claims = append(c.claims, u)
				c.add(claimOf(u), renew(UniqueClaims(t, u), claimed))
			}
			continue
		}
		if claimed != nil {
			c.claims = append(c.claims, u)
			c.add(claimOf(u), Claim(claimed))
		}
		if old != nil {
			c.add("release of "+u.Attribute, release(UniqueClaims(t, u), old))
		}
	}
	return nil
}

func claimOf(u design.Unique) string { return "claim of " + u.Attribute }

// renew returns the action that puts a claim in place of the one that its holder has. In a table that has data it may
// have none yet.
func renew(c Claims, claim item.Item) Action {
	missing := Claim(claim)
	a := PutItem(claim, c.ifHeld(item.StringValue(claim.Text(c.Attribute))))
	a.Otherwise = &missing
	return a
}

// release returns the action that deletes a claim, unless another object holds it.
func release(c Claims, claim item.Item) Action {
	key, holder := keys.KeyOf(claim), item.Item{{Name: c.Attribute, Value: item.StringValue(claim.Text(c.Attribute))}}
	other := CheckItem(key, IfOther(holder))
	a := DeleteItem(key, c.ifHeld(holder[0].Value))
	a.Otherwise = &other
	return a
}

// count adds the changes of the counters of the objects to which an object belongs: before and after are its
// attributes, nil for an object that is created or deleted.
func (c *change) count(d *design.Design, t *design.Type, before, after item.Item) error {
	for _, counter := range d.CountersOf(t) {
		if counter.Number != "" {
			continue // See sequences.
		}
		was, is := counter.Share(before), counter.Share(after)
		if was == is && isSame(before, after, counter.Identity...) {
			continue
		}
		from, err := ParentKey(d, counter, before)
		if err != nil && was != 0 {
			return err
		}
		to, err := ParentKey(d, counter, after)
		if err != nil && !isSame(before, after, counter.Identity...) {
			return err
		}
		if from == to {
			c.countAt(to, counter, is-was, ParentIdentity(d, counter, after))
			continue
		}
		c.countAt(to, counter, is, ParentIdentity(d, counter, after))
		c.countAt(from, counter, -was, ParentIdentity(d, counter, before))
	}
	return nil
}

func (c *change) countAt(key keys.Key, counter *design.Counter, by int, object item.Item) {
	if key == (keys.Key{}) || by == 0 || c.deletes(key) {
		return
	}
	part := fmt.Sprintf("%+d for %s.%s", by, counter.Parent, counter.Attribute)
	c.counts = append(c.counts, counted{counter, part, key, by})
	a := Count(key, counter.Attribute, by)
	a.Type, a.bounded, a.object = counter.Parent, []*design.Counter{counter}, object
	if c.isBelow {
		a.If[0] = IfStored()
	}
	c.add(part, a)
}

// ParentIdentity returns the attributes of the identity of the object with the counter of an object.
func ParentIdentity(d *design.Design, c *design.Counter, it item.Item) item.Item {
	var identity item.Item
	for i, name := range d.Type(c.Parent).Identity {
		v, _ := it.Get(c.Identity[i])
		identity = append(identity, item.Attribute{Name: name, Value: v})
	}
	return identity
}

// refersToItself reports whether an object names itself where another one must exist, and adds the user error.
func (x *mutation) refersToItself(c *change, it item.Item) bool {
	for _, n := range c.counts {
		isRequired := n.by == 0 || n.by > 0 && slices.ContainsFunc(x.t.Attributes, n.Requires)
		if isRequired && n.key == keys.KeyOf(it) {
			x.missingParent(n.Counter)
			return true
		}
	}
	return false
}

// requireParents adds the conditions that the objects exist below which an object is created, or moved, as far as no
// counter of theirs changes: before and after are its attributes, before nil for one that is created.
func (c *change) requireParents(d *design.Design, t *design.Type, before, after item.Item) error {
	for _, parent := range d.ParentsOf(t) {
		if isSame(before, after, parent.Identity...) {
			continue
		}
		key, err := ParentKey(d, parent, after)
		if err != nil {
			return err
		}
		if key == (keys.Key{}) {
			continue
		}
		part := fmt.Sprintf("%s of %s", parent.Parent, parent.Field)
		c.counts = append(c.counts, counted{parent, part, key, 0})
		a := CheckItem(key, IfExists())
		a.Type = parent.Parent
		c.add(part, a)
	}
	return nil
}

// ParentKey returns the key of the object with the counter of an object; zero if there is none. The error is a
// keys.InputError.
func ParentKey(d *design.Design, c *design.Counter, it item.Item) (keys.Key, error) {
	parent := d.Type(c.Parent)
	values := make(keys.Values, len(parent.Identity))
	for i, name := range parent.Identity {
		values[i] = keys.NamedValue{Name: name, Value: keys.AttributeValue(it, c.Identity[i])}
		if !values[i].Value.IsSet() {
			return keys.Key{}, nil
		}
	}
	return parent.BaseKey(values.Get)
}

// uncounted returns the conditions that an object with counters has nothing in the collections that they count, apart
// from what is deleted with it.
func uncounted(d *design.Design, t *design.Type) []Precondition {
	var conditions []Precondition
	for _, c := range d.CountersIn(t) {
		switch {
		case d.Cascades(c), c.Number != "":
		case c.Of != "":
			conditions = append(conditions, IfEqualsOrUnset(c.Attribute, item.NumberValue(0)))
		default:
			conditions = append(conditions, IfAtMost(c.Attribute, 0))
		}
	}
	return conditions
}

// counts adds to the counters of an item what the merged action on it adds.
func (a Action) counts(it item.Item) item.Item {
	it = slices.Clone(it)
	for _, add := range a.Add {
		v, _ := it.Get(add.Name)
		n, err := item.AsInt(v)
		if err != nil {
			n = 0
		}
		it = with(it, add.Name, item.NumberValue(n+add.By))
	}
	return it
}
