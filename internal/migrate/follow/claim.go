package follow

import (
	"github.com/partita/partita/internal/migrate"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/write"
)

// claims returns the claims of an object in the other design by its unique attributes; nil for one without a claim.
func (o *object) claims(it item.Item) []item.Item {
	claims := make([]item.Item, len(o.ot.Uniques))
	if it == nil || keys.IsDeleted(it) {
		return claims
	}
	for i, u := range o.ot.Uniques {
		if claim, err := write.UniqueClaim(o.ot, u, it); err == nil {
			claims[i] = claim
		}
	}
	return claims
}

// claim changes the claims of the other design: before and after are the base item there, nil for none. A value that
// another object has claimed remains that one's: what then lacks a claim is found when the migration proves its work.
// Once it has, a value that the object has not had is rejected.
func (o *object) claim(before, after item.Item) {
	was, is := o.claims(before), o.claims(after)
	for i, u := range o.ot.Uniques {
		isMoved := false
		if was[i] != nil && (is[i] == nil || keys.KeyOf(was[i]) != keys.KeyOf(is[i])) {
			if p := o.claimed(was[i], u); p != nil && p.image != nil {
				isMoved = true
				p.requireUnchanged(names{}, names{})
				p.wish(want{})
			}
		}
		if is[i] == nil {
			continue
		}
		p := o.claimed(is[i], u)
		if p == nil && o.IsProven && (was[i] == nil || keys.KeyOf(was[i]) != keys.KeyOf(is[i])) {
			o.taken = &write.TakenError{Type: o.t.Name, Attribute: o.own(u.Attribute)}
		}
		if p == nil || p.image == nil && o.Level == migrate.Keep && !isMoved {
			continue
		}
		p.requireUnchanged(names{}, names{})
		w := want{item: o.other.ToStored(is[i]), governs: names{}, wins: o.OtherWins}
		w.governs.addOf(w.item)
		p.wish(w)
	}
}

// own returns the name that an attribute of the other design has in the one that is read.
func (o *object) own(attribute string) string {
	if name := o.Back.Attribute(o.ot.Name, attribute); name != "" {
		return name
	}
	return attribute
}

// claimed returns the place of a claim; nil if another object has it.
func (o *object) claimed(claim item.Item, u design.Unique) *place {
	p := o.at(o.other.Key(keys.KeyOf(claim)))
	if p.action >= 0 && p.own == nil && p.after != nil {
		p.own = names{}
		p.own.addOf(p.after)
	}
	stored := o.missing(o.Other, o.other.FromStored(p.image))
	holder, has := stored.Get(u.Holder)
	if stored != nil && has && holder.Text != claim.Text(u.Holder) {
		return nil
	}
	return p
}
