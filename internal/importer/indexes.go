package importer

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/stored"
)

// addIndexes adds the entries of the type's items in the indexes.
func addIndexes(m *model, t *typ) {
	for _, layout := range m.Indexes {
		for _, s := range t.stored {
			if ix := indexOf(m, t, s, layout); ix != nil {
				s.indexes = append(s.indexes, ix)
			}
		}
	}
	orderCopies(m, t)
}

// orderCopies moves copies without an entry in an index behind those with one: the n-th @index of a name belongs to the
// n-th stored item. An entry that is still preceded by an item without one is omitted.
func orderCopies(m *model, t *typ) {
	slices.SortStableFunc(t.stored[1:], func(a, b *storedType) int { return len(b.indexes) - len(a.indexes) })
	for i, s := range t.stored {
		s.indexes = slices.DeleteFunc(s.indexes, func(ix *index) bool {
			lacks := slices.ContainsFunc(t.stored[:i], func(before *storedType) bool {
				return before.entry(ix.name) == nil
			})
			twice := slices.ContainsFunc(t.stored[:i], func(before *storedType) bool {
				other := before.entry(ix.name)
				return other != nil && sameParts(other.pk, ix.pk) && sameParts(other.sk, ix.sk)
			})
			switch {
			case lacks:
				m.omit("entries of %s in index %s: the item has none, only its copy has one", t.name, ix.name)
			case twice:
				m.omit("entries of %s in index %s: the item and its copy have the same entry", t.name, ix.name)
			}
			return lacks || twice
		})
	}
}

// indexOf returns the entry of a stored item in an index, nil if it has none.
func indexOf(m *model, t *typ, s *storedType, layout stored.IndexLayout) *index {
	g := slices.DeleteFunc(slices.Clone(group(s.entries)), func(e *entry) bool {
		return !e.hasAll(layout.PK) || !e.hasAll(layout.SK)
	})
	if len(g) == 0 {
		return nil
	}
	ix := &index{name: layout.Name, shards: 1, isDerived: true}
	for _, key := range [...]struct {
		attributes keys.KeyAttributes
		parts      *template
	}{{layout.PK, &ix.pk}, {layout.SK, &ix.sk}} {
		for _, a := range key.attributes {
			parts, ok := keyTemplate(m.layout, s, g, a.Name, ix)
			if !ok || len(key.attributes) > 1 && len(parts) != 1 {
				m.omit("entries of %s in index %s: %s has no pattern", t.name, ix.name, a.Name)
				return nil
			}
			if *key.parts = append(*key.parts, parts...); len(key.attributes) == 1 {
				*key.parts = parts // What is padded there is padded in the key of the table.
			}
			ix.isDerived = ix.isDerived && isItself(m.layout, a.Name, parts)
		}
	}
	for _, a := range layout.SK {
		v, _ := g[0].Get(a.Name)
		ix.isNumber = ix.isNumber || v.Kind == item.Number
	}
	if len(layout.PK) == 1 && slices.Contains(ix.own, layout.PK[0].Name) {
		findShards(t, s, ix, g)
	}
	if n := sparse(ix, s, len(g)); n > 0 && !ix.isDerived {
		ix.note = itemCount(float64(n)) +
			" with all values of the key, but without an entry, which `table repair` would add."
	}
	return ix
}

// isItself reports whether the key attribute of an index is a key of the table, or the value that its template has.
func isItself(table *layout, attribute string, parts template) bool {
	if attribute == table.PK.String() || attribute == table.SK.String() {
		return true
	}
	return len(parts) == 1 && parts[0].Literal == "" && parts[0].Variable == attribute
}

// keyTemplate returns the template of a key attribute of an index: that of the table's key if it is the same attribute,
// the attribute itself if it is a value, or else what it consists of.
func keyTemplate(table *layout, s *storedType, g group, attribute string, ix *index) (template, bool) {
	switch attribute {
	case table.PK.String():
		return s.pk, true
	case table.SK.String():
		return s.sk, true
	}
	itself := template{{Variable: attribute}}
	if v, _ := g[0].Get(attribute); v.Kind != item.String {
		return itself, v.Kind == item.Number
	}
	whole := slices.DeleteFunc(slices.Clone(g), func(e *entry) bool { return isCutShort(table, e.Text(attribute)) })
	if len(whole) == 0 {
		whole = g
	}
	counts := groupBy(whole, func(e *entry) int { return strings.Count(e.Text(attribute), table.Delimiter) })
	var most group
	for _, n := range slices.Sorted(maps.Keys(counts)) {
		if len(counts[n]) > len(most) {
			most = counts[n]
		}
	}
	texts := make([][]string, strings.Count(most[0].Text(attribute), table.Delimiter)+1)
	if len(texts) == 1 && !indexKey.MatchString(attribute) && (len(ix.own) == 0 || !isSortKey(table, most, attribute)) {
		return itself, true
	}
	for _, e := range most {
		for i, text := range strings.Split(e.Text(attribute), table.Delimiter) {
			texts[i] = append(texts[i], text)
		}
	}
	known := maps.Clone(s.hidden)
	parts := templateOf(table, most, texts, &naming{attribute: attribute, hidden: s.hidden})
	if label, _ := labelOf(parts[0].Variable); len(parts) == 1 && parts[0].Literal == "" && len(s.hidden) > len(known) {
		// The value is in no other key, so the attribute is its own value.
		forget(s.shape, label)
		return itself, true
	}
	for _, e := range g {
		switch key := e.Text(attribute); {
		case isCutShort(table, key) && len(whole) < len(g):
			if !makeOptional(table, parts, key) {
				return nil, false
			}
		case strings.Count(key, table.Delimiter) != len(texts)-1 && !builds(table, parts, e, key):
			return nil, false
		}
	}
	ix.own = append(ix.own, attribute)
	return parts, true
}

// isSortKey reports whether a text was made as a sort key of an index, by its name, or because it has the digits of a
// number that is an attribute as well.
func isSortKey(table *layout, g group, attribute string) bool {
	if indexSortKey.MatchString(attribute) {
		return true
	}
	p, ok := explain(table, g, textsOf(valuesOf(g, attribute)), &naming{attribute: attribute})
	if !ok || isHidden(p.Variable) {
		return false
	}
	v, _ := g[0].Get(p.Variable)
	return v.Kind == item.Number
}

// sparse returns how many items without an entry have all values of its key.
func sparse(ix *index, s *storedType, entries int) int {
	if entries == len(s.entries) {
		return 0
	}
	complete := 0
	for _, e := range s.entries {
		if every(variablesOf(ix.pk, ix.sk), func(v keys.Segment) bool { _, ok := e.value(v.Variable); return ok }) {
			complete++
		}
	}
	return complete - entries
}

// findShards recognises shards: the numbers from 0 to some other at the end of a partition key, which no attribute has.
// Reads need not know by which rule they were chosen.
func findShards(t *typ, s *storedType, ix *index, g group) {
	last := len(ix.pk) - 1
	if last < 1 || !isHidden(ix.pk[last].Variable) || ix.pk[last].Literal != "" {
		return
	}
	label, _ := labelOf(ix.pk[last].Variable)
	numbers, isOurs := map[int]bool{}, true
	for _, e := range g {
		shard, err := strconv.Atoi(e.hidden[label])
		if err != nil || shard < 0 || shard >= keys.MaxShards || strconv.Itoa(shard) != e.hidden[label] {
			return
		}
		numbers[shard] = true
	}
	n := len(numbers)
	if n < 2 || slices.Max(slices.Collect(maps.Keys(numbers))) != n-1 {
		return
	}
	for _, e := range g {
		var identity []string
		for _, name := range t.item().identity() {
			value, _ := e.value(name)
			identity = append(identity, value.Text)
		}
		isOurs = isOurs && strconv.Itoa(keys.Shard(n, identity...)) == e.hidden[label]
	}
	if !isOurs {
		ix.note = fmt.Sprintf("The partition key ends in a number from 0 to %d that follows a rule of another "+
			"program: reads do not\n  # need it, but `table repair` would move entries. "+
			"Check that there are no more numbers.", n-1)
	}
	forget(s.shape, label)
	ix.pk, ix.shards = ix.pk[:last], n
}
