package randomtable

import (
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/partita/partita/keys"
)

func globalID(name string, values ...string) string { return keys.NewID(name, values...).Encode() }

// keysOfID returns the only value of a global ID.
func keysOfID(id string) (string, error) {
	parsed, err := keys.ParseID(id)
	if err != nil {
		return "", err
	}
	return strings.Join(parsed.Values(), ":"), nil
}

// ask is a field with values for its arguments.
type ask struct {
	*pattern
	values map[*field]*value
	// given is how many of the optional arguments are given.
	given    int
	from, to *value
}

// arguments returns the arguments as a document has them, without those of paging.
func (a *ask) text() string {
	var all []string
	optional := 0
	for _, arg := range a.arguments() {
		if arg.optional {
			if optional++; optional > a.given {
				continue
			}
		}
		all = append(all, arg.field.name+": "+a.values[arg.field].literal)
	}
	if a.ranged != nil {
		var ends []string
		if a.from != nil {
			ends = append(ends, "from: "+a.from.literal)
		}
		if a.to != nil {
			ends = append(ends, "to: "+a.to.literal)
		}
		if len(ends) > 0 {
			all = append(all, a.ranged.name+": {"+strings.Join(ends, ", ")+"}")
		}
	}
	return strings.Join(all, ", ")
}

// answers returns the items that the field has, in their order.
func (m *tableModel) answer(a *ask, items []*stored) []*stored {
	pkName, skName := m.pk, m.sk
	if x := a.shape.index; x != nil {
		pkName, skName = x.pk, x.sk
	}
	condition := a.condition()
	var all []*stored
	for _, it := range items {
		pk, ok := it.text(pkName)
		if !ok || !a.inPartition(m, it, pk) {
			continue
		}
		sk := ""
		if skName != "" {
			if sk, ok = it.text(skName); !ok {
				continue
			}
		}
		if parts := m.parts(it, a.shape.index, sk); !condition.holds(parts) {
			continue
		}
		if a.ranged != nil {
			v := it.object.values[it.object.typ.field(a.ranged.name)]
			if v == nil && (a.from != nil || a.to != nil) {
				continue
			}
			if a.from != nil && a.compare(v, a.from) < 0 || a.to != nil && a.compare(v, a.to) > 0 {
				continue
			}
		}
		if a.isGet && !slices.Contains(a.types, it.object.typ) {
			continue // The other type has the key.
		}
		if !it.object.hidden {
			all = append(all, it)
		}
	}
	slices.SortStableFunc(all, func(x, y *stored) int {
		if skName == "" {
			return 0
		}
		order := compareKeys(x, y, skName)
		if a.descending {
			return -order
		}
		return order
	})
	return all
}

// compare compares two values of the range, in the case that the key has them.
func (a *ask) compare(v, other *value) int {
	if a.fixed < len(a.shape.sk) && a.shape.sk[a.fixed].field == a.ranged && a.shape.sk[a.fixed].inCase != "" {
		name := a.shape.sk[a.fixed].inCase
		return strings.Compare(inCase(v.key, name), inCase(other.key, name))
	}
	return v.compare(other)
}

// compareKeys compares sort keys: numbers as numbers, texts by their bytes.
func compareKeys(x, y *stored, name string) int {
	first, _ := x.text(name)
	second, _ := y.text(name)
	if attribute, _ := x.attributes[name].(map[string]any); attribute["N"] != nil {
		n, _ := new(big.Rat).SetString(first)
		other, _ := new(big.Rat).SetString(second)
		return n.Cmp(other)
	}
	return strings.Compare(first, second)
}

// inPartition reports whether the text is the partition key of the ask, of one of its shards or buckets.
func (a *ask) inPartition(m *tableModel, it *stored, pk string) bool {
	values := a.values
	if last := a.shape.pk[len(a.shape.pk)-1]; last.bucket != "" && last.field == a.ranged {
		f := it.object.typ.field(a.ranged.name)
		if f == nil || it.object.values[f] == nil {
			return false
		}
		values = map[*field]*value{a.ranged: it.object.values[f]}
		for f, v := range a.values {
			if f != a.ranged {
				values[f] = v
			}
		}
	}
	want, ok := a.shape.pk.key(m.delimiter, values)
	if !ok {
		return false
	}
	if slices.ContainsFunc(a.shape.pk, part.isGlued) && it.object.typ == a.shape.typ {
		// The same key may be made of other values.
		t, _ := m.templates(it, a.shape.index)
		own, _ := t.parts(it.object.values)
		if parts, _ := a.shape.pk.parts(values); !slices.Equal(own, parts) {
			return false
		}
	}
	if a.shape.shards <= 1 {
		return pk == want
	}
	for n := range a.shape.shards {
		if pk == want+m.delimiter+strconv.Itoa(n) {
			return true
		}
	}
	return false
}

// condition is what the parts of a sort key must be: whole ones, and the beginning of the next one.
type condition struct {
	whole   []string
	partial string
}

func (a *ask) condition() condition {
	var c condition
	prefix := a.prefix()
	variables := 0
	for _, p := range prefix {
		if p.field != nil {
			variables++
			if a.optional >= 0 && variables > a.optional+a.given {
				c.partial = p.literal
				return c
			}
		}
		text, _ := p.text(a.values)
		c.whole = append(c.whole, text)
	}
	if a.partial {
		c.partial = a.shape.sk[a.fixed].literal
	}
	return c
}

// parts returns the parts of the sort key of an item, or of its entry in an index. Values may have the delimiter.
func (m *tableModel) parts(it *stored, x *index, sk string) []string {
	_, t := m.templates(it, x)
	if t == nil {
		return []string{sk}
	}
	all, _ := t.parts(it.object.values)
	return all
}

// templates returns those of the key of an item, or of its entry in an index.
func (m *tableModel) templates(it *stored, x *index) (pk, sk template) {
	switch {
	case x == nil:
		return it.shape.pk, it.shape.sk
	case x.pk == m.sk && x.sk == m.pk:
		return it.shape.sk, it.shape.pk
	default:
		for _, entry := range it.object.typ.entries {
			if entry.index == x && (entry.stored == it.shape.stored || !x.own) {
				pk, sk = entry.pk, entry.sk
			}
		}
		return pk, sk
	}
}

func (c condition) holds(parts []string) bool {
	if len(parts) < len(c.whole) || !slices.Equal(parts[:len(c.whole)], c.whole) {
		return false
	}
	rest := parts[len(c.whole):]
	return c.partial == "" || len(rest) > 0 && strings.HasPrefix(rest[0], c.partial)
}

// answer returns the values of fields of an object as an answer has them. A name may have that of a type before it.
func (o *object) answer(names []string) map[string]any {
	all := map[string]any{"__typename": o.typ.name}
	for _, alias := range names {
		name := strings.TrimPrefix(alias, o.typ.name+"_")
		f := o.typ.field(name)
		switch {
		case name == "id" && o.typ.isNode:
			all[alias] = globalID(o.typ.name, o.identity()...)
		case f != nil && o.values[f] != nil && (o.values[f].stored != nil || !f.nullable):
			all[alias] = o.values[f].json
		case f != nil:
			all[alias] = nil
		}
	}
	return all
}
