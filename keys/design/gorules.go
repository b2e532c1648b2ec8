package design

import (
	"fmt"
	"maps"
	"slices"

	"github.com/partita/partita/keys"
)

// GoWord is a word of a Rule that Go code decides about.
type GoWord struct {
	Word string
	// By are the stored fields of the object that the code gets.
	By []string
}

// Allow decides whether a viewer who has signed in, with an id and roles, may see an object. value returns what a field
// of the object has, as the text that a key would have, and false for null; it has the fields that the schema lists in
// by. Allow is called for each object of an answer, at the same time for several, and must not read or wait: a
// membership is for what the object itself does not say.
type Allow func(viewer string, roles []string, value func(field string) (text string, ok bool)) bool

// WithAllow sets the Go code of the words of rules, and returns the design.
func (d *Design) WithAllow(words map[string]Allow) *Design {
	d.allow = words
	return d
}

// CheckAllow returns an error about a word of a rule without Go code, or code for a word that no rule has.
func (d *Design) CheckAllow() error {
	needed := map[string]string{}
	for _, t := range d.Types {
		if t.Rule == nil {
			continue
		}
		for _, g := range t.Rule.Go {
			needed[g.Word] = t.Name
		}
	}
	for _, word := range slices.Sorted(maps.Keys(needed)) {
		if d.allow[word] == nil {
			return fmt.Errorf("@allow of type %s needs Go code for the word %s: give it to typed.Design.WithAllow",
				needed[word], word)
		}
	}
	for _, word := range slices.Sorted(maps.Keys(d.allow)) {
		if needed[word] == "" {
			return fmt.Errorf("no @allow has the word %s in go: add it there, or remove it from typed.Design.WithAllow", word)
		}
	}
	return nil
}

// AllowsByGo reports whether Go code allows the viewer by the values of an object. An object whose key and attributes
// disagree about one of them is nobody's.
func (d *Design) AllowsByGo(g GoWord, viewer string, roles []string, value func(name string) keys.Value) bool {
	allow := d.allow[g.Word]
	if allow == nil {
		return false
	}
	for _, name := range g.By {
		if value(name).IsContested() {
			return false
		}
	}
	return allow(viewer, roles, func(field string) (string, bool) {
		if !slices.Contains(g.By, field) {
			return "", false
		}
		return value(field).Single()
	})
}
