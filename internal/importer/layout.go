package importer

import (
	"regexp"
	"slices"
	"strings"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/stored"
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

// isKeyName reports whether an attribute is the key of an index only, by its name.
func isKeyName(attribute string) bool {
	return indexKey.MatchString(attribute) || indexSortKey.MatchString(attribute) || numberedKey.MatchString(attribute)
}

// isIndexKey reports whether an index has the attribute as a key.
func (t *layout) isIndexKey(name string) bool {
	return slices.ContainsFunc(t.Indexes, func(ix stored.IndexLayout) bool { return ix.PK.Has(name) || ix.SK.Has(name) })
}

// isSource reports whether the value of an attribute can be part of the key in another one. The keys of two indexes are
// often equal by chance, and of two that are no fields by their names, each would be explained by the other.
func (t *layout) isSource(attribute, key string) bool {
	switch {
	case attribute == t.PK.String() || attribute == t.SK.String() || attribute == key || t.unfit[attribute]:
		return false
	case !t.isIndexKey(attribute):
		return true
	}
	return !isKeyName(attribute) && (!t.isIndexKey(key) || isKeyName(key) || attribute < key)
}

// split returns the parts of a key: none if the table has no such key, and one of a Number.
func (t *layout) split(it item.Item, key keys.KeyAttributes) []string {
	switch name := key.String(); {
	case name == "":
		return nil
	case t.numbers[name]:
		return []string{it.Text(name)}
	default:
		return strings.Split(it.Text(name), t.Delimiter)
	}
}

// pattern returns the literals that the keys of an item begin with and how many parts they have.
func (t *layout) pattern(it item.Item) string {
	return t.patternOf(t.split(it, t.PK)) + "\x00" + t.patternOf(t.split(it, t.SK))
}

func (t *layout) patternOf(parts []string) string {
	if len(parts) == 0 {
		return ""
	}
	first := parts[0]
	if !isWord(first) || !t.HasSortKey() && len(parts) == 1 {
		first = ""
	}
	return first + strings.Repeat(t.Delimiter, min(max(len(parts)-2, 0), 3))
}

// isElectro reports whether ElectroDB writes the table.
func (t *layout) isElectro() bool { return t.Type == electroType }

// electroType is the attribute of ElectroDB with the name of an entity.
const electroType = "__edb_e__"
