package design

import (
	"slices"
	"strings"
	"time"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
)

// Reconcile returns an item of the type as the field shows it, and reports whether its key is one of the type. Another
// program may have written an item whose key and attributes disagree. Its identity is that of its key, by which it can
// be read again, and so is a value that it lacks. Everything else is as its attributes have it: an entry of an index
// may lag behind. An attribute that disagrees is marked as contested, because both may name an owner.
func (f *Field) Reconcile(t *Type, it item.Item) (reconciled item.Item, ok bool) {
	key := keys.KeyOf(it)
	if keys.IsOfOtherTenant(key.PK) {
		return nil, false
	}
	if f.Agrees(t, it) {
		return it, true
	}
	shape := t.shapeOf("", key)
	if shape == nil {
		return nil, false
	}
	r := reconciliation{t: t, it: it}
	r.compare(shape, key, true)
	if f.Index != "" {
		entry := keys.Key{PK: keys.PK(it.Text(keys.IndexPK(f.Index))), SK: keys.SK(it.Text(keys.IndexSK(f.Index)))}
		if shape := t.shapeOf(f.Index, entry); shape != nil {
			r.compare(shape, entry, false)
		}
	}
	if r.contested != nil {
		r.it = r.it.Contested(r.contested)
	}
	return r.it, true
}

// reconciliation compares the attributes of an item with its keys.
type reconciliation struct {
	t *Type
	// it is the item; copied before it is changed.
	it        item.Item
	isCopy    bool
	contested []string
}

func (r *reconciliation) compare(s *keys.Shape, key keys.Key, isPrimary bool) {
	r.compareText(s.PK, string(key.PK), isPrimary)
	r.compareText(s.SK, string(key.SK), isPrimary)
}

func (r *reconciliation) compareText(t keys.Template, text string, isPrimary bool) {
	if t.Agrees(text, r.it) {
		return
	}
	parts, _ := t.Decode(text)
	for i := range t.Segments() {
		s := &t.Segments()[i]
		if s.Variable == "" || s.Variable == keys.ShardVariable || s.IsNumber() {
			continue // A Number key of an index is the attribute itself.
		}
		part := keys.Part{}
		if at := slices.IndexFunc(parts, func(p keys.Part) bool { return p.Variable == s.Variable }); at >= 0 {
			part = parts[at]
		}
		isKnown := s.Bucket == 0 && part.Value != ""
		_, has := r.it.Get(s.Variable)
		switch {
		case !has && isKnown:
			r.set(s.Variable, part.Value)
		case !has:
		case part.Text != "" && s.Holds(part.Text, r.it):
		default:
			r.contest(s.Variable)
			if isPrimary && isKnown && slices.Contains(r.t.Identity, s.Variable) {
				r.set(s.Variable, part.Value)
			}
		}
	}
}

// set sets an attribute to a value that a key has.
func (r *reconciliation) set(name, text string) {
	a := r.t.Attribute(name)
	if a == nil {
		return
	}
	known := r.t.known(name, text)
	if a.Kind == keys.Date && a.As != keys.Plain {
		known.Value = item.StringValue(text[:len(time.DateOnly)])
	}
	if !r.isCopy {
		r.it, r.isCopy = slices.Clone(r.it), true
	}
	for i := range r.it {
		if r.it[i].Name == name {
			r.it[i].Value = known.Value
			return
		}
	}
	r.it = append(r.it, known)
}

func (r *reconciliation) contest(name string) {
	if !slices.Contains(r.contested, name) {
		r.contested = append(r.contested, name)
	}
}

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
