package table

import (
	"slices"

	"github.com/partita/partita/internal/capacity"
	"github.com/partita/partita/internal/hotkeys"
	"github.com/partita/partita/internal/table/pace"
	"github.com/partita/partita/internal/table/wire"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/request"
)

// WithUsage returns the table with a count of what its partition keys consume, over the same connections. It has the
// keys as people know them, and of each request the units that DynamoDB has reported:
//
//   - of a GetItem or a Query for its one key;
//   - of a BatchGetItem evenly for its keys, which is exact unless items have more than 4 KB;
//   - of a write for the key of each item by the size that is sent, or returned by an UpdateItem, then for the keys of
//     indexes that are in it. What is left, such as the rest of an item that is not known, or entries that leave an
//     index, is for the keys in the table, evenly, but of a transaction only for those of items that it does not put.
func (t *Table) WithUsage(u *hotkeys.Usage) *Table {
	changed := *t
	changed.usage = u
	return &changed
}

// countRead counts what a read has consumed. The request has the keys of the table.
func (t *Table) countRead(r any, result *request.Result) {
	if t.usage == nil || result.ReadUnits == 0 {
		return
	}
	switch r := r.(type) {
	case request.GetItem:
		t.usage.Reads.Add("", t.shown("", r.Key.PK), result.ReadUnits)
	case request.Query:
		t.usage.Reads.Add(r.Index, t.shown(r.Index, r.PK), result.ReadUnits)
	case request.BatchGetItem:
		t.countBatch(r.Keys, result)
	}
}

func (t *Table) countBatch(all []keys.Key, result *request.Result) {
	if left := result.Unprocessed; len(left) > 0 {
		all = slices.DeleteFunc(slices.Clone(all), func(k keys.Key) bool { return slices.Contains(left, k) })
	}
	each := result.ReadUnits / float64(len(all))
	t.usage.Reads.AddAll("", len(all), func(i int) string { return t.shown("", all[i].PK) }, each)
}

// shown returns the partition key of an index, or of the table, as people know it.
func (t *Table) shown(index string, pk keys.PK) string {
	ix := t.indexes[index]
	return ix.ShowPK(pk)
}

// count counts what the writes of a gate have consumed.
func (g *gate) count(result *request.Result) {
	used := g.table.usage
	if used == nil || result.WriteUnits == 0 {
		return
	}
	var most [16]pace.Part // on the stack
	parts := g.appendSent(most[:0], result.Items)
	s := g.split(parts, result.WriteUnits)
	write := 0
	for _, p := range parts {
		units := s.ofIndexes * p.Units
		if p.Index == "" { // Each write has one such part.
			units = s.ofTable * p.Units
			if s.restIsOf(g.all[write].Kind) {
				units += s.rest
			}
			write++
		}
		used.Writes.Add(p.Index, g.table.shown(p.Index, keys.PK(p.Partition)), units)
	}
}

// appendSent appends the parts of all writes. stored is the item as an UpdateItem has returned it.
func (g *gate) appendSent(parts []pace.Part, stored []item.Item) []pace.Part {
	if len(stored) > 0 {
		return g.table.appendPartsOfItem(parts, stored[0], g.isTransaction)
	}
	for i := range g.all {
		parts = g.table.appendParts(parts, &g.all[i], g.isTransaction)
	}
	return parts
}

// split is how the units of writes are divided.
type split struct {
	// ofTable and ofIndexes are which part is counted of what is known of the table and of indexes.
	ofTable, ofIndexes float64
	// rest is what each item gets besides, if areAllPut is set, or each that is not put.
	rest      float64
	areAllPut bool
}

func (s split) restIsOf(kind wire.WriteKind) bool { return s.areAllPut || kind != wire.Put }

func (g *gate) split(parts []pace.Part, units float64) split {
	var table, indexes float64
	for _, p := range parts {
		if p.Index == "" {
			table += p.Units
		} else {
			indexes += p.Units
		}
	}
	s := split{ofTable: min(1, units/table), areAllPut: true}
	left := units - s.ofTable*table
	if indexes > 0 {
		s.ofIndexes = min(1, left/indexes)
		left -= s.ofIndexes * indexes
	}
	for i := range g.all {
		s.areAllPut = s.areAllPut && g.all[i].Kind == wire.Put
	}
	items := 0
	for i := range g.all {
		if s.restIsOf(g.all[i].Kind) {
			items++
		}
	}
	s.rest = left / float64(items)
	return s
}

// appendParts appends the parts of a write: the partition key of its item, and those of the indexes as far as it sets
// them, with what they consume at least.
func (t *Table) appendParts(parts []pace.Part, w *wire.Write, isTransaction bool) []pace.Part {
	if w.Update == "" {
		return t.appendPartsOfItem(parts, w.Item, isTransaction)
	}
	var most [32]item.Attribute // on the stack
	return t.appendPartsOfItem(parts, w.AppendSet(append(most[:0], w.Item...)), isTransaction)
}

// appendPartsOfItem is appendParts for a write of an item, or of the attributes of it that are known.
func (t *Table) appendPartsOfItem(parts []pace.Part, it item.Item, isTransaction bool) []pace.Part {
	units := float64(capacity.Write(it.Size()))
	for name, ix := range t.indexes {
		switch pk := string(ix.PartitionKey(it)); {
		case pk == "" || ix.Local:
		case name == "" && isTransaction:
			parts = append(parts, pace.Part{Key: pace.Key{Partition: pk}, Units: 2 * units})
		default:
			parts = append(parts, pace.Part{Key: pace.Key{Index: name, Partition: pk}, Units: units})
		}
	}
	return parts
}
