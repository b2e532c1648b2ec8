package importer

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// part is what a template has between two delimiters: a literal, a variable, or a literal before a variable.
type part struct {
	literal  string
	variable *variable
}

// variable is a value in a key.
type variable struct {
	// attribute is the attribute that has the value, "" for a hidden value.
	attribute string
	// label is the name that the field of a hidden value should have.
	label string
	// typ is the GraphQL type of a hidden value, and format how it is stored.
	scalar
	// note is a comment for the person who reads the schema.
	note string
	// width is to how many digits a number is padded.
	width int
	// bucket is the time bucket to which a time is cut: month, day, ...
	bucket string
}

// name identifies the variable among those of an item.
func (v *variable) name() string {
	if v.attribute != "" {
		return v.attribute
	}
	return hiddenPrefix + v.label
}

// hiddenPrefix distinguishes names of hidden values from those of attributes.
const hiddenPrefix = "\x00"

// shape is the templates of one kind of stored items.
type shape struct {
	pk, sk  []part
	typ     string
	entries []*entry
	// hidden are the variables of hidden values by label, those in keys of indexes included.
	hidden map[string]*variable
}

// variables returns the variables of the keys, each once: with its whole value, if there is one.
func (s *shape) variables() []*variable { return variablesOf(s.pk, s.sk) }

func variablesOf(templates ...[]part) []*variable {
	var all []*variable
	for _, p := range slices.Concat(templates...) {
		if p.variable == nil {
			continue
		}
		i := slices.IndexFunc(all, func(v *variable) bool { return v.name() == p.variable.name() })
		switch {
		case i < 0:
			all = append(all, p.variable)
		case all[i].bucket != "":
			all[i] = p.variable
		}
	}
	return all
}

// identity returns the names of the variables that identify an item of the shape.
func (s *shape) identity() []string {
	var names []string
	for _, v := range s.variables() {
		if v.bucket == "" {
			names = append(names, v.name())
		}
	}
	return names
}

// weight returns how many items of the table have the shape.
func weight(entries []*entry) float64 {
	total := 0.0
	for _, e := range entries {
		total += e.weight
	}
	return total
}

// group is entries whose keys have equally many parts.
type group []*entry

// parts returns how many parts the keys have.
func (g group) parts() int { return len(g[0].pk) + len(g[0].sk) }

// text returns a part of an entry's key, counted over both keys.
func (e *entry) text(i int) string {
	if i < len(e.pk) {
		return e.pk[i]
	}
	return e.sk[i-len(e.pk)]
}

func (g group) texts(i int) []string {
	texts := make([]string, len(g))
	for j, e := range g {
		texts[j] = e.text(i)
	}
	return texts
}

// findShapes returns the shapes of the entries, and the entries without one.
func (t *layout) findShapes(entries []*entry) (shapes []*shape, rest []unclassified) {
	byPattern := map[[3]string]group{}
	for _, e := range entries {
		key := [3]string{e.typ, strings.Repeat("#", len(e.pk)), strings.Repeat("#", len(e.sk))}
		byPattern[key] = append(byPattern[key], e)
	}
	var groups []group
	for _, g := range byPattern {
		groups = append(groups, t.divide(g, 0)...)
	}
	slices.SortFunc(groups, func(a, b group) int {
		return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(t.keyText(a[0]), t.keyText(b[0])))
	})
	for _, g := range groups {
		// A value that contains the delimiter makes a key with more parts than the others.
		if g = slices.DeleteFunc(g, func(e *entry) bool { return t.adopt(shapes, e) }); len(g) == 0 {
			continue
		}
		s := t.shapeOf(g)
		if isAccidental(s, len(entries)) {
			rest = append(rest, withReason(g, "its key has no pattern that other items have")...)
			continue
		}
		if i := slices.IndexFunc(shapes, func(other *shape) bool { return sameTemplates(s, other) }); i >= 0 {
			shapes[i] = t.shapeOf(append(slices.Clone(group(shapes[i].entries)), g...))
			continue
		}
		shapes = append(shapes, s)
	}
	return t.setAside(shapes, rest)
}

// setAside takes out shapes with few items that have keys like those of another one, but not its type or its values.
// Items without a type attribute belong to the other one, because types are recognised by their keys then.
func (t *layout) setAside(shapes []*shape, rest []unclassified) ([]*shape, []unclassified) {
	var kept []*shape
	for _, s := range shapes { // the largest first
		i := slices.IndexFunc(kept, func(main *shape) bool {
			return sameKeys(s, main) && isMost(len(main.entries), len(s.entries)+len(main.entries))
		})
		switch {
		case i < 0:
			kept = append(kept, s)
		case s.typ == kept[i].typ:
			rest = append(rest, withReason(s.entries, "its key has other values than its attributes")...)
		case s.typ == "":
			kept[i].entries = append(kept[i].entries, s.entries...)
		default:
			rest = append(rest, withReason(s.entries,
				fmt.Sprintf("its %s is %q, but items with such keys have %q", t.Type, s.typ, kept[i].typ))...)
		}
	}
	return kept, rest
}

// sameKeys reports whether the keys of two shapes have the same literals, and variables in the same places.
func sameKeys(a, b *shape) bool { return samePattern(a.pk, b.pk) && samePattern(a.sk, b.sk) }

func (t *layout) keyText(e *entry) string { return e.Text(t.PK) + "\x00" + e.Text(t.SK) }

func withReason(g group, why string) []unclassified {
	rest := make([]unclassified, len(g))
	for i, e := range g {
		rest[i] = unclassified{e, why}
	}
	return rest
}

// isAccidental reports whether a shape is no pattern: it has no literal and few items, or no variables and other
// literals than words in capitals, as the only item of a type has them.
func isAccidental(s *shape, total int) bool {
	if len(s.variables()) == 0 {
		return slices.ContainsFunc(slices.Concat(s.pk, s.sk), func(p part) bool { return !isCapitals(p.literal) })
	}
	hasLiteral := slices.ContainsFunc(slices.Concat(s.pk, s.sk), func(p part) bool { return p.literal != "" })
	return !hasLiteral && s.typ == "" && (len(s.entries) < 3 || len(s.entries)*50 < total)
}

func isCapitals(literal string) bool {
	return literal != "" && strings.Trim(literal, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_-") == ""
}

func sameTemplates(a, b *shape) bool {
	same := func(x, y part) bool {
		return x.literal == y.literal && (x.variable == nil) == (y.variable == nil) &&
			(x.variable == nil || x.variable.name() == y.variable.name() && x.variable.width == y.variable.width)
	}
	return a.typ == b.typ && slices.EqualFunc(a.pk, b.pk, same) && slices.EqualFunc(a.sk, b.sk, same)
}

// shapeOf returns the templates of a group that divide has returned.
func (t *layout) shapeOf(g group) *shape {
	s := &shape{typ: g[0].typ, entries: g, hidden: map[string]*variable{}}
	for _, e := range g {
		clear(e.hidden)
	}
	texts := make([][]string, g.parts())
	for i := range texts {
		texts[i] = g.texts(i)
	}
	n := len(g[0].pk)
	s.pk = t.templateOf(g, texts[:n], &naming{attribute: t.PK, hidden: s.hidden})
	s.sk = t.templateOf(g, texts[n:], &naming{attribute: t.SK, sort: true, hidden: s.hidden})
	return s
}

func areEqual(texts []string) bool {
	return !slices.ContainsFunc(texts, func(text string) bool { return text != texts[0] })
}

// adopt adds an entry whose value contains the delimiter to the shape whose key its attributes make.
func (t *layout) adopt(shapes []*shape, e *entry) bool {
	for _, s := range shapes {
		clear(e.hidden)
		if s.typ == e.typ && t.builds(s.pk, e, t.PK) && t.builds(s.sk, e, t.SK) {
			s.entries = append(s.entries, e)
			return true
		}
	}
	return false
}
