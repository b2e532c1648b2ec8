package contract

import (
	"fmt"
	"strings"
)

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
	announced := Changes{}
	for _, c := range cs.Of(Breaking) {
		if c.Announced {
			announced = append(announced, c)
		}
	}
	return []Group{
		{string(Breaking), cs.Breaches()},
		{string(Breaking) + ", but deprecated before", announced},
		{string(Dangerous), cs.Of(Dangerous)},
		{string(Safe), cs.Of(Safe)},
	}
}
