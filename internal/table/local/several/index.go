package several

import (
	"strings"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/stored"
)

// mark begins the names of the attributes that are only in the engine, and separates their parts. Such a name is that
// of the index and, with their types, of the attributes whose texts it has, so that nothing else has to be stored.
const mark = "␟"

// key is a partition key or a sort key of an index.
type key struct {
	keys.KeyAttributes
	// hidden is the name of the attribute in the engine; with one attribute, that is its own.
	hidden string
}

// newKey returns the key of an index with these attributes.
func newKey(index, kind string, k keys.KeyAttributes) key {
	if len(k) == 0 {
		return key{}
	}
	if len(k) == 1 {
		return key{k, k[0].Name}
	}
	parts := []string{"", index, kind}
	for _, a := range k {
		typ := "S"
		if a.Number {
			typ = "N"
		}
		parts = append(parts, typ+a.Name)
	}
	return key{k, strings.Join(parts, mark)}
}

// parseKey returns the key whose attribute in the engine has the name.
func parseKey(hidden string) key {
	parts := strings.Split(hidden, mark)
	if len(parts) < 5 || parts[0] != "" {
		return key{keys.Named(hidden), hidden}
	}
	k := key{hidden: hidden}
	for _, part := range parts[3:] {
		k.KeyAttributes = append(k.KeyAttributes, keys.KeyAttribute{Name: part[1:], Number: part[0] == 'N'})
	}
	return k
}

func (k key) isSeveral() bool { return len(k.KeyAttributes) > 1 }

// text returns the text of the first attributes of the key, as many as there are values; "" if one has another type.
func (k key) text(values []object) string {
	var it item.Item
	for i, v := range values {
		a := k.KeyAttributes[i]
		if text, is := v["S"].(string); is {
			it = append(it, item.Attribute{Name: a.Name, Value: item.StringValue(text)})
		} else if text, is := v["N"].(string); is {
			it = append(it, item.Attribute{Name: a.Name, Value: item.Value{Kind: item.Number, Text: text}})
		}
	}
	if len(values) == 0 {
		return ""
	}
	return k.KeyAttributes[:len(values)].Text(it)
}

// index is an index of a table in the engine.
type index struct {
	name   string
	pk, sk key
}

// Add returns a stored item as it is in the engine.
func Add(l *stored.Layout, indexes []string, stored item.Item) item.Item {
	for _, name := range indexes {
		ix := l.Index(name)
		for _, k := range [...]key{newKey(name, "HASH", ix.PK), newKey(name, "RANGE", ix.SK)} {
			if text := k.Text(stored); k.isSeveral() && text != "" {
				stored = append(stored[:len(stored):len(stored)], item.Attribute{Name: k.hidden, Value: item.StringValue(text)})
			}
		}
	}
	return stored
}

// add adds to an item what is only in the engine.
func add(indexes []index, it object) {
	for _, ix := range indexes {
		for _, k := range [...]key{ix.pk, ix.sk} {
			if !k.isSeveral() {
				continue
			}
			delete(it, k.hidden)
			var values []object
			for _, a := range k.KeyAttributes {
				v, _ := it[a.Name].(object)
				values = append(values, v)
			}
			if text := k.text(values); text != "" {
				it[k.hidden] = object{"S": text}
			}
		}
	}
}

// strip removes what is only in the engine from a response.
func strip(v any) {
	switch v := v.(type) {
	case object:
		for name, child := range v {
			if strings.HasPrefix(name, mark) {
				delete(v, name)
			} else {
				strip(child)
			}
		}
	case []any:
		for _, child := range v {
			strip(child)
		}
	}
}

// expand replaces the attribute of the engine in a LastEvaluatedKey.
func expand(ix index, last object) {
	for _, k := range [...]key{ix.pk, ix.sk} {
		v, _ := last[k.hidden].(object)
		text, is := v["S"].(string)
		if !k.isSeveral() || !is {
			continue
		}
		delete(last, k.hidden)
		for _, a := range k.KeyAttributes {
			var first string
			if first, text = k.Cut(text); a.Number {
				last[a.Name] = object{"N": keys.KeyNumber(first)}
			} else {
				last[a.Name] = object{"S": first}
			}
		}
	}
}
