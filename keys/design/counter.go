package design

import (
	"slices"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys/predicate"
)

// Counter is an attribute that counts the objects of a collection, or that is the sum of an attribute of them. Each
// write of an object in the collection changes it in the same transaction by the difference of the object's Share,
// under the condition that the object with the counter exists.
type Counter struct {
	// Parent is the stored type of the object with the counter, Attribute the counter, and Field the field of Parent
	// with the collection.
	Parent, Attribute, Field string
	// Type is the stored type of the objects that are counted. Identity are its attributes that have the values of the
	// parent's Identity, in that order.
	Type     string
	Identity []string
	// AtMost is the maximum of the counter, 0 if there is none.
	AtMost int
	// Where is the condition on the objects that count, and Of the attribute whose sum it is; "" for their number.
	Where predicate.Predicate
	Of    string
	// Min and Max are what the counter must be after a write that subtracts from it, or adds to it; nil for any number.
	Min, Max *Bound
	// OnDemand is set if the object with the counter is created with the first object that it counts.
	OnDemand bool
	// Number is the attribute of a new object with what the counter is then: the next in a sequence. Such a counter is
	// that of no Field, and only creations change it. It is "" for others.
	Number string
}

// Requires reports whether the counter has the condition that @exists of an attribute needs: each write of that
// attribute changes the counter of the object that it names.
func (c *Counter) Requires(a Attribute) bool {
	return a.Exists && c.Parent == a.Ref && slices.Equal(c.Identity, []string{a.Name}) && c.IsOfAll() && !c.OnDemand
}

// Bound is a limit of a counter: a number, or an attribute of the object that has it. There is no limit where that has
// no value.
type Bound struct {
	Number    int
	Attribute string
}

// IsOf reports whether an attribute is the limit. The Bound may be nil.
func (b *Bound) IsOf(attribute string) bool {
	return b != nil && b.Attribute != "" && b.Attribute == attribute
}

// IsBoundedBy reports whether the counter has a limit that is an attribute.
func (c *Counter) IsBoundedBy(attribute string) bool {
	return c.Min.IsOf(attribute) || c.Max.IsOf(attribute)
}

// HasCopiedCounters reports whether objects of a type have counters, and copies which have them as well.
func (d *Design) HasCopiedCounters(t *Type) bool {
	return len(t.Copies) > 0 && len(d.CountersIn(t)) > 0
}

// CopyKeys returns the attributes in the keys of an object's copies that are not part of its identity.
func (d *Design) CopyKeys(t *Type) []string {
	var names []string
	for _, c := range t.Copies {
		for _, name := range append(c.PK.Variables(), c.SK.Variables()...) {
			if !slices.Contains(names, name) && !slices.Contains(t.Identity, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// ReadsBound reports whether the object with a counter must be read for a limit: DynamoDB compares a counter with
// another attribute, but neither a sum with it, nor with a value that may be missing.
func (d *Design) ReadsBound(c *Counter, b *Bound) bool {
	if b == nil || b.Attribute == "" {
		return false
	}
	t := d.Type(c.Parent)
	return c.Of != "" || !t.Attribute(b.Attribute).NonNull ||
		!t.ComparesAsStored(c.Attribute, predicate.Less, []string{b.Attribute})
}

// Share returns what an object adds to the counter as long as it is there: 0 for nil, for one that does not fulfil the
// condition, and for a sequence.
func (c *Counter) Share(it item.Item) int {
	if it == nil || c.Number != "" || !c.Where.Holds(it, nil) {
		return 0
	}
	if c.Of == "" {
		return 1
	}
	v, _ := it.Get(c.Of)
	n, err := item.AsInt(v)
	if err != nil {
		return 0 // It has none.
	}
	return n
}

// Sources returns the attributes of the objects on which their Share depends.
func (c *Counter) Sources() []string {
	sources := c.Where.Fields()
	if c.Of != "" && !slices.Contains(sources, c.Of) {
		sources = append(sources, c.Of)
	}
	return sources
}

// IsOfAll reports whether the counter is the number of all objects in the collection.
func (c *Counter) IsOfAll() bool { return c.Number == "" && len(c.Sources()) == 0 }
