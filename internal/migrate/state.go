package migrate

import (
	"fmt"
	"slices"
)

// State says what each side of a Record is used for.
type State uint8

// The states, in order. A migration goes from Former to Switched, finishes on to Latter, and is undone back to Former.
const (
	// Former reads and writes From alone. It is the state of a table without a migration. If one is undone, what is left
	// of To is removed in this state.
	Former State = iota
	// Prepared reads and writes From. What is stored by To is changed and deleted with its object, and not created, so
	// that no replica of the state before can leave an orphan.
	Prepared
	// Filling reads From and writes both. What lacks its form by To gets it.
	Filling
	// Switched reads To and writes both.
	Switched
	// Closing reads and writes To. What is stored by From is changed and deleted with its object, and not created.
	Closing
	// Latter reads and writes To alone. What is left of From is removed in this state.
	Latter
)

var stateNames = [...]string{"FORMER", "PREPARED", "FILLING", "SWITCHED", "CLOSING", "LATTER"}

// String returns the name of the state as it is stored, in capitals.
func (s State) String() string { return stateNames[s] }

// Side is one of the two designs of a Record.
type Side uint8

// The sides.
const (
	From Side = iota
	To
)

// Other returns the other side.
func (s Side) Other() Side { return 1 - s }

// Level is how far a side is written.
type Level uint8

const (
	// None leaves a side alone.
	None Level = iota
	// Keep changes and deletes what is there, and creates nothing.
	Keep
	// Write also creates.
	Write
)

// Reads returns the side that is read. It is always written.
func (s State) Reads() Side {
	if s < Switched {
		return From
	}
	return To
}

// Writes returns how far a side is written.
func (s State) Writes(side Side) Level {
	if side == To {
		return [...]Level{None, Keep, Write, Write, Write, Write}[s]
	}
	return [...]Level{Write, Write, Write, Write, Keep, None}[s]
}

// InPlace returns the side whose form is written where both need one attribute of one item with different values.
func (s State) InPlace() Side {
	if s < Filling {
		return From
	}
	return To
}

// InPlaceReady reports whether such an attribute can be read. Before all items have the form of one side, it cannot.
func (s State) InPlaceReady() bool { return s != Prepared && s != Filling }

// ParseState returns the state of a name that String returns.
func ParseState(name string) (State, error) {
	if i := slices.Index(stateNames[:], name); i >= 0 {
		return State(i), nil
	}
	return Former, fmt.Errorf("migrate: there is no state %q", name)
}
