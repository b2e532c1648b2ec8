package follow

import (
	"slices"

	"github.com/partita/partita/internal/capacity"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/table"
	"github.com/partita/partita/write"
)

// place is a key of the table with what becomes of its item.
type place struct {
	key keys.Key
	// action is the index of the caller's action on it, -1 for none.
	action int
	isRead bool
	// isGone is set if the item is missing, and image is what it was.
	isGone bool
	// image is the item as it was read, and after what it becomes, without the increments in add.
	image, after item.Item
	add          []write.Increment
	// own are the attributes that the design that is read governs, if it has the item; nil otherwise.
	own names
	// conditions are those of the other design, and isTouched is set if it has any, or changes something.
	conditions []write.Precondition
	isTouched  bool
}

// isShared reports whether the design that is read has the item, too.
func (p *place) isShared() bool { return p.own != nil || p.action >= 0 }

// want is what the other design wants of an item.
type want struct {
	// item is what it becomes, nil if the other design does not have it any more.
	item item.Item
	// governs are the attributes that the other design governs, and counters those that it leaves as they are.
	governs  names
	counters names
	// isNew is set if nothing of what is stored remains, unless the item is shared.
	isNew bool
	// keeps is set if no attribute of a shared item is created.
	keeps bool
	// wins is set if the other design wins.
	wins bool
}

// wish changes what becomes of the item of a place.
func (p *place) wish(w want) {
	p.isTouched = true
	if !p.isShared() {
		switch {
		case w.item == nil:
			p.after = nil
		case w.isNew || p.image == nil:
			p.after = w.item
		default:
			p.after = p.overlaid(slices.Clone(p.image), w)
		}
		return
	}
	switch {
	case p.after == nil && w.item == nil:
	case p.after == nil:
		p.after = w.item
	default:
		p.after = p.overlaid(slices.Clone(p.after), w)
	}
}

// overlaid returns an item in which the attributes that the other design governs are as it wants them.
func (p *place) overlaid(it item.Item, w want) item.Item {
	for name := range w.governs {
		_, is := p.image.Find(name)
		switch v, wanted := w.item.Find(name); {
		case is && w.counters[name]:
		case p.own[name] && !w.wins:
		case wanted && (is || !w.keeps):
			it = table.With(it, name, v)
		case !wanted:
			it = slices.DeleteFunc(it, func(a item.Attribute) bool { return a.Name == name })
		}
	}
	return it
}

// increment adds to a Number of the item.
func (p *place) increment(name string, by int) {
	p.isTouched = true
	for i := range p.add {
		if p.add[i].Name == name {
			p.add[i].By += by
			return
		}
	}
	p.add = append(slices.Clip(p.add), write.Increment{Name: name, By: by})
}

// requireUnchanged adds the condition that the item is as it was read, but for some attributes.
func (p *place) requireUnchanged(but, absent names) {
	p.isTouched = true
	if p.image == nil {
		p.require(write.Precondition{Kind: write.PreconditionMissing})
		return
	}
	p.require(write.IfStored())
	for _, a := range p.image {
		switch {
		case but[a.Name]:
		case a.Value.Kind != item.Null:
			p.require(write.IfEquals(a.Name, a.Value))
		}
	}
	for name := range absent {
		if _, has := p.image.Find(name); !has && !but[name] {
			p.require(write.IfUnset(name))
		}
	}
}

func (p *place) require(c write.Precondition) {
	p.isTouched = true
	for _, have := range p.conditions {
		if have.Kind == c.Kind && have.Name == c.Name {
			return
		}
	}
	p.conditions = append(p.conditions, c)
}

// raw returns the action in the names of the table, and whether it writes anything.
func (p *place) raw() (a write.Action, writes bool) {
	a = write.Action{Key: p.key, If: p.conditions}
	switch {
	case p.isGone:
		a.Kind, a.If = write.ActionCheck, []write.Precondition{write.IfMissing()}
		return a, false
	case p.after == nil && p.image == nil && p.action < 0:
		a.Kind = write.ActionCheck
		return a, false
	case p.after == nil:
		a.Kind = write.ActionDelete
		return a, true
	case p.image == nil:
		a.Kind, a.Item = write.ActionPut, p.final()
		return a, true
	}
	a.Kind = write.ActionUpdate
	isAdded := func(name string) bool {
		return slices.ContainsFunc(p.add, func(i write.Increment) bool { return i.Name == name })
	}
	for _, to := range diff(p.image, p.after) {
		switch {
		case isAdded(to.Name):
		case to.Value.Kind == item.Null && !isNull(p.after, to.Name):
			a.Remove = append(a.Remove, to.Name)
		default:
			a.Set = append(a.Set, to)
		}
	}
	for _, i := range p.add {
		if i.By != 0 {
			a.Add = append(a.Add, i)
		}
	}
	if len(a.If) == 0 { // An update does not create an item, and a check needs a condition.
		a.If = []write.Precondition{write.IfStored()}
	}
	if len(a.Set)+len(a.Remove)+len(a.Add) > 0 {
		return a, true
	}
	if p.action < 0 {
		a.Kind, a.If = write.ActionCheck, p.conditions
	}
	return a, false
}

// diff returns the attributes that differ between two items as they are in the latter; NULL for those that it lacks.
func diff(from, to item.Item) item.Item {
	var changed item.Item
	for _, a := range to {
		if was, has := from.Find(a.Name); !has || !isSame(was, a.Value) {
			changed = append(changed, a)
		}
	}
	for _, a := range from {
		if _, remains := to.Find(a.Name); !remains {
			changed = append(changed, item.Attribute{Name: a.Name})
		}
	}
	return changed
}

// isNull reports whether an item has an attribute that is NULL.
func isNull(it item.Item, name string) bool {
	v, has := it.Find(name)
	return has && v.Kind == item.Null
}

// isSame reports whether DynamoDB stores the same for two values.
func isSame(v, w item.Value) bool { return v.IsSet() == w.IsSet() && v.Equal(w) }

// final returns the item afterwards, with the increments.
func (p *place) final() item.Item {
	it := slices.Clone(p.after)
	for _, i := range p.add {
		v, _ := it.Get(i.Name)
		n, err := item.AsInt(v)
		if err != nil {
			n = 0
		}
		it = table.With(it, i.Name, item.NumberValue(n+i.By))
	}
	return it
}

// units returns the write units of the action, which writes the item so many times, with those of its entries in the
// indexes of both designs.
func (p *place) units(kind write.ActionKind, times int, read, other *design.Design) int {
	after := p.final()
	units := times * capacity.Write(max(p.image.Size(), after.Size()))
	changed := diff(p.image, after)
	if kind == write.ActionCheck || len(changed) == 0 {
		return units
	}
	names := slices.Concat(read.IndexNames(), other.IndexNames())
	slices.Sort(names)
	for _, index := range slices.Compact(names) {
		layout := other.Layout.Index(index)
		key := slices.Concat(layout.PK.Names(), layout.SK.Names())
		had, has := hasAll(p.image, key), hasAll(after, key)
		isMoved := slices.ContainsFunc(changed, func(a item.Attribute) bool { return slices.Contains(key, a.Name) })
		if had && (!has || isMoved) {
			units += capacity.Write(p.image.Size())
		}
		if has {
			units += capacity.Write(after.Size())
		}
	}
	return units
}

// hasAll reports whether an item has all of these attributes.
func hasAll(it item.Item, names []string) bool {
	return !slices.ContainsFunc(names, func(name string) bool {
		v, _ := it.Find(name)
		return v.Kind == item.Null
	})
}
