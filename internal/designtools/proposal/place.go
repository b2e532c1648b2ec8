package proposal

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/partita/partita/internal/capacity"
	"github.com/partita/partita/internal/gen/directives/sdl"
	"github.com/partita/partita/keys"
)

// defaultBytes is the size of the largest item without maxBytes.
const defaultBytes = 4096

// place places the types that needs read.
func (m *model) place(needs []*need, types map[string]Type, extend bool) *placer {
	p := &placer{
		model: m, types: types, needs: needs, identity: map[string][]string{}, keys: map[string][]*key{},
		served: map[*need]*key{}, taken: map[string]bool{},
	}
	var names []string
	for _, name := range m.names {
		if m.stored[name] {
			names = append(names, name)
			p.identity[name] = p.identityOf(name)
		}
	}
	paths := map[string][]*path{}
	for _, name := range names {
		paths[name] = p.base(name, extend)
	}
	for _, name := range names {
		p.further(name, paths[name])
	}
	return p
}

// base places the item of a type, and returns the paths that it does not serve.
func (p *placer) base(name string, extend bool) []*path {
	identity := p.identity[name]
	var gets, others []*need
	for _, n := range p.of(name) {
		if n.isOne() && slices.Equal(slices.Sorted(slices.Values(identity)), n.equal) && len(n.Constants) == 0 {
			gets = append(gets, n)
		} else {
			others = append(others, n)
		}
	}
	paths := pathsOf(name, others, extend)
	slices.SortStableFunc(paths, func(a, b *path) int {
		return cmp.Compare(slices.Index(others, first(a, others)), slices.Index(others, first(b, others)))
	})
	i := slices.IndexFunc(paths, func(way *path) bool { return p.canHold(way, len(gets) > 0) })
	var base *key
	if i >= 0 {
		base = p.inTable(paths[i])
		paths = slices.Delete(paths, i, i+1)
	} else {
		base = p.alone(name)
	}
	for _, n := range gets {
		p.served[n] = base
	}
	p.keys[name] = []*key{base}
	return paths
}

// first returns the need of a path that comes first.
func first(way *path, order []*need) *need {
	return slices.MinFunc(way.needs, func(a, b *need) int {
		return cmp.Compare(slices.Index(order, a), slices.Index(order, b))
	})
}

// canHold reports whether the item of a type can be in a collection. If it is read by its identity, its key has nothing
// else.
func (p *placer) canHold(way *path, isRead bool) bool {
	if len(way.pk) == 0 || p.isFew(way.of, way.pk) || !p.areAlwaysSet(way.of, slices.Concat(way.pk, way.sort)) ||
		!p.isFixed(way.of, way.sort) || len(p.identity[way.of]) == 0 {
		return false
	}
	if isRead && slices.ContainsFunc(slices.Concat(way.pk, way.sort), func(a string) bool {
		return !slices.Contains(p.identity[way.of], a)
	}) {
		return false
	}
	return p.parent(way) != "" || slices.ContainsFunc(way.needs, func(n *need) bool { return n.parent != query })
}

// alone returns the key of an item in a partition of its own.
func (p *placer) alone(name string) *key {
	k := &key{pk: []part{{literal: sdl.ConstantCase(name)}}}
	for _, a := range p.identity[name] {
		k.pk = append(k.pk, part{field: a})
	}
	if k.sk = k.pk; len(p.identity[name]) != 1 {
		k.sk = k.pk[:1]
	}
	p.take(k, sdl.ConstantCase(name))
	return k
}

// take reserves the beginning of a sort key in a partition, and reports whether it was free.
func (p *placer) take(k *key, begin string) bool {
	at := k.index + "|" + signature(k.pk) + "|" + begin
	wasTaken := p.taken[at]
	p.taken[at] = true
	return !wasTaken
}

func signature(parts []part) string {
	var b strings.Builder
	for _, x := range parts {
		b.WriteString(x.literal + "#")
	}
	return b.String()
}

// inTable returns the key of an item, or a copy, in the partition of a parent, or in one for what is equal.
func (p *placer) inTable(way *path) *key {
	own := sdl.ConstantCase(way.of)
	k := &key{path: way}
	if parent := p.parent(way); parent != "" {
		k.pk = []part{{literal: sdl.ConstantCase(parent)}, {field: way.pk[0]}}
	} else {
		k.pk = named(own, way.pk)
	}
	begin := own
	if !p.take(k, begin) {
		begin = own + "_BY_" + sdl.ConstantCase(strings.Join(slices.Concat(way.pk, way.sort), "_"))
		p.take(k, begin)
	}
	k.sk = append([]part{{literal: begin}}, p.order(way)...)
	for _, n := range way.needs {
		p.served[n] = k
	}
	for _, a := range way.sort {
		if !slices.Contains(p.identity[way.of], a) {
			p.note("%s.%s is a part of a key of the table: changing it moves the object", way.of, a)
		}
	}
	return k
}

// named returns a literal, and then fields with their names before them.
func named(literal string, fields []string) []part {
	parts := []part{{literal: literal}}
	for _, a := range fields {
		parts = append(parts, part{literal: sdl.ConstantCase(a)}, part{field: a})
	}
	return parts
}

// order returns what sorts a path, and then what else identifies the object.
func (p *placer) order(way *path) []part {
	var parts []part
	for _, a := range way.sort {
		parts = append(parts, part{field: a})
	}
	rest := p.identity[way.of]
	if all := p.keys[way.of]; len(all) > 0 && p.isFew(way.of, way.pk) { // across shards, only a whole key has an order
		rest = all[0].fields()
	}
	for _, a := range rest {
		if !slices.Contains(way.sort, a) && !slices.Contains(way.pk, a) {
			parts = append(parts, part{field: a})
		}
	}
	return parts
}

// further places what the item does not serve: one copy in the partition of a parent, if the item is in none, and
// otherwise entries in indexes.
func (p *placer) further(name string, paths []*path) {
	items := 1
	if base := p.keys[name][0]; base.path == nil {
		i := slices.IndexFunc(paths, func(way *path) bool {
			return p.parent(way) != "" && p.areAlwaysSet(name, slices.Concat(way.pk, way.sort))
		})
		if i >= 0 {
			p.keys[name] = append(p.keys[name], p.inTable(paths[i]))
			paths = slices.Delete(paths, i, i+1)
			items = 2
		}
	}
	for n, way := range paths {
		k := &key{index: fmt.Sprintf("GSI%d", n/items+1), item: n % items, path: way}
		k.pk = named(sdl.ConstantCase(name), way.pk)
		for more := way.sort; !p.take(k, ""); more = []string{"again"} {
			k.pk = append(k.pk, part{literal: "BY_" + sdl.ConstantCase(strings.Join(more, "_"))})
		}
		if k.sk = p.order(way); len(k.sk) == 0 {
			k.sk = k.pk[:1]
		}
		if p.isFew(name, way.pk) {
			k.shards = p.shards(name)
		}
		p.keys[name] = append(p.keys[name], k)
		for _, need := range way.needs {
			p.served[need] = k
		}
		for _, a := range slices.Concat(way.pk, way.sort) {
			if !p.attribute(name, a).Type.NonNull {
				p.note("%s without %s are not in %s, and not found by %s", sdl.Plural(sdl.InPlainWords(name)), a, k.index,
					way.needs[0].Field)
			}
		}
	}
}

// shards returns over how many partitions an index spreads one value, by the writes that a partition takes.
func (p *placer) shards(name string) int {
	t := p.types[name]
	units := t.WritesPerSecond * float64(capacity.Write(cmp.Or(t.MaxBytes, defaultBytes)))
	return int(min(max(1, math.Ceil(units/1000)), keys.MaxShards))
}

func (p *placer) note(format string, args ...any) {
	if text := fmt.Sprintf(format, args...); !slices.Contains(p.notes, text) {
		p.notes = append(p.notes, text)
	}
}

// indexes returns the names of the indexes, sorted.
func (p *placer) indexes() []string {
	names := map[string]bool{}
	for _, all := range p.keys {
		for _, k := range all {
			if k.index != "" {
				names[k.index] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(names))
}
