package importer

import (
	"maps"
	"slices"
	"strings"

	"github.com/partita/partita/item"
)

// findTypeAttribute returns the attribute whose value follows from the pattern of the keys, "" for none. If it has a
// usual name, it may as well follow from the pattern and the names of the attributes: keys often are ids alone.
func findTypeAttribute(t *layout, items []item.Item) string {
	kinds, names := make([]kind, len(items)), map[string]bool{}
	for i, it := range items {
		pattern := t.pattern(it)
		kinds[i] = kind{it, pattern, pattern + "\x00" + signatureOf(it)}
		for _, a := range it {
			names[a.Name] = !t.IsKey(a.Name)
		}
	}
	areAlike := every(items, func(it item.Item) bool { return signatureOf(it) == signatureOf(items[0]) })
	best, bestScore := "", 0
	for _, name := range slices.Sorted(maps.Keys(names)) {
		having := slices.DeleteFunc(slices.Clone(kinds), func(k kind) bool {
			v, _ := k.it.Get(name)
			return !names[name] || v.Kind != item.String || !isTypeName(v.Text)
		})
		value := func(k kind) string { return k.it.Text(name) }
		values := len(groupBy(having, value))
		pure := pureItems(groupBy(having, func(k kind) string { return k.pattern }), value)
		usual := slices.Index(usualTypes, name)
		if usual >= 0 && values > 1 {
			pure = max(pure, pureItems(groupBy(having, func(k kind) string { return k.signature }), value))
		}
		// Values of which each is another one are no types, nor are those of a status of objects that are all alike.
		isKind := values > 1 && values < len(having) && !areAlike
		if len(having)*20 < len(items)*19 || pure*100 < len(having)*99 || usual < 0 && !isKind || values > 200 {
			continue
		}
		score := values
		if usual >= 0 {
			score += 1000 * (len(usualTypes) - usual)
		}
		if score > bestScore {
			best, bestScore = name, score
		}
	}
	return best
}

// kind is an item with the pattern of its keys, and with the names of its attributes as well.
type kind struct {
	it                 item.Item
	pattern, signature string
}

// pureItems returns how many items have the most frequent value of their group.
func pureItems(groups map[string][]kind, value func(kind) string) int {
	pure := 0
	for _, g := range groups {
		most := 0
		for _, same := range groupBy(g, value) {
			most = max(most, len(same))
		}
		if isMost(most, len(g)) {
			most = len(g)
		}
		pure += most
	}
	return pure
}

// signatureOf returns the names of the attributes of an item.
func signatureOf(it item.Item) string {
	var names []string
	for _, a := range it {
		names = append(names, a.Name)
	}
	slices.Sort(names)
	return strings.Join(names, "\x00")
}
