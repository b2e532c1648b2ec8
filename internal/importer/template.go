package importer

import (
	"slices"
	"strings"

	"github.com/partita/partita/keys"
)

// template is the segments of a template whose variables are named after what the importer found: an attribute, or
// hiddenPrefix and the label of a hidden value. They get the names of fields when the schema is printed.
type template = []keys.Segment

// hiddenPrefix distinguishes names of hidden values from those of attributes.
const hiddenPrefix = "\x00"

// labelOf returns the label of a hidden value by the name of its variable.
func labelOf(variable string) (label string, isHidden bool) {
	return strings.CutPrefix(variable, hiddenPrefix)
}

func isHidden(variable string) bool { return strings.HasPrefix(variable, hiddenPrefix) }

// variablesOf returns the segments of templates with a variable, one for each: with its whole value, if there is one.
func variablesOf(templates ...template) template {
	var all template
	for _, s := range slices.Concat(templates...) {
		if s.Variable == "" {
			continue
		}
		i := slices.IndexFunc(all, func(other keys.Segment) bool { return other.Variable == s.Variable })
		switch {
		case i < 0:
			all = append(all, s)
		case all[i].Bucket != 0:
			all[i] = s
		}
	}
	return all
}

// has reports whether a template has a variable, whole or in a bucket.
func has(t template, variable string) bool {
	return slices.ContainsFunc(t, func(s keys.Segment) bool { return s.Variable == variable })
}

// form is a segment without what its variable is called, and how it is formatted.
func form(s keys.Segment) keys.Segment {
	f := keys.Segment{Glued: s.Glued, Literal: s.Literal}
	if s.Variable != "" {
		f.Variable = "?"
	}
	return f
}

// samePattern reports whether two templates make equal keys from equal values.
func samePattern(a, b template) bool {
	return slices.EqualFunc(a, b, func(x, y keys.Segment) bool {
		return form(x) == form(y) && x.Width == y.Width && x.Bucket == y.Bucket && x.Case == y.Case
	})
}

// sameParts reports whether two templates have the same literals and variables.
func sameParts(a, b template) bool {
	return slices.EqualFunc(a, b, func(x, y keys.Segment) bool { return form(x) == form(y) && x.Variable == y.Variable })
}

func hasLiteral(t template) bool {
	return slices.ContainsFunc(t, func(s keys.Segment) bool { return s.Literal != "" })
}

// literalOf returns the first word in a template, "" for none.
func literalOf(t template) string {
	for _, s := range t {
		if literal := strings.TrimRight(s.Literal, signs); isWord(literal) || isNumbered(literal) {
			return literal
		}
	}
	return ""
}

func literals(t template) []string {
	all := make([]string, len(t))
	for i, s := range t {
		all[i] = s.Literal
	}
	return all
}
