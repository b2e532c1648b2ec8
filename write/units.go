package write

import (
	"github.com/partita/partita/internal/capacity"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// otherBytes is the assumed size of an item that is no object of the design, such as a claim, without what its key and
// the conditions of an action have beyond a quarter of it.
const otherBytes = 1024

// Units returns the write units that one attempt at the transaction consumes at worst. DynamoDB consumes them even if
// it cancels the transaction, but does not report them then. A Put counts with the size of its item, as one that
// replaces nothing. Other actions have only a key, and count with the maximum size of the type that is stored under it;
// those on claims with the id of their holder, which is in the conditions.
//
// A transaction writes each of its items twice, to prepare and to commit; a single write once. Index entries are
// written once afterwards: an entry whose key changes is deleted and put again.
//
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/read-write-operations.html
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis.html#transaction-capacity-handling
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/GSI.html#GSI.ThroughputConsiderations.Writes
func (t *Transaction) Units(d *design.Design) int {
	units := 0
	times := 2
	if t.IsSingle() {
		times = 1
	}
	for _, a := range t.Actions {
		units += a.Units(d, times)
	}
	return units
}

// Units returns the units of an action that writes its item so many times: see Transaction.Units.
func (a Action) Units(d *design.Design, times int) int {
	if a.Kind == ActionPut {
		each := capacity.Write(d.ToStored(a.Item).Size())
		units := times * each
		for _, name := range d.IndexNames() {
			if has(a.Item, keys.IndexPK(name)) {
				units += each
			}
		}
		return units
	}
	units := times * capacity.Write(a.otherBytes())
	for _, t := range d.Types {
		for n, shape := range t.Shapes() {
			if matches(shape, a.Key) {
				units = max(units, a.unitsOf(t, n, times))
			}
		}
	}
	return units
}

// otherBytes returns the assumed size of the item of an action if it is no object of the design.
func (a Action) otherBytes() int {
	bytes := otherBytes/4 + len(a.Key.PK) + len(a.Key.SK)
	for _, c := range a.If {
		bytes += append(item.Item{{Name: c.Name, Value: c.Value}}, c.Values...).Size()
	}
	return max(otherBytes, bytes)
}

// unitsOf returns the units of an action on the n-th stored item of an object of the type: 0 is the base item.
func (a Action) unitsOf(t *design.Type, n, times int) int {
	each := capacity.Write(t.MaxBytes)
	units := times * each
	if a.Kind == ActionCheck {
		return units
	}
	place := map[string]int{}
	for _, ix := range t.Indexes {
		if place[ix.Name]++; place[ix.Name] != n+1 {
			continue // the entry of another item
		}
		units += each
		if has(a.Set, keys.IndexPK(ix.Name)) || has(a.Set, keys.IndexSK(ix.Name)) {
			units += each // The old entry is deleted, and a new one is put.
		}
	}
	return units
}

func has(it item.Item, name string) bool {
	_, ok := it.Get(name)
	return ok
}

func matches(shape keys.Shape, key keys.Key) bool {
	_, pk := shape.PK.Match(string(key.PK))
	_, sk := shape.SK.Match(string(key.SK))
	return pk && sk
}
