package follow

import (
	"slices"

	"github.com/partita/partita/internal/migrate"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/table"
	"github.com/partita/partita/write"
)

// latest carries out actions on the latest items of the other design.
func (o *object) latest(actions []write.Action) {
	for _, a := range actions {
		p := o.at(o.other.Key(a.Key))
		if p.image == nil && o.Level == migrate.Keep {
			continue
		}
		it := o.missing(o.Other, o.other.FromStored(p.image))
		isShared := p.isShared() && p.image != nil
		if isShared {
			it = o.held(p)
		}
		p.requireUnchanged(names{}, names{})
		if a = a.On(it); a.Kind == write.ActionCheck && (!isShared || keys.IsDeleted(it)) {
			continue
		}
		if it = slices.Clone(it); it == nil {
			it = a.Key.Item()
		}
		for _, s := range a.Set {
			it = table.With(it, s.Name, s.Value)
		}
		it = slices.DeleteFunc(it, func(had item.Attribute) bool { return slices.Contains(a.Remove, had.Name) })
		w := want{item: o.other.ToStored(it), governs: governed(o.Other, o.ot, -1), isNew: true, wins: o.OtherWins,
			keeps: o.Level == migrate.Keep}
		w.governs.add(keys.AttributeDeletedAt)
		p.wish(w)
	}
}

// held returns the latest item of both designs as the other one has it, with what so far only the design that is read
// has.
func (o *object) held(p *place) item.Item {
	it := o.missing(o.Other, o.other.FromStored(o.ofOther(p.image)))
	object, _ := o.Translation.Object(o.missing(o.Read, o.fromStored(p.image)))
	for _, a := range object {
		if _, has := it.Find(a.Name); !has && o.ot.Attribute(a.Name) != nil {
			it = table.With(it, a.Name, a.Value)
		}
	}
	return it
}
