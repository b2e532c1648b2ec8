package contract

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
)

// Level is how a change affects clients.
type Level string

// The levels, see the package comment.
const (
	Breaking  Level = "BREAKING"
	NeedsData Level = "NEEDS DATA"
	Dangerous Level = "DANGEROUS"
	Safe      Level = "SAFE"
)

// Levels are all levels, the worst one first.
var Levels = []Level{Breaking, NeedsData, Dangerous, Safe}

// Change is a difference between two versions of an API.
type Change struct {
	Level Level `json:"level"`
	// Path is the schema coordinate, such as User.orders(createdAt:).
	//
	// https://spec.graphql.org/September2025/#sec-Schema-Coordinates
	Path string `json:"path"`
	// What has changed, and what it means for whom.
	What string `json:"what"`
	// Fix is how to get there without breaking a client; "" unless the change is breaking or needs data.
	Fix string `json:"fix,omitempty"`
	// Announced is set for a breaking change of what the base has deprecated.
	Announced bool `json:"announced,omitempty"`
	// File and Line are the place in the schema. InBase is set if it is one of the base, because the new version has
	// nothing left there. File is "" for what no file has.
	File   string `json:"file,omitempty"`
	Line   int    `json:"line,omitempty"`
	InBase bool   `json:"inBase,omitempty"`
}

// IsBreach reports whether the change breaks clients that had no time to prepare for it, or needs other data than those
// that are stored.
func (c *Change) IsBreach() bool { return c.Level == Breaking && !c.Announced || c.Level == NeedsData }

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

// String returns the changes as text, grouped by level.
func (cs Changes) String() string {
	if len(cs) == 0 {
		return "The API has not changed.\n"
	}
	var b strings.Builder
	for _, group := range cs.Groups() {
		if len(group.Changes) == 0 {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "%s: %d\n", group.Title, len(group.Changes))
		for _, c := range group.Changes.Folded() {
			fmt.Fprintf(&b, "  %s", c.Path)
			if place := c.place(); place != "" {
				fmt.Fprintf(&b, "  (%s)", place)
			}
			fmt.Fprintf(&b, "\n      %s\n", c.What)
			if c.Fix != "" {
				fmt.Fprintf(&b, "      to do: %s\n", c.Fix)
			}
		}
	}
	return b.String()
}

// Folded returns the changes, with the equal ones of many safe elements as one: a description that is built in may be
// that of every connection.
func (cs Changes) Folded() Changes {
	const many = 4
	paths := map[string][]string{}
	for _, c := range cs.Of(Safe) {
		paths[c.What] = append(paths[c.What], c.Path)
	}
	var folded Changes
	for _, c := range cs {
		if same := paths[c.What]; c.Level == Safe && len(same) >= many {
			if same[0] != c.Path {
				continue
			}
			c = Change{Level: Safe, Path: strings.Join(same, ", "), What: c.What}
		}
		folded = append(folded, c)
	}
	return folded
}

// Group are the changes with one title.
type Group struct {
	Title   string
	Changes Changes
}

// Groups returns the changes in the order in which a reader needs them. A group may be empty.
func (cs Changes) Groups() []Group {
	var breaking, announced Changes
	for _, c := range cs.Of(Breaking) {
		if c.Announced {
			announced = append(announced, c)
		} else {
			breaking = append(breaking, c)
		}
	}
	return []Group{
		{string(Breaking), breaking},
		{string(Breaking) + ", but deprecated before", announced},
		{string(NeedsData), cs.Of(NeedsData)},
		{string(Dangerous), cs.Of(Dangerous)},
		{string(Safe), cs.Of(Safe)},
	}
}
