package migrate_test

import (
	"fmt"
	"testing"

	"github.com/partita/partita/internal/migrate"
)

// The model of the protocol: one object, whose form by each side is absent or has a version, and two replicas in
// neighbouring states. A rule says what a write does to the form of a side.

// forms are the versions of the object by From and To; 0 is absent.
type forms [2]int

// rules are what the model checks: those of migrate.State, or broken ones.
type rules struct {
	reads   func(migrate.State) migrate.Side
	writes  func(migrate.State, migrate.Side) migrate.Level
	inPlace func(migrate.State) migrate.Side
	ready   func(migrate.State) bool
	// isLate is set if a side is removed only after it is left alone.
	isLate bool
}

var real = rules{migrate.State.Reads, migrate.State.Writes, migrate.State.InPlace, migrate.State.InPlaceReady, false}

// write stores version n of the object, 0 to delete it, as a replica in a state does.
func (r rules) write(s migrate.State, f forms, n int) forms {
	own := r.reads(s)
	for _, side := range []migrate.Side{migrate.From, migrate.To} {
		level := r.writes(s, side)
		if side == own || level == migrate.Write || level == migrate.Keep && f[side] != 0 {
			f[side] = n
		}
	}
	return f
}

// fill gives the object the form that a filled table has.
func fill(f forms) forms {
	if f[migrate.To] == 0 {
		f[migrate.To] = f[migrate.From]
	}
	return f
}

// remove removes the forms by a side of objects that have one by the other side. What has none is left: it may be all
// that there is.
func remove(states map[forms]int, side migrate.Side) map[forms]int {
	removed := map[forms]int{}
	for f, n := range states {
		if f[side.Other()] != 0 {
			f[side] = 0
		}
		removed[f] = n
	}
	return removed
}

// check enumerates migrations forward and back: at each step, the replicas are in one or both of two neighbouring
// states, each of them writes and deletes in each order, and what each reads afterwards is what was written last. It
// returns what is wrong first, "" for nothing.
func (r rules) check() string {
	for _, way := range [][]migrate.State{
		{0, 1, 2, 3, 4, 5}, {0, 1, 2, 3, 2, 1, 0}, {0, 1, 2, 1, 0}, {0, 1, 0},
	} {
		// The forms that are possible before a step, with what the object is.
		states := map[forms]int{{1, 0}: 1, {}: 0}
		for i := 1; i < len(way); i++ {
			before, after := way[i-1], way[i]
			pair := []migrate.State{before, after}
			var wrong string
			if states, wrong = r.reach(states, pair); wrong != "" {
				return wrong
			}
			// Now all replicas are in the state after.
			states = r.settle(states, before, after)
		}
		end, side := way[len(way)-1], migrate.From
		if end == migrate.Former {
			side = migrate.To
		}
		if states, wrong := r.reach(remove(states, side), []migrate.State{end}); wrong != "" {
			return wrong
		} else if wrong := onlyOf(states, side.Other()); wrong != "" {
			return fmt.Sprintf("at the end of %v: %s", way, wrong)
		}
	}
	return ""
}

// onlyOf returns what is stored beside the object as it is by a side, "" for nothing.
func onlyOf(states map[forms]int, side migrate.Side) string {
	for f, n := range states {
		if f[side] != n || f[side.Other()] != 0 {
			return fmt.Sprintf("forms %v of version %d", f, n)
		}
	}
	return ""
}

// reach returns all forms that writes by replicas in the states lead to. Versions are kept small: 1 and 2.
func (r rules) reach(states map[forms]int, replicas []migrate.State) (map[forms]int, string) {
	for grown := true; grown; {
		grown = false
		for f, n := range states {
			for _, s := range replicas {
				if got := f[r.reads(s)]; got != n {
					return nil, fmt.Sprintf("with replicas in %v, one in %s reads version %d of %d: forms %v", replicas, s, got, n, f)
				}
				for version := range 3 {
					next := r.write(s, f, version)
					if had, has := states[next]; !has {
						states[next], grown = version, true
					} else if had != version {
						return nil, fmt.Sprintf("with replicas in %v: forms %v are version %d and %d", replicas, next, had, version)
					}
				}
			}
		}
	}
	return states, ""
}

// settle does what the migrator does once all replicas are in a state: it fills before the switch, and removes the
// other side before that is left alone.
func (r rules) settle(states map[forms]int, before, after migrate.State) map[forms]int {
	switch {
	case before == migrate.Prepared && after == migrate.Filling:
		filled := map[forms]int{}
		for f, n := range states {
			filled[fill(f)] = n
		}
		return filled
	case r.isLate:
	case after == migrate.Closing:
		return remove(states, migrate.From)
	case before == migrate.Filling && after == migrate.Prepared:
		return remove(states, migrate.To)
	}
	return states
}

// checkInPlace checks the parts that have one place for both forms: a replica reads them only in the form that all
// items have, whichever of two neighbouring replicas wrote them, before and after they are converted.
func (r rules) checkInPlace() string {
	for _, way := range [][]migrate.State{{0, 1, 2, 3, 4, 5}, {0, 1, 2, 3, 2, 1, 0}} {
		stored := map[migrate.Side]bool{migrate.From: true}
		for i := 1; i < len(way); i++ {
			pair := []migrate.State{way[i-1], way[i]}
			for _, s := range pair {
				stored[r.inPlace(s)] = true
			}
			for _, s := range pair {
				for side := range stored {
					if r.ready(s) && side != r.reads(s) {
						return fmt.Sprintf("with replicas in %v, one in %s reads the form of the other side", pair, s)
					}
				}
			}
			// All replicas are in the later state, which converts what the other one has left.
			if !r.ready(way[i]) {
				stored = map[migrate.Side]bool{r.inPlace(way[i]): true}
			}
		}
	}
	return ""
}

// TestProtocol enumerates each pair of neighbouring states with writes and reads between.
func TestProtocol(t *testing.T) {
	if wrong := real.check(); wrong != "" {
		t.Error(wrong)
	}
	if wrong := real.checkInPlace(); wrong != "" {
		t.Error(wrong)
	}
}

// TestBrokenProtocol: a rule that is broken is found.
func TestBrokenProtocol(t *testing.T) {
	level := func(state migrate.State, side migrate.Side, level migrate.Level) rules {
		broken := real
		broken.writes = func(s migrate.State, of migrate.Side) migrate.Level {
			if s == state && of == side {
				return level
			}
			return s.Writes(of)
		}
		return broken
	}
	reads := func(state migrate.State, side migrate.Side) rules {
		broken := real
		broken.reads = func(s migrate.State) migrate.Side {
			if s == state {
				return side
			}
			return s.Reads()
		}
		return broken
	}
	for name, broken := range map[string]rules{
		"filling writes only the former design":         level(migrate.Filling, migrate.To, migrate.None),
		"filling keeps the later design without adding": level(migrate.Filling, migrate.To, migrate.Keep),
		"prepared ignores the later design":             level(migrate.Prepared, migrate.To, migrate.None),
		"prepared creates the later design":             level(migrate.Prepared, migrate.To, migrate.Write),
		"switched writes only the later design":         level(migrate.Switched, migrate.From, migrate.None),
		"switched keeps the former design":              level(migrate.Switched, migrate.From, migrate.Keep),
		"filling reads the later design":                reads(migrate.Filling, migrate.To),
		"prepared reads the later design":               reads(migrate.Prepared, migrate.To),
		"closing reads the former design":               reads(migrate.Closing, migrate.From),
	} {
		if broken.check() == "" {
			t.Errorf("%s: not found", name)
		}
	}
	late := real
	if late.isLate = true; late.check() == "" {
		t.Error("a side that is left alone before it is removed: not found")
	}
	for name, broken := range map[string]rules{
		"read while it is converted": {real.reads, real.writes, real.inPlace, func(s migrate.State) bool {
			return s == migrate.Filling || real.ready(s)
		}, false},
		"written too soon": {real.reads, real.writes, func(s migrate.State) migrate.Side {
			if s == migrate.Prepared {
				return migrate.To
			}
			return real.inPlace(s)
		}, real.ready, false},
	} {
		if broken.checkInPlace() == "" {
			t.Errorf("%s: not found", name)
		}
	}
}
