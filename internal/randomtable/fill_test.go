package randomtable

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
)

// stored is an item as the other program has written it.
type stored struct {
	object     *object
	shape      *shape
	attributes map[string]any
}

// text returns the text of an attribute, or the digits of a Number; false if there is none.
func (s *stored) text(name string) (string, bool) { return textOf(s.attributes[name]) }

func textOf(attribute any) (string, bool) {
	a, _ := attribute.(map[string]any)
	for kind, v := range a {
		if kind == "S" || kind == "N" {
			return v.(string), true
		}
	}
	return "", false
}

// objectsOf draws the objects of a type.
func (g *generator) objectsOf(t, root *typ) {
	n := 2 + g.IntN(3)
	if t != root {
		n = 3 + g.IntN(20)
	}
	pools := map[*field][]*value{}
	for _, f := range t.fields {
		pools[f] = f.kind.freeValues()
		if g.inKey(t, f) {
			pools[f] = f.kind.values(g.delimiter)
		}
		if f.name == "at" && f.kind.gql == "Time" && !g.chance(20) {
			pools[f] = nil
			for _, at := range near {
				pools[f] = append(pools[f], f.kind.time(at))
			}
		}
		if most := 2 + g.IntN(8); f.name != "id" && len(pools[f]) > most && g.chance(60) {
			first := g.IntN(len(pools[f]) - most)
			pools[f] = pools[f][first : first+most]
		}
	}
	taken := g.taken()
	for range n {
		o := g.object(t, pools, root)
		key := g.keysOf(o)
		if slices.ContainsFunc(key, func(k string) bool { return taken[k] }) {
			continue
		}
		for _, k := range key {
			taken[k] = true
		}
		t.objects = append(t.objects, o)
	}
}

// inKey reports whether a field of a type is in one of its keys.
func (m *tableModel) inKey(t *typ, f *field) bool {
	for _, s := range slices.Concat(t.items, t.entries) {
		if slices.Contains(append(s.pk.fields(), s.sk.fields()...), f) {
			return true
		}
	}
	return false
}

// taken returns the keys of all objects.
func (g *generator) taken() map[string]bool {
	taken := map[string]bool{}
	for _, t := range g.types {
		for _, o := range t.objects {
			for _, key := range g.keysOf(o) {
				taken[key] = true
			}
		}
	}
	return taken
}

// keysOf returns texts that no two objects of a table may share: the key, and what a copy is chosen by.
func (g *generator) keysOf(o *object) []string {
	var all []string
	for i, s := range o.typ.items {
		pk, _ := s.pk.key(g.delimiter, o.values)
		sk, _ := s.sk.key(g.delimiter, o.values)
		text := fmt.Sprint(pk, "\x00", sk)
		if s.latest != nil {
			text += fmt.Sprint("\x00", i, "\x00") + o.values[s.latest].id
		}
		all = append(all, text)
	}
	return all
}

// object draws an object. That with a reference belongs to an object of the root, or sometimes to none.
func (g *generator) object(t *typ, pools map[*field][]*value, root *typ) *object {
	o := &object{typ: t, values: map[*field]*value{}, nulls: map[*field]bool{}}
	for _, f := range t.fields {
		if f.nullable && g.chance(30) {
			o.nulls[f] = g.chance(50) && !g.isKeyAttribute(f.attr)
			continue
		}
		o.values[f] = pick(g, pools[f])
		if f.of == root && root != t && !g.chance(5) {
			o.values[f] = pick(g, root.objects).values[root.key()]
		}
		if f.kind.gql == "ID" && f.of != nil {
			v := *o.values[f]
			v.json = globalID(f.of.name, v.id)
			v.literal = literal(v.json.(string))
			o.values[f] = &v
		}
	}
	if t.softDelete && !t.expires && g.chance(15) &&
		!slices.ContainsFunc(t.items, func(s *shape) bool { return s.latest != nil }) {
		o.hidden = true
	}
	if t.expires {
		switch g.IntN(4) {
		case 0:
			o.expiry = "4102444800"
		case 1:
			o.expiry = "0"
		case 2:
			if !slices.ContainsFunc(t.items, func(s *shape) bool { return s.latest != nil }) {
				o.expiry = strconv.FormatInt(time.Now().Add(-24*time.Hour).Unix(), 10)
				o.hidden = true
			}
		}
	}
	return o
}

func (m *tableModel) isKeyAttribute(name string) bool {
	return slices.ContainsFunc(m.indexes, func(x *index) bool { return x.pk == name || x.sk == name })
}

// items returns the items of an object as the other program writes them. shard draws those of entries.
func (m *tableModel) items(o *object, shard func(n int) int) []*stored {
	var all []*stored
	for i, s := range o.typ.items {
		it := &stored{object: o, shape: s, attributes: map[string]any{}}
		for _, f := range o.typ.fields {
			switch v := o.values[f]; {
			case v != nil && v.stored == nil: // an empty set
			case v != nil && !f.onlyInKeys:
				it.attributes[f.attr] = v.stored
			case v == nil && o.nulls[f]:
				it.attributes[f.attr] = map[string]any{"NULL": true}
			}
		}
		pk, _ := s.pk.key(m.delimiter, o.values)
		sk, _ := s.sk.key(m.delimiter, o.values)
		if s.shards > 1 {
			pk += m.delimiter + strconv.Itoa(o.shard(s.shards))
		}
		it.attributes[m.pk] = s.pk.attribute(pk)
		if m.sk != "" {
			it.attributes[m.sk] = s.sk.attribute(sk)
		}
		if m.typeAttribute != "" {
			it.attributes[m.typeAttribute] = stringAttribute(o.typ.value)
		}
		if o.expiry != "" {
			it.attributes[expiryAttribute] = numberAttribute(o.expiry)
		} else if o.hidden {
			it.attributes["deletedAt"] = stringAttribute("2024-01-01T00:00:00.000Z")
		}
		for _, entry := range o.typ.entries {
			if entry.stored == i && entry.index.own {
				m.enter(it, entry, shard)
			}
		}
		for _, c := range o.typ.constants {
			it.attributes[c.name] = c.stored
		}
		it.attributes["legacy attribute"] = map[string]any{"SS": []any{"x", "y"}}
		all = append(all, it)
	}
	return all
}

// attribute returns the attribute of the primary key with a text: a Number if the field with it is one.
func (t template) attribute(text string) map[string]any {
	if t[0].raw && t[0].field.kind.number {
		return numberAttribute(text)
	}
	return stringAttribute(text)
}

// shard returns the partition to which the id of the object belongs: items cannot be in another one.
func (o *object) shard(n int) int {
	hash := fnv.New32a()
	_, _ = hash.Write([]byte(strings.Join(o.identity(), "#"))) // a hash returns no error
	return int(hash.Sum32() % uint32(n))
}

// enter writes the attributes of an index.
func (m *tableModel) enter(it *stored, entry *shape, shard func(n int) int) {
	pk, ok := entry.pk.key(m.delimiter, it.object.values)
	sk, okSK := entry.sk.key(m.delimiter, it.object.values)
	if !ok || !okSK {
		return
	}
	if entry.shards > 1 {
		pk += m.delimiter + strconv.Itoa(shard(entry.shards))
	}
	it.attributes[entry.index.pk] = stringAttribute(pk)
	if entry.index.sk != "" {
		it.attributes[entry.index.sk] = stringAttribute(sk)
	}
}

// fill returns the items of all objects. A copy that several objects share holds the latest.
func (m *tableModel) fill(shard func(n int) int) []*stored {
	var all []*stored
	for _, t := range m.types {
		latest := map[string]*stored{}
		for _, o := range t.objects {
			for _, it := range m.items(o, shard) {
				if it.shape.latest == nil {
					all = append(all, it)
					continue
				}
				pk, _ := it.text(m.pk)
				if other := latest[pk]; other == nil ||
					other.object.values[it.shape.latest].compare(o.values[it.shape.latest]) < 0 {
					latest[pk] = it
				}
			}
		}
		for _, pk := range slices.Sorted(maps.Keys(latest)) {
			all = append(all, latest[pk])
		}
	}
	return all
}

// lines returns items as an export has them.
func lines(items []*stored) []byte {
	var b []byte
	for _, it := range items {
		line, err := json.Marshal(map[string]any{"Item": it.attributes})
		if err != nil {
			panic(err)
		}
		b = append(append(b, line...), '\n')
	}
	return b
}
