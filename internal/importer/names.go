package importer

import (
	"maps"
	"regexp"
	"slices"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/stored"
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
	stored.Layout
	described, partial bool
	// name is that of the table, "" if it is not known.
	name string
	// numbers are the attributes of the primary key that are Numbers.
	numbers map[string]bool
	// expires is the attribute of the time to live, "" for none.
	expires string
	// items is how many were read.
	items int
	// partitions are what partition keys of several parts begin with.
	partitions map[string]bool
	// values are the partition keys of one part that are a value, because other items of a group have other ones.
	values map[string]bool
	// unfit are the attributes whose values in keys are proposed as values of the key alone.
	unfit map[string]bool
}

// recognise completes the names of the table from some of its items.
func recognise(items []item.Item, o Options) (*layout, error) {
	t := &layout{described: o.Described, name: o.Table, expires: o.Expires, unfit: map[string]bool{}}
	if err := t.findKeys(items, o); err != nil {
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

// indexKey matches the name of an attribute that is the partition key of an index only.
var indexKey = regexp.MustCompile(`^(.+?)([-_.]?)(pk|PK|Pk|hash|Hash|HASH|hash_key|partitionKey|PartitionKey)$`)

// indexSortKey matches the name of an attribute that is the sort key of an index only.
var indexSortKey = regexp.MustCompile(`^.+?[-_.]?(sk|SK|Sk|range|Range|RANGE|range_key|sortKey|SortKey)$`)

// numberedKey matches the name of a key of the index with this number, such as PK1.
var numberedKey = regexp.MustCompile(`(?i)^(pk|sk|hash|range)[-_]?\d+$`)

var sortKeyNames = map[string]string{
	"pk": "sk", "PK": "SK", "Pk": "Sk", "hash": "range", "Hash": "Range", "HASH": "RANGE", "hash_key": "range_key",
	"partitionKey": "sortKey", "PartitionKey": "SortKey",
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
