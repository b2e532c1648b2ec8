package check

import (
	"iter"
	"slices"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// Options are what to check, and how.
type Options struct {
	// Design is the design of the table.
	Design *design.Design
	// Scope is which violations to find, and to repair. What would be deleted because something else is missing is
	// deleted only if Scope.Only has its kind.
	Scope Scope
	// KeepsUnnamed is set for a table of which is unknown whether its items follow the Design: what Repair would delete
	// is deleted only if Scope.Only has its kind.
	KeepsUnnamed bool
	// Rules are the invariants beyond those of the Design.
	Rules []Rule
	// Decode returns an error for a base item that is not a valid object of its
	// type, beyond what the Design requires of its attributes; nil for no such test.
	Decode func(item.Item) error
	// ReadUnits is the limit of read units per second; 0 for none.
	ReadUnits float64
	// PageItems is how many items a page of the Scan has at most; 0 leaves it to
	// DynamoDB's 1 MB.
	PageItems int
	// Checkpoint is the path of a file in which the state of the run is saved after
	// each page. If the file exists, the run resumes from it. It is removed at the
	// end. "" for none.
	Checkpoint string
	// Found is called with each violation, those of the checkpoint first; may be nil.
	// It is not called concurrently.
	Found func(Violation)
	// Progress is called after each page with the Report so far; may be nil.
	Progress func(Report)
}

// Report is what a run has found so far.
type Report struct {
	// Items is how many items were inspected.
	Items int `json:"items"`
	// Violations are in the order of the Scan, without those that were repaired.
	Violations []Violation `json:"violations,omitempty"`
	// Repaired are the violations that Repair has repaired.
	Repaired []Violation `json:"repaired,omitempty"`
	// Unconfirmed are items that looked wrong and were written to all the time, so
	// that it is unknown whether they are, by the keys that Violation has.
	Unconfirmed []keys.Key `json:"unconfirmed,omitempty"`
	Cost        Cost       `json:"cost"`
}

// Clean reports whether no violation is left and nothing is unconfirmed.
func (r Report) Clean() bool { return len(r.Violations) == 0 && len(r.Unconfirmed) == 0 }

// Reader reads what an inspection needs beside the item. While reads are still
// being collected, its results may be incomplete; the result of the inspection is
// then not used.
type Reader interface {
	// Get returns the item with that key, or nil if there is none.
	Get(key keys.Key) item.Item
	// Range returns the items of a partition, of an index or with "" of the table,
	// whose sort keys begin with the prefix.
	Range(index string, pk keys.PK, prefix keys.SK) iter.Seq[item.Item]
}

// isIncomplete reports whether a Reader has returned nil for what must be read first. The inspection is then repeated.
func isIncomplete(r Reader) bool {
	one, is := r.(interface{ isIncomplete() bool })
	return is && one.isIncomplete()
}

// Rule is an invariant beyond those of the design.
type Rule struct {
	// Type is the entityType of the items that the rule is about: base items of a
	// type of the design, tombstones included, or items that the design does not
	// have.
	Type string
	// Inspect returns what is wrong with an item. It must depend on nothing but the
	// item and what it reads.
	Inspect func(it item.Item, r Reader) []Violation
}

// Scope restricts a run to some violations. The zero Scope has all.
type Scope struct {
	// Only are kinds of violations, Types types of the design, and Indexes indexes: a violation is in the scope if each of
	// these is empty or has that of the violation. Only INDEX_ENTRY_WRONG has an index.
	Only    []Kind   `json:"only,omitempty"`
	Types   []string `json:"types,omitempty"`
	Indexes []string `json:"indexes,omitempty"`
}

// hasType reports whether violations of items of a type may be in the scope.
func (s Scope) hasType(name string) bool { return len(s.Types) == 0 || slices.Contains(s.Types, name) }

func (s Scope) has(v Violation) bool {
	return (len(s.Only) == 0 || slices.Contains(s.Only, v.Kind)) &&
		(len(s.Indexes) == 0 || slices.Contains(s.Indexes, v.index))
}

// Equal reports whether two scopes are the same.
func (s Scope) Equal(other Scope) bool {
	return slices.Equal(s.Only, other.Only) && slices.Equal(s.Types, other.Types) &&
		slices.Equal(s.Indexes, other.Indexes)
}
