package importer

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
)

// findShapes returns the shapes of the entries, and the entries without one.
func findShapes(t *layout, entries []*entry) (shapes []*shape, rest []unclassified) {
	t.partitions = map[string]bool{}
	for _, e := range entries {
		e.prefixes = nil
		t.partitions[e.pk[0]] = len(e.pk) > 1
	}
	type pattern struct {
		typ    string
		pk, sk int
	}
	byPattern := groupBy(group(entries), func(e *entry) pattern { return pattern{e.typ, len(e.pk), len(e.sk)} })
	var groups []group
	for _, g := range byPattern {
		groups = append(groups, divide(t, g, 0)...)
	}
	findValues(t, groups)
	slices.SortFunc(groups, func(a, b group) int {
		return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(t.keyText(a[0]), t.keyText(b[0])))
	})
	for _, g := range groups {
		// A value that contains the delimiter makes a key with more parts than the others.
		if g = slices.DeleteFunc(g, func(e *entry) bool { return adopt(t, shapes, e) }); len(g) == 0 {
			continue
		}
		s := shapeOf(t, g)
		if isAccidental(s, len(entries)) {
			rest = append(rest, withReason(g, "its key has no pattern that other items have")...)
			continue
		}
		if i := slices.IndexFunc(shapes, func(other *shape) bool { return sameTemplates(s, other) }); i >= 0 {
			shapes[i] = shapeOf(t, append(slices.Clone(group(shapes[i].entries)), g...))
			continue
		}
		shapes = append(shapes, s)
	}
	return setAside(t, shapes, rest)
}

// findValues sets values.
func findValues(t *layout, groups []group) {
	t.values = map[string]bool{}
	for _, g := range groups {
		if texts := g.texts(0); len(g[0].pk) == 1 && !areEqual(texts) {
			for _, text := range texts {
				t.values[text] = true
			}
		}
	}
}

// setAside takes out shapes with few items that have keys like those of another one, but not its type or its values.
// Items without a type attribute belong to the other one, because types are recognised by their keys then.
func setAside(t *layout, shapes []*shape, rest []unclassified) ([]*shape, []unclassified) {
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

// isAccidental reports whether a shape is no pattern: it has no literal and few items, or no variables and other
// literals than words in capitals, as the only item of a type has them.
func isAccidental(s *shape, total int) bool {
	if len(s.entries) == total && (total > 1 || len(s.sk) == 0) {
		return false
	}
	if len(s.variables()) == 0 {
		return slices.ContainsFunc(slices.Concat(s.pk, s.sk), func(p keys.Segment) bool { return !isCapitals(p.Literal) })
	}
	hasLiteral := slices.ContainsFunc(slices.Concat(s.pk, s.sk), func(p keys.Segment) bool { return p.Literal != "" })
	return !hasLiteral && s.typ == "" && (len(s.entries) < 3 || len(s.entries)*50 < total)
}

// shapeOf returns the templates of a group that divide has returned.
func shapeOf(t *layout, g group) *shape {
	s := &shape{typ: g[0].typ, entries: g, hidden: map[string]*hidden{}}
	for _, e := range g {
		clear(e.hidden)
	}
	texts, prefixes := make([][]string, g.parts()), make([]string, g.parts())
	for i := range texts {
		texts[i] = g.texts(i)
		if prefixes[i] = g[0].prefixes[i]; isNumberedLiteral(g, i) {
			prefixes[i] = texts[i][0]
		}
	}
	n, used := len(g[0].pk), map[string]string{}
	s.pk = templateOf(t, g, texts[:n], &naming{
		attribute: t.PK.String(), used: used, hidden: s.hidden, prefixes: prefixes[:n],
	})
	s.sk = templateOf(t, g, texts[n:], &naming{
		attribute: t.SK.String(), used: used, hidden: s.hidden, prefixes: prefixes[n:],
	})
	s.cutTimes()
	return s
}

// cutTimes makes hidden values of the partition key a bucket of the time that the sort key has, and no attribute.
func (s *shape) cutTimes() {
	for i, p := range s.pk {
		label, isHidden := labelOf(p.Variable)
		if !isHidden {
			continue
		}
		for _, of := range variablesOf(s.sk) {
			name, _ := labelOf(of.Variable)
			h := s.hidden[name]
			if h == nil || h.typ != "Time" || h.format != keys.Plain && h.format != keys.Seconds {
				continue
			}
			b := slices.IndexFunc(buckets[:], func(b keys.Bucket) bool {
				return !slices.ContainsFunc(s.entries, func(e *entry) bool {
					text := e.hidden[label]
					return len(text) != int(b) || cut(item.StringValue(e.hidden[name]), b) != text
				})
			})
			if b < 0 {
				continue
			}
			forget(s, label)
			s.pk[i].Variable, s.pk[i].Width, s.pk[i].Bucket = of.Variable, of.Width, buckets[b]
			break
		}
	}
}

// adopt adds an entry whose value contains the delimiter to the shape whose key its attributes make.
func adopt(t *layout, shapes []*shape, e *entry) bool {
	for _, s := range shapes {
		clear(e.hidden)
		if s.typ == e.typ && builds(t, s.pk, e, e.Text(t.PK.String())) && builds(t, s.sk, e, e.Text(t.SK.String())) {
			s.entries = append(s.entries, e)
			return true
		}
	}
	return false
}

// shape is the templates of one kind of stored items.
type shape struct {
	pk, sk  template
	typ     string
	entries []*entry
	// hidden are the hidden values by label, those in keys of indexes included.
	hidden map[string]*hidden
}

// variables returns the variables of the keys, each once: with its whole value, if there is one.
func (s *shape) variables() template { return variablesOf(s.pk, s.sk) }

// identity returns the names of the variables that identify an item of the shape.
func (s *shape) identity() []string {
	var names []string
	for _, v := range s.variables() {
		if v.Bucket == 0 {
			names = append(names, v.Variable)
		}
	}
	return names
}

// sameKeys reports whether the keys of two shapes have the same literals, and variables in the same places.
func sameKeys(a, b *shape) bool { return samePattern(a.pk, b.pk) && samePattern(a.sk, b.sk) }

func sameTemplates(a, b *shape) bool {
	same := func(x, y keys.Segment) bool {
		return form(x) == form(y) && x.Variable == y.Variable && x.Width == y.Width
	}
	return a.typ == b.typ && slices.EqualFunc(a.pk, b.pk, same) && slices.EqualFunc(a.sk, b.sk, same)
}

// forget removes a hidden value from the items of a shape.
func forget(s *shape, label string) {
	delete(s.hidden, label)
	for _, e := range s.entries {
		delete(e.hidden, label)
	}
}
