package plan

import (
	"cmp"
	"encoding/binary"
	"hash/maphash"
	"slices"
	"strings"

	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/write"
)

// appendSize appends the numbers that a field's price depends on. A negative number is an invalid argument.
func (b *Bound) appendSize(sizes []byte, f *Field) []byte {
	if f.cost != nil && f.cost.of != "" {
		sizes = binary.AppendVarint(sizes, int64(lengthAt(f.ast.ArgumentMap(b.variables), f.cost.of)))
	}
	a := b.Arguments(f)
	switch {
	case f.Mutation != nil:
		for _, list := range f.Mutation.Lists() {
			sizes = binary.AppendVarint(sizes, int64(a.input.Length(list)))
		}
		return appendWorkload(sizes, a.Workload())
	case f.Read == nil:
		return sizes
	}
	switch {
	case f.Read.Kind.IsByID():
		ids := a.Answered(f.Read)
		sizes = binary.AppendVarint(sizes, int64(len(ids)))
		var space [maxCountedTypes]IDCount
		for _, c := range b.Schema.CountIDs(space[:0], ids) {
			sizes = binary.AppendVarint(sizes, int64(c.Of.number))
			sizes = binary.AppendVarint(sizes, int64(c.Count))
		}
		return binary.AppendVarint(sizes, -1)
	case f.Read.Result == design.Connection && a.WindowErr != nil && !a.IsFiltered(f.Read):
		return binary.AppendVarint(sizes, -1)
	case f.Read.Result == design.Connection:
		size := int64(a.Window.Count) << 2
		if a.Paging.HasCursor() {
			size |= 1
		}
		if a.IsFiltered(f.Read) {
			size |= 2
		}
		sizes = binary.AppendVarint(sizes, size)
	}
	if f.Read.Bucketed() != "" {
		partitions, err := b.Partitions(f)
		if err != nil {
			partitions = -1
		}
		sizes = binary.AppendVarint(sizes, int64(partitions))
	}
	return sizes
}

// appendWorkload appends all that the price of a mutation depends on.
func appendWorkload(sizes []byte, work *write.Workload) []byte {
	sizes = binary.AppendVarint(sizes, int64(2*work.ReadUnits))
	sizes = binary.AppendVarint(sizes, int64(work.Units()))
	return binary.AppendVarint(sizes, int64(work.Reads))
}

// isSized reports whether the sizes that a field's price depends on may differ from request to request.
func (f *Field) isSized() bool {
	if f.of == nil && !usesVariables(f.ast.Arguments) || f.of != nil && !usesVariables(f.of.ast.Arguments) {
		return false
	}
	switch {
	case f.cost != nil && f.cost.of != "", f.Mutation != nil:
		return true
	case f.Read == nil:
		return false
	}
	return f.Read.Kind.IsByID() || f.Read.Result == design.Connection || f.Read.Bucketed() != ""
}

// IDCount is how many objects of a type have an id in an argument.
type IDCount struct {
	Of    *KeyNames
	Count int
}

// maxCountedTypes is for how many types CountIDs needs no memory of its own.
const maxCountedTypes = 8

// CountIDs appends the numbers of distinct ids by type, in the order of the design's types. Ids that name no object are
// not read.
func (s *Schema) CountIDs(counts []IDCount, ids []keys.ID) []IDCount {
	var distinct idSet
	var names *KeyNames
	for i, id := range ids {
		if !distinct.add(ids, i) {
			continue
		}
		if typeName := id.Type(); names == nil || names.Of.Name != typeName {
			names = s.idNames[typeName]
		}
		if names == nil || strings.Count(string(id), ":") != len(names.Of.Identity) {
			continue
		}
		at := slices.IndexFunc(counts, func(c IDCount) bool { return c.Of == names })
		if at < 0 {
			at = len(counts)
			counts = append(counts, IDCount{Of: names})
		}
		counts[at].Count++
	}
	slices.SortFunc(counts, func(a, b IDCount) int { return cmp.Compare(a.Of.number, b.Of.number) })
	return counts
}

// idSet is a set of ids by their positions. It needs no memory of its own for lists of up to MaxPage ids: it is then a
// hash table of the positions, counted from 1.
type idSet struct {
	slots [256]uint8
	large map[keys.ID]struct{}
}

var idSeed = maphash.MakeSeed()

// add adds the id at a position, and reports whether it is new.
func (s *idSet) add(ids []keys.ID, position int) bool {
	if len(ids) > MaxPage {
		return s.addLarge(ids[position])
	}
	slot := uint8(maphash.String(idSeed, string(ids[position])))
	for s.slots[slot] != 0 {
		if ids[s.slots[slot]-1] == ids[position] {
			return false
		}
		slot++
	}
	s.slots[slot] = uint8(position + 1)
	return true
}

func (s *idSet) addLarge(id keys.ID) bool {
	if s.large == nil {
		s.large = map[keys.ID]struct{}{}
	}
	_, known := s.large[id]
	s.large[id] = struct{}{}
	return !known
}

// KeptPrice returns the price of the operation that fold computes. It depends on nothing but the plan and the sizes of
// its arguments, by which the plan keeps prices.
func (b *Bound) KeptPrice(fold func(*Bound) Price) Price {
	var space [64]byte
	sizes := b.appendSizes(space[:0])
	price, known := b.prices.get(sizes)
	if !known {
		price = fold(b)
		b.prices.put(sizes, price)
	}
	return price
}

// appendSizes appends all that a price depends on: the consistency of reads, whether it is that of an event, and of the
// fields whose arguments have variables the size of the page, the partitions, the global ids by type, and the lengths
// of lists with a cost. Of introspection, it is the size of the result.
func (b *Bound) appendSizes(sizes []byte) []byte {
	const consistent, event = 1, 2
	flags := byte(0)
	if b.Consistent {
		flags |= consistent
	}
	if b.event {
		flags |= event
	}
	sizes = append(sizes, flags)
	if len(b.introspects) > 0 {
		sizes = binary.AppendVarint(sizes, int64(b.introspected))
	}
	for _, f := range b.sized {
		sizes = b.appendSize(sizes, f)
	}
	return sizes
}
