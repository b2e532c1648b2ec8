package designpage

import (
	"slices"
	"strconv"
	"strings"

	"github.com/partita/partita/internal/gen/directives"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/write"
)

// perType is how many objects of each type the picture has: enough for collections of more than one item.
const perType = 2

// example is an object that exists only in the picture.
type example struct {
	of *design.Type
	// attributes are those of the object as a Design has them, ids raw.
	attributes item.Item
	// items are those in which it is stored: the base item, then the copies.
	items []item.Item
	// claims are those of its unique values, with the attribute that has each.
	claims []claimed
}

type claimed struct {
	unique design.Unique
	item   item.Item
}

// examplesOf returns the example objects of a schema, in the order of its types. A type whose invented values cannot be
// stored has none.
func examplesOf(s *directives.Schema) []*example {
	in := newInventor(s)
	var all []*example
	taken := map[keys.Key]bool{}
	for _, t := range s.Types {
		all = append(all, in.apart(t, taken)...)
	}
	for _, e := range all {
		countIn(s.Design, e, all)
	}
	return slices.DeleteFunc(all, func(e *example) bool { return !e.store(s.Design) })
}

// apart returns the examples of a type, whose keys no other examples have.
func (in *inventor) apart(t *design.Type, taken map[keys.Key]bool) []*example {
	var all []*example
	isTaken := func(it item.Item) bool { return taken[keys.KeyOf(it)] }
	for range len(in.Types) {
		all = nil
		collides := false
		for n := range perType {
			e := &example{of: t, attributes: in.attributes(t, n)}
			_ = e.store(in.Design) // What cannot be stored has no key.
			collides = collides || slices.ContainsFunc(e.items, isTaken)
			all = append(all, e)
		}
		if !collides {
			break
		}
		in.offsets[t.Name] += perType
	}
	for _, e := range all {
		for _, it := range e.items {
			taken[keys.KeyOf(it)] = true
		}
	}
	return all
}

// attributes returns those of the n-th example of a type.
func (in *inventor) attributes(t *design.Type, n int) item.Item {
	var it item.Item
	for i := range t.Attributes {
		a := &t.Attributes[i]
		it = append(it, item.Attribute{Name: a.Name, Value: in.attribute(t, a, n, 0)})
	}
	return it
}

// attribute returns the value of an attribute of the n-th example of a type. Ids are those of other examples, so that
// they refer to each other.
func (in *inventor) attribute(t *design.Type, a *design.Attribute, n, depth int) item.Value {
	isID, isOwn := a.Kind == keys.IDKind, a.Ref == t.Name && slices.Contains(t.Identity, a.Name) && a.Name == "id"
	switch referred := in.Type(a.Ref); {
	case isID && isOwn && a.As == keys.Plain:
		return item.StringValue(strings.ToLower(a.Ref[:1]) + a.Ref[1:] + strconv.Itoa(n+1))
	case isID && referred != nil && len(referred.Identity) > 0 && depth < maxNesting:
		id := referred.Attribute(referred.Identity[0])
		if id != nil {
			return in.attribute(referred, id, in.referredTo(t, a, n), depth+1)
		}
	case a.Name == t.Version:
		return item.IntValue(1)
	case in.isShared(t, a):
		return in.value(t.Name, a, 0, 0)
	}
	return in.value(t.Name, a, n, 0)
}

// referredTo returns which example the n-th one of a type has the id of. All refer to the first one, so that
// collections have several items; the second of two ids of the same type is that of another object. Examples that only
// such ids identify refer to different ones.
func (in *inventor) referredTo(t *design.Type, a *design.Attribute, n int) int {
	place := 0
	for i := range t.Attributes {
		before := &t.Attributes[i]
		if before.Name == a.Name {
			break
		}
		if before.Kind == keys.IDKind && before.Ref == a.Ref && (before.Name != "id" || before.Ref != t.Name) {
			place++
		}
	}
	isReference := func(name string) bool {
		other := t.Attribute(name)
		return other != nil && other.Kind == keys.IDKind && in.Type(other.Ref) != nil && other.Ref != t.Name
	}
	isOnlyReferences := !slices.ContainsFunc(t.Identity, func(name string) bool { return !isReference(name) })
	if isOnlyReferences && slices.Contains(t.Identity, a.Name) {
		place += n
	}
	return place % perType
}

// isShared reports whether all examples of a type have the same value of an attribute: one by which an index collects
// them.
func (in *inventor) isShared(t *design.Type, a *design.Attribute) bool {
	if in.isDistinct(t.Name, a.Name) {
		return false
	}
	return slices.ContainsFunc(t.Indexes, func(ix design.Index) bool {
		return slices.Contains(ix.PK.Variables(), a.Name) && ix.SK.String() != ix.PK.String() && len(ix.SK.Variables()) > 0 &&
			!slices.Equal(ix.SK.Variables(), t.Identity)
	})
}

// countIn sets the counters of an example to what the examples are that they count.
func countIn(d *design.Design, e *example, all []*example) {
	for _, c := range d.CountersIn(e.of) {
		n := 0
		for _, o := range all {
			if o.of.Name == c.Type && isCountedBy(c, o, e) {
				n += max(c.Share(o.attributes), 0)
				if c.Number != "" {
					n++
				}
			}
		}
		for i := range e.attributes {
			if e.attributes[i].Name == c.Attribute {
				e.attributes[i].Value = item.NumberValue(n)
			}
		}
	}
}

// isCountedBy reports whether an example names another one as the object with the counter.
func isCountedBy(c *design.Counter, o, parent *example) bool {
	for i, name := range c.Identity {
		if o.attributes.Text(name) != parent.attributes.Text(parent.of.Identity[i]) {
			return false
		}
	}
	return true
}

// store sets the items and claims of an example, and reports whether it can be stored.
func (e *example) store(d *design.Design) bool {
	var err error
	e.claims = nil
	if e.items, err = write.ItemsOf(d, e.of, e.attributes); err != nil {
		return false
	}
	for _, u := range e.of.Uniques {
		if it, err := write.UniqueClaim(e.of, u, e.attributes); err == nil && it != nil {
			e.claims = append(e.claims, claimed{u, it})
		}
	}
	return true
}

// text returns the value of a variable of the example's keys.
func (e *example) text(name string) string { return e.attributes.Text(name) }
