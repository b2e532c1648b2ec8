package plan

import (
	"cmp"
	"encoding/binary"
	"slices"
	"strings"

	"github.com/partita/partita/keys"
)

// appendSize appends the numbers that a field's price depends on. A negative number is an invalid argument.
func (b *Bound) appendSize(sizes []byte, f *Field) []byte {
	if f.cost != nil && f.cost.of != "" {
		sizes = binary.AppendVarint(sizes, int64(lengthAt(b.argumentsOf(f), f.cost.of)))
	}
	if f.Read == nil {
		return sizes
	}
	a := b.Arguments(f)
	switch {
	case f.Read.Kind == keys.Node || f.Read.Kind == keys.Nodes:
		var space [maxCountedTypes]idCount
		for _, c := range b.Schema.countIDs(space[:0], a.IDs) {
			sizes = binary.AppendVarint(sizes, int64(c.of.number))
			sizes = binary.AppendVarint(sizes, int64(c.count))
		}
		return binary.AppendVarint(sizes, -1)
	case f.Read.Result == keys.Connection && a.WindowErr != nil:
		return binary.AppendVarint(sizes, -1)
	case f.Read.Result == keys.Connection:
		size := int64(a.Window.Count) << 1
		if a.paging.hasCursor() {
			size |= 1
		}
		sizes = binary.AppendVarint(sizes, size)
	}
	if f.Read.Bucketed() != "" {
		partitions, err := f.Read.PartitionCount(b.values(f, nil))
		if err != nil {
			partitions = -1
		}
		sizes = binary.AppendVarint(sizes, int64(partitions))
	}
	return sizes
}

func (p Paging) hasCursor() bool { return p.After != nil || p.Before != nil }

// isSized reports whether the sizes that a field's price depends on may differ from request to request.
func (f *Field) isSized() bool {
	if !usesVariables(f.ast.Arguments) {
		return false
	}
	switch {
	case f.cost != nil && f.cost.of != "":
		return true
	case f.Read == nil:
		return false
	}
	return f.Read.Kind == keys.Node || f.Read.Kind == keys.Nodes || f.Read.Result == keys.Connection ||
		f.Read.Bucketed() != ""
}

// idCount is how many objects of a type have an id in an argument.
type idCount struct {
	of    *keyNames
	count int
}

// maxCountedTypes is for how many types countIDs needs no memory of its own.
const maxCountedTypes = 8

// countIDs appends the numbers of distinct ids by type, in the order of the design's types. Ids that name no object are
// not read, and neither are too many ids.
func (s *Schema) countIDs(counts []idCount, ids []keys.ID) []idCount {
	if len(ids) > MaxPage {
		return counts
	}
	seen := make(map[keys.ID]struct{}, len(ids))
	for _, id := range ids {
		if _, repeated := seen[id]; repeated {
			continue
		}
		seen[id] = struct{}{}
		names := s.idNames[id.Type()]
		if names == nil || strings.Count(string(id), ":") != len(names.of.Identity) {
			continue
		}
		i := slices.IndexFunc(counts, func(c idCount) bool { return c.of == names })
		if i < 0 {
			i = len(counts)
			counts = append(counts, idCount{of: names})
		}
		counts[i].count++
	}
	slices.SortFunc(counts, func(a, b idCount) int { return cmp.Compare(a.of.number, b.of.number) })
	return counts
}
