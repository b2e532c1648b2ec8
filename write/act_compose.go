package write

import (
	"slices"

	"github.com/partita/partita/item"
)

// counted adds to the object what the other steps count in it.
func (s *step) counted(tx *Transaction) {
	own := s.change.tx.Actions[0]
	for _, a := range tx.Actions {
		switch {
		case a.Key != own.Key || s.after == nil:
		case a.Kind == ActionPut:
			s.after = a.Item
		case a.Kind == ActionUpdate:
			for _, c := range s.of.d.CountersIn(s.t) {
				if by := a.added(c.Attribute) - own.added(c.Attribute); by != 0 {
					n := numberIn(s.after, c.Attribute) + by
					s.after = with(slices.Clone(s.after), c.Attribute, item.NumberValue(n))
				}
			}
		}
	}
}

// compose returns the transaction of all steps, and the names of the parts whose failures are user errors.
func (x *action) compose() (tx Transaction, handled []string) {
	var all change
	var counts []bool // which actions only count what other objects belong to
	for _, s := range x.steps {
		places := map[int]int{}
		for _, p := range s.change.tx.parts {
			name := s.part(p.name)
			all.add(name)
			for _, i := range p.actions {
				at, isAdded := places[i]
				if !isAdded {
					a := s.change.tx.Actions[i]
					isCount := s.change.isCount(p.name)
					at = slices.IndexFunc(all.tx.Actions, func(b Action) bool { return a.Key == b.Key })
					isChecked := at >= 0 && a.Kind == ActionCheck && all.tx.Actions[at].Kind == ActionCheck
					if at >= 0 && !isCount && !counts[at] && !isChecked {
						x.sameItem(s)
						return Transaction{}, nil
					}
					if at = all.put(a, at); at == len(counts) {
						counts = append(counts, isCount)
					} else {
						counts[at] = counts[at] && isCount
					}
					places[i] = at
				}
				all.tx.Add(name)
				part := all.tx.part(name)
				part.actions = append(part.actions, at)
			}
		}
		for _, name := range s.change.handled() {
			handled = append(handled, s.part(name))
		}
	}
	return all.tx, handled
}

// put merges an action into that at a place, -1 for none, and returns its place.
func (c *change) put(a Action, at int) int {
	if at < 0 {
		c.tx.Actions = append(c.tx.Actions, a)
		return len(c.tx.Actions) - 1
	}
	if b := c.tx.Actions[at]; a.Kind == ActionPut || a.Kind == ActionDelete {
		c.tx.Actions[at] = a.merge(b)
	} else {
		c.tx.Actions[at] = b.merge(a)
	}
	return at
}

func (c *change) isCount(part string) bool {
	return slices.ContainsFunc(c.counts, func(n counted) bool { return n.part == part })
}

// sameItem adds that a step would write an item that another step writes.
func (x *action) sameItem(s *step) {
	x.out.Add(CodeInvalid, s.place(), "this is the %s of another part of the input already; each must be one of its own",
		s.t.Name)
}
