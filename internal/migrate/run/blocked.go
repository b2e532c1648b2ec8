package run

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/partita/partita/keys"
)

// Code is why an object stops a migration.
type Code string

// The codes.
const (
	// MissingValue: an attribute must not be null any longer, has no default, and is not stored.
	MissingValue Code = "MISSING_VALUE"
	// InvalidValue: a value is none of the later design, or cannot be part of its keys.
	InvalidValue Code = "INVALID_VALUE"
	// TooLarge: the object has more bytes than the later design allows.
	TooLarge Code = "TOO_LARGE"
	// Duplicate: another object has a value that must be unique.
	Duplicate Code = "DUPLICATE"
	// Differs: the object has other values by the former design than by the later one, or is stored by the former one
	// alone. Another program has written it.
	Differs Code = "DIFFERS"
	// Unreadable: an attribute is not stored as the former design declares.
	Unreadable Code = "UNREADABLE"
)

// Blocked is an object that has no form by the design to which a migration goes.
type Blocked struct {
	Code Code    `json:"code"`
	Type string  `json:"type"`
	PK   keys.PK `json:"pk"`
	SK   keys.SK `json:"sk,omitempty"`
	// Problem is a sentence that says what is wrong.
	Problem string `json:"problem"`
}

// BlockedError is the error of a migration that objects stop. The table is served as before.
type BlockedError struct {
	mu      sync.Mutex
	Objects []Blocked
}

// maxBlocked limits how many objects are listed.
const maxBlocked = 10_000

// Error returns a line for each object.
func (e *BlockedError) Error() string {
	lines := make([]string, len(e.Objects))
	for i, b := range e.Objects {
		lines[i] = fmt.Sprintf("%s %s: %s: %s", b.Code, strings.TrimSpace(string(b.PK)+" "+string(b.SK)), b.Type, b.Problem)
	}
	return strings.Join(lines, "\n")
}

func (e *BlockedError) add(b Blocked) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if len(e.Objects) < maxBlocked {
		e.Objects = append(e.Objects, b)
	}
}

func (e *BlockedError) count() int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return len(e.Objects)
}

func (e *BlockedError) sorted() *BlockedError {
	slices.SortFunc(e.Objects, func(a, b Blocked) int { return cmp.Or(cmp.Compare(a.PK, b.PK), cmp.Compare(a.SK, b.SK)) })
	return e
}
