package design

import "github.com/partita/partita/keys"

// PlaceOf returns the place of the item with the key. It is zero if a partition may have several items of its shape.
func (d *Design) PlaceOf(key keys.Key) Place {
	for _, s := range d.singles {
		if s.Holds(key) {
			return s.place
		}
	}
	return Place{}
}

// findSingles returns the shapes of the table that a partition has at most one item of.
func findSingles(types []*Type) []placedShape {
	var shapes []keys.Shape
	for _, t := range types {
		shapes = append(shapes, t.Shapes()...)
	}
	var singles []placedShape
	for i, s := range shapes {
		if !s.IsSingle() {
			continue
		}
		place := Place{Single: true, Lowest: true, Highest: true}
		for k, other := range shapes {
			if k == i || !keys.SamePartition(s.PK, other.PK) {
				continue
			}
			a, b := s.SK.Leading(), other.SK.Leading()
			place.Lowest = place.Lowest && a < b && !keys.Overlap(a, b)
			place.Highest = place.Highest && a > b && !keys.Overlap(a, b)
		}
		singles = append(singles, placedShape{s, place})
	}
	return singles
}
