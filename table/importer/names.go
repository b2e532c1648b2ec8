package importer

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
)

// usual are names that tables often have, the most frequent first.
var (
	usualPK    = []string{"PK", "pk", "hash", "hash_key", "hashKey", "HashKey", "partitionKey", "partition_key", "Pk"}
	usualSK    = []string{"SK", "sk", "range", "range_key", "rangeKey", "RangeKey", "sortKey", "sort_key", "Sk"}
	usualTypes = []string{
		"entityType", "_et", "entity_type", "EntityType", "__typename", "_type", "type", "Type", "entity", "Entity",
		"_entity", "kind", "itemType", "item_type", "recordType", "record_type", "model", "docType",
		"__edb_e__", "__en",
	}
)

// layout is what is known of the table: its names, and how many items it has.
type layout struct {
	keys.Layout
	described, partial bool
	// expires is the attribute of the time to live, "" for none.
	expires string
	// items is how many were read.
	items int
}

// recognise completes the names of the table from some of its items.
func recognise(items []item.Item, o Options) (*layout, error) {
	t := &layout{described: o.Described, expires: o.Expires}
	t.PK, t.SK = o.PK, o.SK
	if err := t.findKeys(items); err != nil {
		return nil, err
	}
	t.Indexes = o.Indexes
	if !o.Described {
		t.Indexes = append(slices.Clone(o.Indexes), conventionalIndexes(t, items)...)
	}
	t.Delimiter = findDelimiter(t, items)
	t.Type = findTypeAttribute(t, items)
	return t, nil
}

// findKeys finds the key attributes: those that all items have, unique together.
func (t *layout) findKeys(items []item.Item) error {
	kinds := commonAttributes(items)
	best, partitions := -1, 0
	var pk, sk string
	for a, kind := range kinds {
		n := distinct(items, a)
		for b, other := range kinds {
			if a == b || t.PK != "" && a != t.PK || t.SK != "" && b != t.SK || !areUnique(items, a, b) {
				continue
			}
			s := keyScore(usualPK, a, items) + keyScore(usualSK, b, items)
			if kind == item.String && other == item.String {
				s += len(items)
			}
			if s < best {
				continue
			}
			// Without names that say which is which, the key with fewer values is that of partitions.
			if s > best || cmp.Or(cmp.Compare(n, partitions), cmp.Compare(a, pk), cmp.Compare(b, sk)) < 0 {
				best, partitions, pk, sk = s, n, a, b
			}
		}
	}
	if best < 0 && t.PK != "" && t.SK != "" && kinds[t.PK] != item.Null && kinds[t.SK] != item.Null {
		return problem("several items have the same "+t.PK+" and "+t.SK, "give the items of one export, each once")
	}
	if best < 0 {
		return problem("no two attributes that all items have identify an item",
			"name those of the primary key with --pk and --sk; a table without a sort key cannot be imported")
	}
	for _, name := range [...]string{pk, sk} {
		if kinds[name] != item.String {
			return problem("the key attribute "+name+" is a Number", "import a table whose partition and sort keys are Strings")
		}
	}
	t.PK, t.SK = pk, sk
	return nil
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
	type attribute struct {
		name string
		kind item.Kind
	}
	count := map[attribute]int{}
	for _, it := range items {
		for _, a := range it {
			if a.Value.Text != "" && (a.Value.Kind == item.String || a.Value.Kind == item.Number) {
				count[attribute{a.Name, a.Value.Kind}]++
			}
		}
	}
	kinds := map[string]item.Kind{}
	for a, n := range count {
		if n >= len(items) {
			kinds[a.name] = a.kind
		}
	}
	return kinds
}

// distinct returns how many values an attribute has.
func distinct(items []item.Item, name string) int {
	seen := map[string]bool{}
	for _, it := range items {
		seen[it.Text(name)] = true
	}
	return len(seen)
}

func areUnique(items []item.Item, pk, sk string) bool {
	seen := make(map[[2]string]bool, len(items))
	for _, it := range items {
		key := [2]string{it.Text(pk), it.Text(sk)}
		if seen[key] {
			return false
		}
		seen[key] = true
	}
	return true
}

// indexKey matches the name of an attribute that is the partition key of an index only.
var indexKey = regexp.MustCompile(`^(.+?)([-_.]?)(pk|PK|Pk|hash|Hash|HASH|hash_key|partitionKey|PartitionKey)$`)

// indexSortKey matches the name of an attribute that is the sort key of an index only.
var indexSortKey = regexp.MustCompile(`^.+?[-_.]?(sk|SK|Sk|range|Range|RANGE|range_key|sortKey|SortKey)$`)

var sortKeyNames = map[string]string{
	"pk": "sk", "PK": "SK", "Pk": "Sk", "hash": "range", "Hash": "Range", "HASH": "RANGE", "hash_key": "range_key",
	"partitionKey": "sortKey", "PartitionKey": "SortKey",
}

// conventionalIndexes returns the indexes that names such as GSI1PK and GSI1SK suggest.
func conventionalIndexes(t *layout, items []item.Item) []keys.IndexLayout {
	names := map[string]bool{}
	for _, it := range items {
		for _, a := range it {
			names[a.Name] = true
		}
	}
	var indexes []keys.IndexLayout
	for _, name := range slices.Sorted(maps.Keys(names)) {
		m := indexKey.FindStringSubmatch(name)
		if m == nil || name == t.PK || len(m[1]) < 3 {
			continue
		}
		ix := keys.IndexLayout{Name: m[1], PK: keys.Named(name)}
		if sk := m[1] + m[2] + sortKeyNames[m[3]]; names[sk] {
			ix.SK = keys.Named(sk)
		}
		indexes = append(indexes, ix)
	}
	return indexes
}

// delimiters are what may join the parts of a key; of two that are equally frequent, the first one.
var delimiters = []string{"#", "|", "::", "/", ":", "~", "^", "$", "+", "_", "-"}

// labelled matches a key that begins with a literal.
var labelled = regexp.MustCompile(`^[A-Za-z][A-Za-z_.]*`)

// findDelimiter returns the delimiter that most often follows a literal at the beginning of a key.
func findDelimiter(t *layout, items []item.Item) string {
	names := []string{t.PK, t.SK}
	for _, ix := range t.Indexes {
		names = append(append(names, ix.PK.Names()...), ix.SK.Names()...)
	}
	count := map[string]int{}
	for _, it := range items {
		for _, name := range slices.Compact(names) {
			text := it.Text(name)
			rest := strings.TrimPrefix(text, labelled.FindString(text))
			if rest == text {
				continue
			}
			i := slices.IndexFunc(delimiters, func(d string) bool { return strings.HasPrefix(rest, d) })
			if i >= 0 {
				count[delimiters[i]]++
			}
		}
	}
	best := keys.Delimiter
	for _, d := range delimiters {
		n := count[d]
		if d == "_" || d == "-" {
			n /= 4 // They are more often part of a literal or of a value.
		}
		if n > count[best] {
			best = d
		}
	}
	return best
}

// findTypeAttribute returns the attribute whose value follows from the pattern of the keys, "" for none.
func findTypeAttribute(t *layout, items []item.Item) string {
	type counts struct {
		items    int
		patterns map[string]map[string]int
	}
	byName := map[string]*counts{}
	for _, it := range items {
		pattern := t.pattern(it)
		for _, a := range it {
			if a.Value.Kind != item.String || a.Name == t.PK || a.Name == t.SK || !isTypeName(a.Value.Text) {
				continue
			}
			y := byName[a.Name]
			if y == nil {
				y = &counts{patterns: map[string]map[string]int{}}
				byName[a.Name] = y
			}
			y.items++
			if y.patterns[pattern] == nil {
				y.patterns[pattern] = map[string]int{}
			}
			y.patterns[pattern][a.Value.Text]++
		}
	}
	best, bestScore := "", 0
	for _, name := range slices.Sorted(maps.Keys(byName)) {
		y := byName[name]
		values, pure := map[string]bool{}, 0
		for _, counts := range y.patterns {
			total, most := 0, 0
			for v, n := range counts {
				values[v] = true
				total, most = total+n, max(most, n)
			}
			if isMost(most, total) {
				most = total
			}
			pure += most
		}
		usual := slices.Index(usualTypes, name)
		isKind := len(values) > 1 && len(values) < y.items // Values of which each is another one are no types.
		if y.items*20 < len(items)*19 || pure*100 < y.items*99 || usual < 0 && !isKind || len(values) > 200 {
			continue
		}
		score := len(values)
		if usual >= 0 {
			score += 1000 * (len(usualTypes) - usual)
		}
		if score > bestScore {
			best, bestScore = name, score
		}
	}
	return best
}

// pattern returns the literals that the keys of an item begin with and how many parts they have.
func (t *layout) pattern(it item.Item) string {
	return t.patternOf(it.Text(t.PK)) + "\x00" + t.patternOf(it.Text(t.SK))
}

func (t *layout) patternOf(key string) string {
	first, rest, _ := strings.Cut(key, t.Delimiter)
	if !isWord(first) {
		first = ""
	}
	return first + strings.Repeat(t.Delimiter, min(strings.Count(rest, t.Delimiter), 3))
}

// word matches what can be a literal: letters, and signs between them; behind a $ also digits, as in $task_1.
var word = regexp.MustCompile(`^(_*\pL[\pL_.\-]*|\$\pL[\pL\pN_.\-]*)$`)

func isWord(text string) bool { return word.MatchString(text) }

// isTypeName reports whether a text can be the value of a type attribute: a word that is no long text.
func isTypeName(text string) bool { return len(text) <= 64 && isWord(text) }
