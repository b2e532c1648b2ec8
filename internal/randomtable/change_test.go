package randomtable

import (
	"fmt"
	"slices"
	"strings"
)

// changes are what a table's design can become with the same objects. Each reports whether it has changed anything.
var changes = []func(*generator) bool{
	(*generator).renameLiteral, (*generator).renameLiteral, (*generator).dropCopy, (*generator).dropEntry,
	(*generator).renameAttribute, (*generator).renameAttribute, (*generator).renameValue, (*generator).reformat,
	(*generator).reshard, (*generator).pad, (*generator).delimit, (*generator).dropConstants, (*generator).moveIndex,
}

// change changes the design of a table once or a few times.
func (g *generator) change() {
	for n := 1 + g.IntN(3); n > 0; {
		if pick(g, changes)(g) {
			n--
		} else if g.IntN(20) == 0 {
			return
		}
	}
}

// shapes are those of all items and entries.
func (m *tableModel) shapes() []*shape {
	var all []*shape
	for _, t := range m.types {
		all = append(append(all, t.items...), t.entries...)
	}
	return all
}

func (g *generator) renameLiteral() bool {
	s := pick(g, g.shapes())
	for _, t := range []template{s.pk, s.sk} {
		for i := range t {
			if p := &t[i]; p.literal != "" && !p.glued && g.chance(50) {
				p.literal = "Z" + p.literal
				return true
			}
		}
	}
	return false
}

func (g *generator) dropCopy() bool {
	t := pick(g, g.types)
	if len(t.items) < 2 {
		return false
	}
	gone := t.items[1:]
	t.items = t.items[:1]
	for _, e := range t.entries {
		if e.stored > 0 {
			gone = append(gone, e)
		}
	}
	g.drop(gone)
	return true
}

func (g *generator) dropEntry() bool {
	t := pick(g, g.types)
	if len(t.entries) == 0 {
		return false
	}
	g.drop([]*shape{pick(g, t.entries)})
	return true
}

// drop removes entries, and the fields and indexes that need what is gone.
func (g *generator) drop(gone []*shape) {
	isGone := func(s *shape) bool { return slices.Contains(gone, s) }
	for _, t := range g.types {
		t.entries = slices.DeleteFunc(t.entries, isGone)
	}
	g.patterns = slices.DeleteFunc(g.patterns, func(p *pattern) bool { return isGone(p.shape) })
	g.indexes = slices.DeleteFunc(g.indexes, func(x *index) bool {
		return !slices.ContainsFunc(g.shapes(), func(s *shape) bool { return s.index == x })
	})
}

// isFree reports whether a field has an attribute that is part of no index.
func (g *generator) isFree(f *field) bool {
	return !f.noAttribute && !g.isPinned(f) && !g.isKeyAttribute(f.attr) && !slices.ContainsFunc(g.indexes,
		func(x *index) bool { return slices.Contains(x.include, f.attr) })
}

func (g *generator) renameAttribute() bool {
	f := pick(g, pick(g, g.types).fields)
	if !g.isFree(f) {
		return false
	}
	f.attr += ".n"
	return true
}

func (g *generator) renameValue() bool {
	t := pick(g, g.types)
	if g.typeAttribute == "" || t.value == "shared" {
		return false
	}
	t.value += "+"
	return true
}

// reformat stores times as texts.
func (g *generator) reformat() bool {
	t := pick(g, g.types)
	f := pick(g, t.fields)
	formats := []string{"SECONDS", "SECONDS_NO_ZONE"}
	if f.kind.gql != "Time" || !strings.Contains(f.kind.as, "SECONDS") || !g.isFree(f) ||
		strings.Contains(g.delimiter, ":") {
		return false
	}
	f.kind = kind{gql: "Time", as: pick(g, formats)}
	for _, o := range t.objects {
		if v := o.values[f]; v != nil {
			o.values[f] = f.kind.time(v.at)
		}
	}
	return true
}

func (g *generator) reshard() bool {
	s := pick(g, g.shapes())
	isInKeys := func(f *field) bool { return f.onlyInKeys }
	if s.stored > 0 || s.index != nil && !s.index.own || s.pk[0].raw || slices.ContainsFunc(s.typ.fields, isInKeys) {
		return false
	}
	s.shards = g.IntN(5)
	return true
}

// pad gives integers in keys other widths.
func (g *generator) pad() bool {
	t := pick(g, g.types)
	f := pick(g, t.fields)
	if f.kind.width == 0 || f.kind.gql != "Int" || f.kind.as != "" || g.isPinned(f) {
		return false
	}
	f.kind.width += 1 + g.IntN(3)
	for _, o := range t.objects {
		v := o.values[f]
		if v == nil {
			continue
		}
		if n := v.rank.(int64); n < 0 {
			return false
		}
		padded := *v
		padded.key = fmt.Sprintf("%0*d", f.kind.width, v.rank)
		o.values[f] = &padded
	}
	return true
}

func (g *generator) delimit() bool {
	g.delimiter = pick(g, []string{"^", "%"})
	return true
}

func (g *generator) dropConstants() bool {
	t := pick(g, g.types)
	if len(t.constants) == 0 || t.value == "shared" {
		return false
	}
	t.constants = nil
	return true
}

func (g *generator) moveIndex() bool {
	if len(g.indexes) == 0 {
		return false
	}
	x := pick(g, g.indexes)
	if !x.own || x.isLocal {
		return false
	}
	x.name, x.pk = x.name+"n", x.pk+"n"
	if x.sk != "" {
		x.sk += "n"
	}
	return true
}

// withoutHidden removes objects that are deleted or have expired.
func (m *tableModel) withoutHidden() *tableModel {
	for _, t := range m.types {
		t.objects = slices.DeleteFunc(t.objects, func(o *object) bool { return o.hidden })
	}
	return m
}
