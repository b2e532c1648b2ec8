package follow

import (
	"slices"

	"github.com/partita/partita/internal/migrate"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/table"
	"github.com/partita/partita/write"
)

// enter carries out what the latest items of the other design lack: an object that is stored may not have been there
// when it was written.
func (o *object) enter(items []item.Item) {
	for _, a := range write.LatestActions(o.Other, nil, items) {
		p := o.at(o.other.Key(a.Key))
		it := o.missing(o.Other, o.other.FromStored(p.image))
		if a.On(it).Kind != write.ActionCheck {
			o.latest([]write.Action{a})
		}
	}
}

// latest carries out actions on the latest items of the other design.
func (o *object) latest(actions []write.Action) {
	for _, a := range actions {
		p := o.at(o.other.Key(a.Key))
		if p.image == nil && o.Level == migrate.Keep {
			continue
		}
		image := p.image
		if p.isShared() && image != nil {
			image = o.ofOther(image)
		}
		it := o.missing(o.Other, o.other.FromStored(image))
		p.requireUnchanged(names{}, names{})
		a = a.On(it)
		if a.Kind == write.ActionCheck {
			continue
		}
		if it = slices.Clone(it); it == nil {
			it = a.Key.Item()
		}
		for _, s := range a.Set {
			it = table.With(it, s.Name, s.Value)
		}
		it = slices.DeleteFunc(it, func(had item.Attribute) bool { return slices.Contains(a.Remove, had.Name) })
		w := want{item: o.other.ToStored(it), governs: governed(o.Other, o.ot, -1), isNew: true, wins: o.OtherWins}
		w.governs.add(keys.AttributeDeletedAt)
		p.wish(w)
	}
}
