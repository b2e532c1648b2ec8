package proposal

import (
	"cmp"
	"slices"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/gen/directives/sdl"
)

// key is one place of a type: its item, a copy or an entry of an index.
type key struct {
	// index is the name of the index, "" for the table. item is the stored item that an entry belongs to, 0 for the item
	// itself.
	index  string
	item   int
	pk, sk []part
	// shards is 0 for a key that needs none.
	shards int
	path   *path
}

// part is one part of a template: a literal, or a field.
type part struct{ literal, field string }

// placer decides where types are stored.
type placer struct {
	*model
	types map[string]Type
	needs []*need
	// identity are the fields that identify the objects of a type, and keys its places: the item, copies, entries.
	identity map[string][]string
	keys     map[string][]*key
	// served has the key of each need.
	served map[*need]*key
	// taken are the partition keys of indexes, and the first parts of sort keys in partitions of the table.
	taken map[string]bool
	notes []string
}

// fields returns the fields in a key.
func (k *key) fields() []string {
	var names []string
	for _, x := range slices.Concat(k.pk, k.sk) {
		if x.field != "" && !slices.Contains(names, x.field) {
			names = append(names, x.field)
		}
	}
	return names
}

// of returns the needs that read a type.
func (p *placer) of(name string) []*need {
	var all []*need
	for _, n := range p.needs {
		if n.of == name {
			all = append(all, n)
		}
	}
	return all
}

func (n *need) isOne() bool { return n.result == one && len(n.sort) == 0 && len(n.equal) > 0 }

// identityOf returns the fields that identify an object: id if it is read by its id, or else what identifies it for the
// first need that reads one.
func (p *placer) identityOf(name string) []string {
	if known := slices.Concat(p.types[name].Identity, p.edges[name]); len(known) > 0 {
		return known
	}
	var first []string
	for _, n := range p.of(name) {
		if n.isOne() && slices.Equal(n.equal, []string{"id"}) {
			return n.equal
		}
		if n.isOne() && first == nil && len(n.Constants) == 0 && p.areAlwaysSet(name, n.equal) {
			first = n.equal
		}
	}
	if p.attribute(name, "id") == nil || len(first) > 1 {
		return first
	}
	return []string{"id"}
}

// areAlwaysSet reports whether fields are never null.
func (p *placer) areAlwaysSet(of string, names []string) bool {
	return !slices.ContainsFunc(names, func(a string) bool {
		f := p.attribute(of, a)
		return f == nil || !f.Type.NonNull
	})
}

// isFew reports whether fields have few values together, so that all objects are in few partitions.
func (p *placer) isFew(of string, names []string) bool {
	return !slices.ContainsFunc(names, func(a string) bool {
		t := p.attribute(of, a).Type.Name()
		return t != "Boolean" && p.kind(t) != ast.Enum
	})
}

// isFixed reports whether fields never change, as far as their types show it: what identifies the object, and times.
func (p *placer) isFixed(of string, names []string) bool {
	return !slices.ContainsFunc(names, func(a string) bool {
		t := p.attribute(of, a).Type.Name()
		return !slices.Contains(p.identity[of], a) && t != "Time" && t != "Date"
	})
}

// parent returns the type of the objects whose partition a path reads by their id, "" if there is none.
func (p *placer) parent(way *path) string {
	if len(way.pk) != 1 || way.pk[0] == "id" {
		return ""
	}
	to := ""
	for _, n := range p.needs {
		switch {
		case n.of == way.of && n.parent != query && n.Equals[way.pk[0]] == "id":
			to = cmp.Or(to, n.parent)
		case n.parent == way.of && n.Equals["id"] == way.pk[0]:
			to = cmp.Or(to, n.of)
		}
	}
	for _, name := range p.names {
		if to == "" && p.stored[name] && sdl.LowerFirst(name)+"Id" == way.pk[0] {
			to = name
		}
	}
	if p.stored[to] && slices.Equal(p.identity[to], []string{"id"}) {
		return to
	}
	return ""
}
