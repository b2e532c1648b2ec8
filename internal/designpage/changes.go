package designpage

import (
	"fmt"

	"github.com/partita/partita/internal/gen/contract"
)

// Changes are what differs from a base.
type Changes struct {
	// Base is its name.
	Base string
	// Patterns, Stored and Writes are about patterns, kinds of stored items, and the prices of writes.
	Patterns, Stored, Writes []Change
	// API are the changes that clients, and what is stored, are affected by.
	API contract.Changes
}

// Change is one difference.
type Change struct {
	What Link
	// Kind is "new", "changed" or "removed".
	Kind string
	// Lines are what it was and is.
	Lines []Line
}

// Line is one part of a change, as Markdown. Was or Is may be "".
type Line struct{ Part, Was, Is string }

// Section are the changes of one kind of elements.
type Section struct {
	Title   string
	Changes []Change
}

// Sections returns the changes in the order of the page.
func (c *Changes) Sections() []Section {
	return []Section{
		{"Access patterns", c.Patterns}, {"Keys", c.Stored}, {"Write units at worst", c.Writes},
	}
}

// IsEmpty reports whether nothing has changed.
func (c *Changes) IsEmpty() bool { return len(c.Patterns)+len(c.Stored)+len(c.Writes)+len(c.API) == 0 }

const (
	isNew     = "new"
	isChanged = "changed"
	isRemoved = "removed"
)

// Compare sets what has changed since a base, whose name it has. api are the changes between both versions.
func (p *Page) Compare(name string, base *Page, api contract.Changes) {
	p.Changes = &Changes{Base: name, API: api}
	p.Changes.Patterns = compare(partsOfPatterns(base), partsOfPatterns(p))
	p.Changes.Stored = compare(partsOfStored(base), partsOfStored(p))
	p.Changes.Writes = compare(partsOfWrites(base), partsOfWrites(p))
	since := map[string]string{}
	for _, c := range append(p.Changes.Patterns, p.Changes.Stored...) {
		since[c.What.ID] = c.Kind
	}
	for pattern := range p.patterns() {
		pattern.Since = since[pattern.Field]
	}
	for i := range p.Types {
		for j := range p.Types[i].Kinds {
			k := &p.Types[i].Kinds[j]
			k.Since = since[k.ID]
		}
	}
}

// compared is what is compared of one element: pairs of a part and its text.
type compared struct {
	what  Link
	parts []Pair
}

func partsOfPatterns(p *Page) []compared {
	var all []compared
	for f := range p.patterns() {
		all = append(all, compared{Link{f.Field, f.Field}, []Pair{
			{"request", f.Request}, {"key condition", f.Condition}, {"answers", f.Answers},
			{"read units at worst", f.Cost.Text}, {"requests", fmt.Sprint(f.Cost.Requests)}, {"who may read", f.Who},
		}})
	}
	return all
}

func partsOfStored(p *Page) []compared {
	var all []compared
	for _, t := range p.Types {
		for _, k := range t.Kinds {
			all = append(all, compared{Link{k.ID, t.Name + ", " + k.What}, []Pair{
				{"partition key", k.PK}, {"sort key", k.SK}, {"in one partition", k.InPartition},
			}})
		}
	}
	return all
}

func partsOfWrites(p *Page) []compared {
	var all []compared
	for _, t := range p.Types {
		all = append(all, compared{Link{"writes-" + t.Name, t.Name}, []Pair{
			{"create", fmt.Sprint(t.Create.WriteUnits)}, {"update", fmt.Sprint(t.Update.WriteUnits)},
			{"delete", fmt.Sprint(t.Delete.WriteUnits)},
		}})
	}
	return all
}

// compare returns what differs: what is new or changed in the order of the page, then what is gone.
func compare(base, head []compared) []Change {
	var all []Change
	was := map[string]compared{}
	for _, c := range base {
		was[c.what.ID] = c
	}
	for _, is := range head {
		before, existed := was[is.what.ID]
		delete(was, is.what.ID)
		c := Change{What: is.what, Kind: isNew, Lines: is.since(before)}
		if existed {
			c.Kind = isChanged
		}
		if len(c.Lines) > 0 {
			all = append(all, c)
		}
	}
	for _, c := range base {
		if _, isGone := was[c.what.ID]; isGone {
			all = append(all, Change{Kind: isRemoved, What: Link{Text: c.what.Text}, Lines: compared{}.since(c)})
		}
	}
	return all
}

// since returns the parts that differ.
func (c compared) since(before compared) []Line {
	var lines []Line
	for i := range max(len(c.parts), len(before.parts)) {
		var l Line
		if i < len(before.parts) {
			l.Part, l.Was = before.parts[i].Name, before.parts[i].Text
		}
		if i < len(c.parts) {
			l.Part, l.Is = c.parts[i].Name, c.parts[i].Text
		}
		if l.Was != l.Is {
			lines = append(lines, l)
		}
	}
	return lines
}
