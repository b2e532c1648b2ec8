package keys

import (
	"slices"
	"strings"
)

// Places are the names of an enum's values in the order in which the schema declares them, with a space between two. A
// key has the place of a value, from 1, if its template has a width for it, as {priority:02}.
type Places string

// PlacesOf returns the Places of names.
func PlacesOf(names []string) Places { return Places(strings.Join(names, " ")) }

// Names returns the names in their order.
func (p Places) Names() []string { return strings.Fields(string(p)) }

// of returns the place of a name, 0 for another text.
func (p Places) of(name string) int {
	rest := string(p)
	for n := 1; rest != ""; n++ {
		var first string
		if first, rest, _ = strings.Cut(rest, " "); first == name {
			return n
		}
	}
	return 0
}

// name returns the name that has a place, "" for none.
func (p Places) name(place int) string {
	names := p.Names()
	if place < 1 || place > len(names) {
		return ""
	}
	return names[place-1]
}

// Agree reports whether each name that both have has the same place, so that no key of it differs.
func (p Places) Agree(other Places) bool {
	return !slices.ContainsFunc(p.Names(), func(name string) bool {
		n := other.of(name)
		return n > 0 && n != p.of(name)
	})
}

// Extends reports whether the names of both are the same, one after the other, as far as one goes: then all of them
// have the same places, under these names at least.
func (p Places) Extends(other Places) bool {
	a, b := p.Names(), other.Names()
	n := min(len(a), len(b))
	return slices.Equal(a[:n], b[:n])
}
