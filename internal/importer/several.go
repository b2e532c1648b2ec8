package importer

import (
	"slices"
	"strings"
	"unicode"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
)

// Limits of the search for several values in one part of a key: how many there are, how many ways to cut the first text
// are tried, and how long a literal between them is.
const (
	maxSeveral = 4
	maxCuts    = 500
	maxBetween = 8
)

// cutter finds the values that a part of keys consists of if nothing separates them, or text that is no delimiter: as
// in account#{name}{id} of OneTable.
type cutter struct {
	*layout
	g     group
	texts []string
	names []string
	cuts  int
}

// severalOf returns the parts of texts that consist of several attributes, or of one and a text behind it, nil if they
// do not. A few texts may consist of others by chance.
func severalOf(t *layout, g group, texts []string, n *naming) template {
	if different(texts) <= few {
		return nil
	}
	c := &cutter{layout: t, g: g, texts: texts}
	for _, name := range candidates(t, g, n.attribute) {
		if v, ok := g[0].value(name); ok && v.Kind != item.Bool && !strings.HasPrefix(name, hiddenPrefix) {
			c.names = append(c.names, name)
		}
	}
	// The longest value first: a short one is found in many texts.
	slices.SortStableFunc(c.names, func(a, b string) int { return len(g[0].Text(b)) - len(g[0].Text(a)) })
	return c.cut(texts[0], nil)
}

// cut returns parts for the rest of the first text behind those found, nil if there are none.
func (c *cutter) cut(rest string, found template) template {
	if c.cuts++; c.cuts > maxCuts || len(found) > maxSeveral {
		return nil
	}
	isGlued := len(found) > 0
	if isLiteralBetween(rest) && len(found) > 0 {
		parts := found
		if rest != "" {
			parts = append(slices.Clone(found), keys.Segment{Literal: rest, Glued: true})
		}
		if len(parts) > 1 && c.fits(parts) {
			return parts
		}
	}
	for n := 0; n <= len(rest) && n <= maxBetween && isLiteralBetween(rest[:n]); n++ {
		for _, name := range c.names {
			for _, letters := range [...]keys.Case{keys.AsIs, keys.Lower, keys.Upper} {
				value := c.g[0].Text(name)
				text := letters.Of(value)
				if text == "" || !strings.HasPrefix(rest[n:], text) || letters != keys.AsIs && text == value {
					continue
				}
				p := keys.Segment{Literal: rest[:n], Variable: name, Case: letters, Glued: isGlued}
				if parts := c.cut(rest[n+len(text):], append(slices.Clone(found), p)); parts != nil {
					return parts
				}
			}
		}
	}
	return nil
}

// isLiteralBetween reports whether a text may be between values: digits are part of one, and templates have no spaces.
func isLiteralBetween(text string) bool {
	return !strings.ContainsAny(text, "0123456789{}") && !strings.ContainsFunc(text, unicode.IsSpace)
}

// fits reports whether the parts make all texts.
func (c *cutter) fits(parts template) bool {
	for i, e := range c.g {
		if !builds(c.layout, parts, e, c.texts[i]) {
			return false
		}
	}
	return true
}
