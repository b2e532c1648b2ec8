package design

import (
	"fmt"
	"slices"
	"strings"
)

// Transitions are the ways of an enum's value, by @transitions.
type Transitions struct {
	// Start are the values that a new object may have; nil for any.
	Start []string
	// Next are the values that others may become. A value that is in none stays as it is.
	Next []Transition
}

// Transition lists what a value may become.
type Transition struct {
	From string
	To   []string
}

// To returns what a value may become.
func (t *Transitions) To(from string) []string {
	for _, next := range t.Next {
		if next.From == from {
			return next.To
		}
	}
	return nil
}

// From returns what a value may have been before.
func (t *Transitions) From(to string) []string {
	var all []string
	for _, next := range t.Next {
		if slices.Contains(next.To, to) {
			all = append(all, next.From)
		}
	}
	return all
}

// Starts reports whether a new object may have a value.
func (t *Transitions) Starts(value string) bool {
	return t.Start == nil || slices.Contains(t.Start, value)
}

// Problem returns why a value of an object of a type may not become another one, from "" for a new object.
func (t *Transitions) Problem(typ, from, to string) string {
	next := t.To(from)
	switch {
	case from == "":
		return fmt.Sprintf("a %s begins as %s, not as %s", typ, strings.Join(t.Start, " or "), to)
	case to == "":
		to = "without a value"
	}
	if len(next) == 0 {
		return fmt.Sprintf("this %s is %s and stays so: it cannot become %s", typ, from, to)
	}
	return fmt.Sprintf("this %s is %s: it can become %s, but not %s", typ, from, strings.Join(next, " or "), to)
}
