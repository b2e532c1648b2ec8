package plan

import (
	"cmp"

	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// Chance is whether a Query reads the item of a Get, too.
type Chance uint8

// A Certain chance is one if the table fits the design. If a Query does not reach a Likely item, it is read with the
// next wave. A Get joins no Query with a Poor chance.
const (
	Poor Chance = iota
	Likely
	Certain
)

// JoinsFar reports whether a Get joins a Query whose last item it would be: one that requests limit items, one more
// than the page has, of a collection of at most atMost. If the page was full, the item is read with the next wave.
// Pages below DefaultPage are probably full, and an additional wave costs more than an additional request.
func JoinsFar(limit, atMost int) bool {
	return covers(limit, atMost) || atMost > 0 && limit > DefaultPage
}

// covers reports whether a Query that requests limit items reads a whole collection of at most atMost.
func covers(limit, atMost int) bool { return atMost > 0 && limit >= atMost }

// Inside returns the chance that the Query of a Range reads the item with a key, which has the place in its partition,
// because it is in the Range. It is Certain if the item comes first, or the page covers the collection. The only item
// of its shape is Likely to be on a large first page; a later one shows that the collection is larger than a page.
func (r *Read) Inside(key keys.Key, place design.Place) Chance {
	if r.Index != "" || r.PK != key.PK || !r.Contains(key.SK) || !r.IsAhead(key.SK) {
		return Poor
	}
	isFirst := key.SK == cmp.Or(r.From, r.Prefix) || place.Lowest
	if r.Descending {
		isFirst = key.SK == r.To || place.Highest
	}
	isFirstPage := r.Start.IsZero()
	switch {
	case covers(r.Limit, r.AtMost) || isFirstPage && isFirst:
		return Certain
	case isFirstPage && place.Single && r.Limit > DefaultPage:
		return Likely
	}
	return Poor
}

// Beside returns the chance that the Query of a Range, extended by one item, reads an item that sorts directly beside
// it on that side. The Range must be open there.
func (r *Read) Beside(side design.Side) Chance {
	isOpen := r.From == "" ||
		side == design.Above && r.To == keys.EndOf(r.Prefix) || side == design.Below && r.From == r.Prefix
	comesFirst := (side == design.Above) == r.Descending
	switch {
	case side == design.Apart || !isOpen:
		return Poor
	case comesFirst && r.Start.IsZero() || !comesFirst && covers(r.Limit, r.AtMost):
		return Certain
	case !comesFirst && JoinsFar(r.Limit, r.AtMost):
		return Likely
	}
	return Poor
}
