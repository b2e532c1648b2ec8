package contract

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/vektah/gqlparser/v2/ast"
)

// Level is how a change affects clients.
type Level string

// The levels, see the package comment.
const (
	Breaking  Level = "BREAKING"
	Dangerous Level = "DANGEROUS"
	Safe      Level = "SAFE"
)

// Levels are all levels, the worst one first.
var Levels = []Level{Breaking, Dangerous, Safe}

// Change is a difference between two versions of an API.
type Change struct {
	Level Level `json:"level"`
	// Path is the schema coordinate, such as User.orders(createdAt:).
	//
	// https://spec.graphql.org/September2025/#sec-Schema-Coordinates
	Path string `json:"path"`
	// What has changed, and what it means for whom.
	What string `json:"what"`
	// Fix is how to get there without breaking a client; "" unless the change is breaking.
	Fix string `json:"fix,omitempty"`
	// Announced is set for a breaking change of what the base has deprecated.
	Announced bool `json:"announced,omitempty"`
	// File and Line are the place in the schema. InBase is set if it is one of the base, because the new version has
	// nothing left there. File is "" for what no file has.
	File   string `json:"file,omitempty"`
	Line   int    `json:"line,omitempty"`
	InBase bool   `json:"inBase,omitempty"`
}

// IsBreach reports whether the change breaks clients that had no time to prepare for it.
func (c *Change) IsBreach() bool { return c.Level == Breaking && !c.Announced }

// place returns file and line, "" if there are none.
func (c *Change) place() string {
	switch {
	case c.File == "":
		return ""
	case c.InBase:
		return fmt.Sprintf("%s:%d in the base", c.File, c.Line)
	}
	return fmt.Sprintf("%s:%d", c.File, c.Line)
}

// Changes are sorted by level, the worst first, then by path.
type Changes []Change

// Of returns the changes of a level.
func (cs Changes) Of(level Level) Changes {
	return slices.DeleteFunc(slices.Clone(cs), func(c Change) bool { return c.Level != level })
}

// Breaches returns the changes that are breaches.
func (cs Changes) Breaches() Changes {
	return slices.DeleteFunc(slices.Clone(cs), func(c Change) bool { return !c.IsBreach() })
}

func (cs Changes) sort() {
	slices.SortStableFunc(cs, func(a, b Change) int {
		return cmp.Or(
			cmp.Compare(slices.Index(Levels, a.Level), slices.Index(Levels, b.Level)),
			cmp.Compare(a.Path, b.Path),
		)
	})
}

// positions are the places of an element in both versions; nil where it is not.
type positions struct{ base, head *ast.Position }

// locate sets the place of a change.
func (c *Change) locate(p positions) {
	at := p.head
	if at == nil {
		at, c.InBase = p.base, p.base != nil
	}
	if at != nil && at.Src != nil {
		c.File, c.Line = at.Src.Name, at.Line
	}
}
