package design

import (
	"strings"

	"github.com/partita/partita/keys"
)

// DecodeKey returns the parts of the key of an item of the type, in an index or with "" in the table. ok is false if no
// item of the type has such a key.
func (t *Type) DecodeKey(index string, key keys.Key) (pk, sk []keys.Part, ok bool) {
	for _, s := range t.shapesIn(index) {
		if s.Holds(key) || s.HoldsStored(key) {
			pk, _ = s.PK.Decode(string(key.PK))
			sk, _ = s.SK.Decode(string(key.SK))
			return pk, sk, true
		}
	}
	return nil, nil, false
}

// DecodePK is DecodeKey for a partition key alone.
func (t *Type) DecodePK(index string, pk keys.PK) (parts []keys.Part, ok bool) {
	for _, s := range t.shapesIn(index) {
		if parts, ok = s.PK.Decode(string(pk)); ok {
			return parts, true
		}
	}
	return nil, false
}

// InPartition reports whether the field reads a partition: whether a value of its variables makes the partition key.
// text is the field's sort key with those values, and with {name} for the others; prefix is the part of it before the
// first of the others.
func (f *Field) InPartition(pk keys.PK) (prefix keys.SK, text string, ok bool) {
	if f.Kind.IsByID() {
		return "", "", false
	}
	values, ok := f.valuesIn(pk)
	if !ok {
		return "", "", false
	}
	placeholder := func(name string) string { return "{" + name + "}" }
	return keys.SK(f.SK.Beginning(values.Get)), f.SK.Describe(values.Get, placeholder), true
}

// ShardsOf returns the partitions over which the value in a partition key is spread, in the order of Shards; nil if the
// field does not read the partition, or if the value is not spread.
func (f *Field) ShardsOf(pk keys.PK) []keys.PK {
	text, _, ok := f.split(pk)
	if !ok || len(f.shards) < 2 {
		return nil
	}
	partitions := make([]keys.PK, len(f.shards))
	for i, label := range f.shards {
		partitions[i] = keys.PK(f.withLabel(text, label))
	}
	return partitions
}

func (f *Field) withLabel(text, label string) string {
	if label == "" {
		return text
	}
	return text + f.PK.Delimiter() + label
}

// split returns the partition key of the field without the label of its shard, and the values of its variables.
func (f *Field) split(pk keys.PK) (text string, matched []string, ok bool) {
	for _, label := range f.shards {
		text, isIn := strings.CutSuffix(string(pk), f.withLabel("", label))
		if matched, ok = f.PK.Match(text); isIn && ok {
			return text, matched, true
		}
	}
	return "", nil, false
}

// valuesIn returns the values of the variables in a partition key, except for those of time buckets, which are cut.
func (f *Field) valuesIn(pk keys.PK) (values keys.Values, ok bool) {
	_, matched, ok := f.split(pk)
	if !ok {
		return nil, false
	}
	for i, name := range f.PK.Variables() {
		if f.PK.Has(name) {
			values = append(values, keys.NamedValue{Name: name, Value: keys.StringValue(matched[i])})
		}
	}
	return values, true
}
