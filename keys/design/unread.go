package design

import (
	"slices"
	"strconv"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
)

// UnreadEntry is what is stored in a shard that no read includes: with another number of shards than those that the
// design has.
type UnreadEntry struct {
	// Index is the place of the entry in Type.Indexes, or -1 for the item itself.
	Index int
	// PK is the partition with its shard.
	PK keys.PK
	// identity are the values from which the shard of the object follows; label is the one in PK, "" for none.
	identity []string
	label    string
}

// Unread returns the entries of an item in indexes, and the item itself, that follow from its attributes but for their
// shard, which no read includes.
func (t *Type) Unread(it item.Item) []UnreadEntry {
	var unread []UnreadEntry
	identity := make([]string, len(t.Identity))
	for i, name := range t.Identity {
		identity[i] = keys.AttributeValue(it, name).Text()
	}
	key := keys.KeyOf(it)
	if label, ok := t.Item.ShardOf(key, it); ok && !slices.Contains(keys.ShardLabels(max(1, t.Shards)), label) {
		unread = append(unread, UnreadEntry{-1, key.PK, identity, label})
	}
	read := map[string]bool{}
	for i, ix := range t.Indexes {
		at := keys.Key{PK: keys.PK(it.Text(keys.IndexPK(ix.Name))), SK: keys.SK(it.Text(keys.IndexSK(ix.Name)))}
		label, ok := ix.ShardOf(at, it)
		switch {
		case !ok:
		case slices.Contains(ix.Labels(), label):
			read[ix.Name] = true
		default:
			unread = append(unread, UnreadEntry{i, at.PK, identity, label})
		}
	}
	return slices.DeleteFunc(unread, func(u UnreadEntry) bool { return u.Index >= 0 && read[t.Indexes[u.Index].Name] })
}

// ShardsOf returns the numbers of shards, not those of the design, with whose partitions reads would include the
// entries: 1 for those without a shard, and for all others the smallest number by which they can have been written. If
// there is none, because another program has chosen their shards, it is the smallest number of which they are shards.
func ShardsOf(entries []UnreadEntry) []int {
	var numbers []int
	var sharded []UnreadEntry
	top := 0
	for _, e := range entries {
		if e.label == "" {
			numbers = []int{1}
			continue
		}
		n, _ := strconv.Atoi(e.label)
		top, sharded = max(top, n), append(sharded, e)
	}
	if len(sharded) == 0 {
		return numbers
	}
	for n := max(2, top+1); n <= keys.MaxShards; n++ {
		if !slices.ContainsFunc(sharded, func(e UnreadEntry) bool {
			return strconv.Itoa(keys.Shard(n, e.identity...)) != e.label
		}) {
			return append(numbers, n)
		}
	}
	return append(numbers, max(2, top+1))
}
