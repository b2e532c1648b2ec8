package importer

import (
	"strings"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
)

// entry is one item.
type entry struct {
	item.Item
	// pk and sk are the parts of its key.
	pk, sk []string
	// typ is its type attribute, "" for none.
	typ string
	// content is a hash of its attributes without keys: that of an object and of its copies is equal.
	content uint64
	// weight is how many items of the table it is an example of.
	weight float64
	// hidden are its values that are only in keys, by the name of their field.
	hidden map[string]string
	// prefixes are the literals that parts of its key begin with, by the number of the part.
	prefixes map[int]string
}

// unclassified is an entry without a type, and the reason.
type unclassified struct {
	entry *entry
	why   string
}

func withReason(g group, why string) []unclassified {
	rest := make([]unclassified, len(g))
	for i, e := range g {
		rest[i] = unclassified{e, why}
	}
	return rest
}

// weight returns how many items of the table have the shape.
func weight(entries []*entry) float64 {
	total := 0.0
	for _, e := range entries {
		total += e.weight
	}
	return total
}

// valuesOf returns the values of an attribute in the entries that have it. NULL is no value.
func valuesOf(entries []*entry, attribute string) []item.Value {
	var values []item.Value
	for _, e := range entries {
		if v, ok := e.Get(attribute); ok && v.Kind != item.Null {
			values = append(values, v)
		}
	}
	return values
}

// text returns a part of an entry's key, counted over both keys.
func (e *entry) text(i int) string {
	if i < len(e.pk) {
		return e.pk[i]
	}
	return e.sk[i-len(e.pk)]
}

// value returns an attribute or a hidden value of the entry.
func (e *entry) value(name string) (item.Value, bool) {
	if label, hidden := strings.CutPrefix(name, hiddenPrefix); hidden {
		text, ok := e.hidden[label]
		return item.StringValue(text), ok
	}
	v, ok := e.Get(name)
	return v, ok && v.Text != "" && (v.Kind == item.String || v.Kind == item.Number || v.Kind == item.Bool)
}

// hasAll reports whether an item has all attributes of a key. None of those of an index can be empty.
func (e *entry) hasAll(k keys.KeyAttributes) bool {
	for _, a := range k {
		if v, has := e.Get(a.Name); !has || v.Text == "" {
			return false
		}
	}
	return true
}

func (t *layout) keyText(e *entry) string {
	return e.Text(t.PK.String()) + "\x00" + e.Text(t.SK.String())
}
