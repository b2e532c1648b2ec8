package importer

import (
	"cmp"
	"hash/fnv"
	"io"
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys/stored"
)

const (
	// head is how many items are read before the names of the table are recognised.
	head = 2000
	// maxKept and maxKeptBytes limit the memory of the items that are kept.
	maxKept      = 32 << 10
	maxKeptBytes = 64 << 20
	// maxPatterns is how many patterns of keys are kept apart. The items of all further ones are kept together.
	maxPatterns = 1024
)

// collector keeps a bounded number of items of each pattern of keys: those with the smallest hash of their content,
// so that of an object and its copies either all are kept or none.
type collector struct {
	*layout
	patterns    map[string]*kept
	each        int
	kept, bytes int
}

// kept is the items of one pattern, by hash.
type kept struct {
	total   int
	entries []*entry
}

// collect reads all items and returns those that are kept.
func collect(items iter.Seq2[item.Item, error], o Options) (*layout, []*entry, error) {
	var first []item.Item
	var c *collector
	for it, err := range items {
		switch {
		case err != nil:
			return nil, nil, err
		case stored.IsReservedOfAny(it): // The names of the keys are not known yet.
			continue
		case c != nil:
			c.add(it)
			continue
		}
		if first = append(first, it); len(first) == head {
			if c, err = newCollector(first, o); err != nil {
				return nil, nil, err
			}
		}
	}
	if c == nil {
		var err error
		if c, err = newCollector(first, o); err != nil {
			return nil, nil, err
		}
	}
	c.partial = o.Partial != nil && o.Partial()
	return c.layout, c.entries(), nil
}

// newCollector returns a collector with the first items, by which it recognises the table.
func newCollector(first []item.Item, o Options) (*collector, error) {
	if len(first) == 0 {
		return nil, problem("there are no items", "give an export with items, or another TABLE_NAME")
	}
	t, err := recognise(first, o)
	if err != nil {
		return nil, err
	}
	c := &collector{layout: t, patterns: map[string]*kept{}, each: maxKept}
	for _, it := range first {
		c.add(it)
	}
	return c, nil
}

func (c *collector) add(it item.Item) {
	c.items++
	e := &entry{Item: it, typ: it.Text(c.Type), content: c.hash(it), hidden: map[string]string{}}
	if c.Type == "" {
		e.typ = ""
	}
	e.pk, e.sk = c.split(it, c.PK), c.split(it, c.SK)
	pattern := e.typ + "\x00" + c.pattern(it)
	k := c.patterns[pattern]
	if k == nil && len(c.patterns) >= maxPatterns {
		pattern = ""
		k = c.patterns[pattern]
	}
	if k == nil {
		k = &kept{}
		c.patterns[pattern] = k
	}
	k.total++
	if n := len(k.entries); n >= c.each && e.content >= k.entries[n-1].content {
		return
	}
	i, _ := slices.BinarySearchFunc(k.entries, e.content, func(e *entry, content uint64) int {
		return cmp.Compare(e.content, content)
	})
	k.entries = slices.Insert(k.entries, i, e)
	c.kept++
	c.bytes += it.Size()
	c.trim(k)
	for c.kept > maxKept || c.bytes > maxKeptBytes && c.each > 1 {
		c.each /= 2
		for _, k := range c.patterns {
			c.trim(k)
		}
	}
}

func (c *collector) trim(k *kept) {
	for n := len(k.entries) - 1; n >= c.each; n-- {
		c.kept--
		c.bytes -= k.entries[n].Size()
		k.entries = slices.Delete(k.entries, n, n+1)
	}
}

// entries returns the kept items by key.
func (c *collector) entries() []*entry {
	var all []*entry
	for _, k := range c.patterns {
		for _, e := range k.entries {
			e.weight = float64(k.total) / float64(len(k.entries))
			all = append(all, e)
		}
	}
	slices.SortFunc(all, func(a, b *entry) int {
		pk, sk := c.PK.String(), c.SK.String()
		return cmp.Or(cmp.Compare(a.Text(pk), b.Text(pk)), cmp.Compare(a.Text(sk), b.Text(sk)))
	})
	return all
}

// hash returns the hash of the attributes of an item that are not keys.
func (c *collector) hash(it item.Item) uint64 {
	h := fnv.New64a()
	writeItem(h, slices.DeleteFunc(slices.Clone(it), func(a item.Attribute) bool { return c.isKey(a) }))
	return h.Sum64()
}

// isKey reports whether an attribute is part of a key and nothing else. An index can have an ordinary attribute as key.
func (c *collector) isKey(a item.Attribute) bool {
	if a.Name == c.PK.String() || a.Name == c.SK.String() {
		return true
	}
	return strings.Contains(a.Value.Text, c.Delimiter) && c.isIndexKey(a.Name)
}

func writeItem(w io.Writer, it item.Item) {
	byName := make(map[string]item.Value, len(it))
	for _, a := range it {
		byName[a.Name] = a.Value
	}
	for _, name := range slices.Sorted(maps.Keys(byName)) {
		_, _ = io.WriteString(w, name)
		writeValue(w, byName[name])
	}
}

func writeValue(w io.Writer, v item.Value) {
	_, _ = w.Write([]byte{0, byte(v.Kind)})
	_, _ = io.WriteString(w, v.Text)
	writeItem(w, v.Fields())
	for _, e := range v.Elements() {
		writeValue(w, e)
	}
}
