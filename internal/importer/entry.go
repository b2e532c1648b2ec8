package importer

import (
	"maps"
	"slices"
	"strings"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
)

// entry is one item.
type entry struct {
	item.Item
	// pk and sk are the parts of its key.
	pk, sk []string
	// typ is its type attribute, "" for none.
	typ string
	// content is a hash of its attributes without keys: that of an object and of its copies is equal.
	content uint64
	// weight is how many items of the table it is an example of.
	weight float64
	// hidden are its values that are only in keys, by the name of their field.
	hidden map[string]string
	// prefixes are the literals that parts of its key begin with, by the number of the part.
	prefixes map[int]string
}

// unclassified is an entry without a type, and the reason.
type unclassified struct {
	entry *entry
	why   string
}

func withReason(g group, why string) []unclassified {
	rest := make([]unclassified, len(g))
	for i, e := range g {
		rest[i] = unclassified{e, why}
	}
	return rest
}

// weight returns how many items of the table have the shape.
func weight(entries []*entry) float64 {
	total := 0.0
	for _, e := range entries {
		total += e.weight
	}
	return total
}

// valuesOf returns the values of an attribute in the entries that have it. NULL is no value.
func valuesOf(entries []*entry, attribute string) []item.Value {
	var values []item.Value
	for _, e := range entries {
		if v, ok := e.Get(attribute); ok && v.Kind != item.Null {
			values = append(values, v)
		}
	}
	return values
}

// text returns a part of an entry's key, counted over both keys.
func (e *entry) text(i int) string {
	if i < len(e.pk) {
		return e.pk[i]
	}
	return e.sk[i-len(e.pk)]
}

// value returns an attribute or a hidden value of the entry.
func (e *entry) value(name string) (item.Value, bool) {
	if label, hidden := strings.CutPrefix(name, hiddenPrefix); hidden {
		text, ok := e.hidden[label]
		return item.StringValue(text), ok
	}
	v, ok := e.Get(name)
	return v, ok && v.Text != "" && (v.Kind == item.String || v.Kind == item.Number || v.Kind == item.Bool)
}

// hasAll reports whether an item has all attributes of a key. None of those of an index can be empty.
func (e *entry) hasAll(k keys.KeyAttributes) bool {
	return every(k.Names(), func(name string) bool { return e.Text(name) != "" })
}

func (t *layout) keyText(e *entry) string {
	return e.Text(t.PK.String()) + "\x00" + e.Text(t.SK.String())
}

// group is entries whose keys have equally many parts.
type group []*entry

// parts returns how many parts the keys have.
func (g group) parts() int { return len(g[0].pk) + len(g[0].sk) }

func (g group) texts(i int) []string {
	texts := make([]string, len(g))
	for j, e := range g {
		texts[j] = e.text(i)
	}
	return texts
}

// begin makes a prefix of the i-th part of the keys a literal.
func (g group) begin(i int, prefix string) {
	for _, e := range g {
		if e.prefixes = maps.Clone(e.prefixes); e.prefixes == nil {
			e.prefixes = map[int]string{}
		}
		e.prefixes[i] = prefix
	}
}

// few is how many different values may be equal to others by chance.
const few = 2

// A few items in a table of many are damaged, of a retired format, or tests: of a group with at least minGroup items,
// at most one of tolerated.
const (
	minGroup  = 20
	tolerated = 20
)

// isMost reports whether n of total items are so many that the others are accidents.
func isMost(n, total int) bool {
	return n == total || total >= minGroup && (total-n)*tolerated <= total
}

func areEqual(texts []string) bool {
	return every(texts, func(text string) bool { return text == texts[0] })
}

// different returns how many different texts there are.
func different(texts []string) int {
	return len(slices.Compact(slices.Sorted(slices.Values(texts))))
}

// isFollowed reports whether the i-th part of the keys has a part of the same key behind it.
func isFollowed(g group, i int) bool { return i+1 < g.parts() && i+1 != len(g[0].pk) }

// candidates returns the names of the values that nearly all entries have and that the key in an attribute can consist
// of. Where one is missing, it is read from the key.
func candidates(t *layout, g group, key string) []string {
	count := map[string]int{}
	for _, e := range g {
		for _, a := range e.Item {
			if _, ok := e.value(a.Name); ok && a.Name != t.Type && t.isSource(a.Name, key) {
				count[a.Name]++
			}
		}
		for label := range e.hidden {
			count[hiddenPrefix+label]++
		}
	}
	maps.DeleteFunc(count, func(_ string, n int) bool { return !isMost(n, len(g)) })
	return slices.Sorted(maps.Keys(count))
}

// differ reports whether the items of two groups have other attributes: one that nearly all of the one group have,
// and nearly none of the other.
func differ(t *layout, a, b group) bool {
	count := func(g group) map[string]int {
		n := map[string]int{}
		for _, e := range g {
			for _, attribute := range e.Item {
				n[attribute.Name]++
			}
		}
		return n
	}
	inA, inB := count(a), count(b)
	only := func(x, y map[string]int, g, h group) bool {
		for name, n := range x {
			if n*10 >= len(g)*9 && y[name]*10 <= len(h) && !t.isIndexKey(name) {
				return true
			}
		}
		return false
	}
	return only(inA, inB, a, b) || only(inB, inA, b, a)
}

// allDiffer reports whether the items of each group differ from those of each other one.
func allDiffer(t *layout, groups []group) bool {
	for i, g := range groups {
		if slices.ContainsFunc(groups[:i], func(other group) bool { return !differ(t, g, other) }) {
			return false
		}
	}
	return true
}

// isValue reports whether the whole key of each entry is a value: the table has no sort key, so that no two items have
// the same word.
func (t *layout) isValue(g group) bool { return !t.HasSortKey() && len(g[0].pk) == 1 }

// builds reports whether the values of an entry make a key, even if they contain the delimiter. It keeps the hidden
// values, which cannot contain it.
func builds(t *layout, template template, e *entry, rest string) bool {
	for i, p := range template {
		ok := true
		if i > 0 && !p.Glued {
			rest, ok = strings.CutPrefix(rest, t.Delimiter)
		}
		if ok {
			rest, ok = strings.CutPrefix(rest, p.Literal)
		}
		if !ok {
			return false
		}
		if p.Variable == "" {
			continue
		}
		if label, isHidden := labelOf(p.Variable); isHidden {
			text, _, _ := strings.Cut(rest, t.Delimiter)
			if known, is := e.hidden[label]; text == "" || is && known != text {
				return false
			}
			e.hidden[label] = text
			rest = rest[len(text):]
			continue
		}
		text, is := e.value(p.Variable)
		rest, ok = strings.CutPrefix(rest, p.Case.Of(text.Text))
		if !is || !ok || p.Bucket != 0 || p.Width > 0 {
			return false
		}
	}
	return rest == ""
}
