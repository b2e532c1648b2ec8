package importer

import (
	"cmp"
	"slices"
	"strings"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
)

// findKeys finds the key attributes: those that all items have, unique together, or one that is unique alone.
func findKeys(t *layout, items []item.Item, o Options) error {
	kinds := commonAttributes(items)
	pk, sk := o.PK, o.SK
	if !o.Described || pk == "" {
		pk, sk = findPrimaryKey(items, kinds, o)
	}
	if pk == "" {
		return noKey(items, kinds, o)
	}
	t.PK, t.SK, t.numbers = keys.Named(pk), keys.Named(sk), map[string]bool{}
	if sk == "" {
		t.SK = nil
	}
	for _, name := range slices.Concat(t.PK.Names(), t.SK.Names()) {
		if kinds[name] == item.Null {
			return noKey(items, kinds, o)
		}
		t.numbers[name] = kinds[name] == item.Number
	}
	if distinct(items, pk, sk) < len(items) {
		return noKey(items, kinds, o)
	}
	return nil
}

// noKey returns the error for items that do not have the attributes of a key.
func noKey(items []item.Item, kinds map[string]item.Kind, o Options) error {
	for _, a := range items[0] {
		if a.Value.Kind == item.Binary && (a.Name == o.PK || a.Name == o.SK || o.PK == "" && isInAll(items, a.Name)) {
			return binaryKey(a.Name)
		}
	}
	given := slices.DeleteFunc([]string{o.PK, o.SK}, func(name string) bool { return name == "" })
	isGiven := every(given, func(name string) bool { return kinds[name] != item.Null })
	switch {
	case len(given) == 0 || !isGiven:
	case o.SK == "" && !o.Described:
		return problem("several items have the same "+o.PK, "name the sort key as well, with --sk")
	default:
		return problem("several items have the same "+strings.Join(given, " and "),
			"give the items of one export, each once")
	}
	return problem("neither one attribute that all items have identifies an item, nor do two",
		"name those of the primary key with --pk and --sk")
}

// isInAll reports whether all items have a Binary of this name.
func isInAll(items []item.Item, name string) bool {
	return every(items, func(it item.Item) bool {
		v, _ := it.Get(name)
		return v.Kind == item.Binary
	})
}

// findPrimaryKey returns the attributes that are probably the partition key and the sort key, "" for none.
func findPrimaryKey(items []item.Item, kinds map[string]item.Kind, o Options) (pk, sk string) {
	pk, sk, score := findPair(items, kinds, o)
	if alone := findAlone(items, kinds, o); alone != "" && (pk == "" || score < len(items)) {
		return alone, ""
	}
	return pk, sk
}

// findPair returns the two attributes that are most probably the partition key and the sort key, "" for none. The score
// is as many items as have an attribute with a usual name, or a value with a delimiter.
func findPair(items []item.Item, kinds map[string]item.Kind, o Options) (pk, sk string, score int) {
	best, partitions := -1, 0
	for a, kind := range kinds {
		n := distinct(items, a, a)
		for b, other := range kinds {
			if a == b || o.PK != "" && a != o.PK || o.SK != "" && b != o.SK || distinct(items, a, b) < len(items) {
				continue
			}
			own := keyScore(usualPK, a, items) + keyScore(usualSK, b, items)
			s := own
			if kind == item.String && other == item.String {
				s += len(items)
			}
			if identifies(a) {
				s++
			}
			if s < best {
				continue
			}
			// Without names that say which is which, the key with fewer values is that of partitions.
			if s > best || cmp.Or(cmp.Compare(n, partitions), cmp.Compare(a, pk), cmp.Compare(b, sk)) < 0 {
				best, partitions, pk, sk, score = s, n, a, b, own
			}
		}
	}
	return pk, sk, score
}

// findAlone returns the attribute that probably is the partition key of a table without a sort key, "" for none: it is
// unique, and its name is that of a key or of an id, but no other id is shared by items, as that of an owner is.
func findAlone(items []item.Item, kinds map[string]item.Kind, o Options) string {
	if o.SK != "" {
		return ""
	}
	best := ""
	for name := range kinds {
		switch isUnique := distinct(items, name, name) == len(items); {
		case o.PK != "" && name != o.PK:
		case o.PK == "" && !identifies(name):
		case isUnique && (best == "" || cmp.Or(cmp.Compare(len(name), len(best)), cmp.Compare(name, best)) < 0):
			best = name
		case !isUnique:
			return ""
		}
	}
	return best
}

// identifying are the names of attributes that identify an object, beside ids.
var identifying = []string{"key", "name", "code", "email", "sku", "slug", "username", "uuid", "guid"}

// identifies reports whether the name of an attribute is that of a key or of an id.
func identifies(name string) bool {
	return slices.Contains(usualPK, name) || isIDName(name) || slices.Contains(identifying, strings.ToLower(name))
}

// keyScore prefers a usual name, then an attribute whose values have a delimiter.
func keyScore(usual []string, name string, items []item.Item) int {
	score := 0
	if slices.Contains(usual, name) {
		score = 2 * len(items)
	}
	for _, it := range items {
		if strings.ContainsAny(it.Text(name), "#|/:") {
			score++
		}
	}
	return score
}

// commonAttributes returns the kinds of the attributes that all items have, each as a text or each as a number.
func commonAttributes(items []item.Item) map[string]item.Kind {
	kinds := map[string]item.Kind{}
	for _, a := range items[0] {
		kind := a.Value.Kind
		if (kind == item.String || kind == item.Number) && every(items, func(it item.Item) bool {
			v, _ := it.Get(a.Name)
			return v.Kind == kind && v.Text != ""
		}) {
			kinds[a.Name] = kind
		}
	}
	return kinds
}

// distinct returns how many items differ in the values of one or two attributes.
func distinct(items []item.Item, a, b string) int {
	seen := make(map[[2]string]bool, len(items))
	for _, it := range items {
		seen[[2]string{it.Text(a), it.Text(b)}] = true
	}
	return len(seen)
}
