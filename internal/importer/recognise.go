package importer

import (
	"maps"
	"slices"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/stored"
)

// recognise completes the names of the table from some of its items.
func recognise(items []item.Item, o Options) (*layout, error) {
	t := &layout{described: o.Described, name: o.Table, expires: o.Expires, unfit: map[string]bool{}}
	if err := findKeys(t, items, o); err != nil {
		return nil, err
	}
	t.Indexes = o.Indexes
	if !o.Described {
		t.Indexes = append(slices.Clone(o.Indexes), conventionalIndexes(t, items)...)
	}
	t.Delimiter = findDelimiter(t, items)
	t.Type = findTypeAttribute(t, slices.DeleteFunc(slices.Clone(items), t.isClaim))
	return t, nil
}

// conventionalIndexes returns the indexes that names such as GSI1PK and GSI1SK suggest.
func conventionalIndexes(t *layout, items []item.Item) []stored.IndexLayout {
	names := map[string]bool{}
	for _, it := range items {
		for _, a := range it {
			names[a.Name] = true
		}
	}
	var indexes []stored.IndexLayout
	for _, name := range slices.Sorted(maps.Keys(names)) {
		m := indexKey.FindStringSubmatch(name)
		if m == nil || name == t.PK.String() || len(m[1]) < 3 {
			continue
		}
		ix := stored.IndexLayout{Name: m[1], PK: keys.Named(name)}
		if sk := m[1] + m[2] + sortKeyNames[m[3]]; names[sk] {
			ix.SK = keys.Named(sk)
		}
		indexes = append(indexes, ix)
	}
	return indexes
}
