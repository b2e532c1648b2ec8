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
	byName := map[string]*typeCounts{}
	areAlike := !slices.ContainsFunc(items, func(it item.Item) bool { return signatureOf(it) != signatureOf(items[0]) })
	for _, it := range items {
		pattern := t.pattern(it)
		signature := pattern + "\x00" + signatureOf(it)
		for _, a := range it {
			isKey := a.Name == t.PK.String() || a.Name == t.SK.String()
			if a.Value.Kind != item.String || isKey || !isTypeName(a.Value.Text) {
				continue
			}
			y := byName[a.Name]
			if y == nil {
				y = &typeCounts{patterns: map[string]map[string]int{}, signatures: map[string]map[string]int{}}
				byName[a.Name] = y
			}
			y.items++
			count(y.patterns, pattern, a.Value.Text)
			count(y.signatures, signature, a.Value.Text)
		}
	}
	best, bestScore := "", 0
	for _, name := range slices.Sorted(maps.Keys(byName)) {
		y := byName[name]
		values, pure := pureValues(y.patterns)
		usual := slices.Index(usualTypes, name)
		if usual >= 0 && values > 1 {
			_, bySignature := pureValues(y.signatures)
			pure = max(pure, bySignature)
		}
		// Values of which each is another one are no types, nor are those of a status of objects that are all alike.
		isKind := values > 1 && values < y.items && !areAlike
		if y.items*20 < len(items)*19 || pure*100 < y.items*99 || usual < 0 && !isKind || values > 200 {
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

// typeCounts is how often an attribute has each value, by the pattern of the keys, and by the signature of the items.
type typeCounts struct {
	items                int
	patterns, signatures map[string]map[string]int
}

func count(by map[string]map[string]int, key, value string) {
	if by[key] == nil {
		by[key] = map[string]int{}
	}
	by[key][value]++
}

// pureValues returns how many values there are, and how many items have the most frequent one of those with their key.
func pureValues(by map[string]map[string]int) (values, pure int) {
	seen := map[string]bool{}
	for _, counts := range by {
		total, most := 0, 0
		for v, n := range counts {
			seen[v] = true
			total, most = total+n, max(most, n)
		}
		if isMost(most, total) {
			most = total
		}
		pure += most
	}
	return len(seen), pure
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
