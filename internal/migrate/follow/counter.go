package follow

import (
	"slices"

	"github.com/partita/partita/internal/migrate"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/write"
)

// newCounters returns the counters that count objects of the type in the other design alone. Changes of the others are
// mirrored.
func (o *object) newCounters() []*design.Counter {
	var all []*design.Counter
	for _, c := range o.Other.CountersOf(o.ot) {
		isMirrored := func(read *design.Counter) bool {
			return o.Translation.TypeOf(read.Parent) == c.Parent &&
				o.Translation.Attribute(read.Parent, read.Attribute) == c.Attribute
		}
		if !slices.ContainsFunc(o.Read.CountersOf(o.t), isMirrored) {
			all = append(all, c)
		}
	}
	return all
}

// count changes the counters that only the other design has. They follow from the object alone, and not from whether it
// has its other form yet.
func (o *object) count() {
	for _, c := range o.newCounters() {
		from, to := o.parent(c, o.was), o.parent(c, o.is)
		was, is := c.Share(o.was), c.Share(o.is)
		if from == to {
			o.countAt(to, c, is-was)
			continue
		}
		o.countAt(from, c, -was)
		o.countAt(to, c, is)
	}
}

// parent returns the key of the object with the counter of an object; zero for none.
func (o *object) parent(c *design.Counter, it item.Item) keys.Key {
	if it == nil || keys.IsDeleted(it) {
		return keys.Key{}
	}
	key, _ := write.ParentKey(o.Other, c, it)
	return key
}

func (o *object) countAt(key keys.Key, c *design.Counter, by int) {
	if key == (keys.Key{}) || by == 0 {
		return
	}
	p, name := o.at(o.other.Key(key)), o.Other.Type(c.Parent).Attribute(c.Attribute).StoredName()
	if p.image == nil {
		p.require(write.Precondition{Kind: write.PreconditionMissing})
		return
	}
	if _, has := p.image.Find(name); !has && o.Level == migrate.Keep {
		return
	}
	p.increment(name, by)
	p.require(write.IfStored())
}

// mirror adds to the counters of what is stored in the other design what the caller adds.
func (o *object) mirror(stored *form) {
	if len(o.place.add) == 0 || o.companion == nil {
		return
	}
	to := o.companion.place
	if stored == nil || stored.place != to {
		if to != o.place && to.image == nil {
			to.require(write.Precondition{Kind: write.PreconditionMissing})
		}
		return
	}
	for _, add := range o.place.add {
		name := o.counterOf(add.Name)
		_, has := to.image.Find(name)
		switch isShared := to.isShared(); {
		case name == "", isShared && (name == add.Name || !has):
		default:
			to.increment(name, add.By)
			to.require(write.IfStored())
		}
	}
}

// counterOf returns the stored name of a counter in the other design from that in the design that is read; "" if only
// the latter has it.
func (o *object) counterOf(name string) string {
	for i := range o.t.Attributes {
		a := &o.t.Attributes[i]
		if a.StoredName() != name {
			continue
		}
		if other := o.ot.Attribute(o.Translation.Attribute(o.t.Name, a.Name)); other != nil {
			return other.StoredName()
		}
		return ""
	}
	return name
}
