package keys

import (
	"slices"

	"github.com/partita/partita/item"
)

// IndexKey returns the key of the type's entry in an index, in the shard of the object with these
// values. set is false if a variable of the entry is unset, or with Optional ones alone all of them: the object then
// has no entry. The error is an InputError.
func (t *Type) IndexKey(ix Index, values func(name string) Value) (key Key, set bool, err error) {
	isAnySet, isAnyUnset := false, false
	for _, template := range [...]*Template{&ix.PK, &ix.SK} {
		for i := range template.Segments() {
			switch s := &template.Segments()[i]; {
			case s.Variable == "":
			case values(s.Variable).IsSet():
				isAnySet = true
			case s.Optional:
				isAnyUnset = true
			default:
				return Key{}, false, nil
			}
		}
	}
	if isAnyUnset && !isAnySet {
		return Key{}, false, nil
	}
	if key, err = ix.Key(values); err == nil {
		key, err = t.inShard(ix.PK, key, ix.Shards, values)
	}
	return key, true, err
}

// EntryOf returns the key of an item's entry in an index, from that of IndexKey: where the index is keyed by the
// table's own keys it has those of the item, with their shard.
func (t *Type) EntryOf(it Key, ix Index, entry Key) Key {
	if t.stored == nil {
		return entry
	}
	l := t.stored.layout
	of := func(k KeyAttributes, text string) string {
		if !slices.ContainsFunc(k, func(a KeyAttribute) bool { return l.IsKey(a.Name) }) {
			return text
		}
		texts := make([]string, len(k))
		for i, a := range k {
			texts[i], text = k.Cut(text)
			switch {
			case l.PK.Has(a.Name):
				texts[i] = string(it.PK)
			case l.SK.Has(a.Name):
				texts[i] = string(it.SK)
			}
		}
		return k.Join(texts)
	}
	names := l.Index(ix.Name)
	return Key{PK: PK(of(names.PK, string(entry.PK))), SK: SK(of(names.SK, string(entry.SK)))}
}

// IsKeyAttribute reports whether the attribute follows from the others: it is part of a key of the
// table or of an index, or the type's name.
func (d *Design) IsKeyAttribute(name string) bool {
	return name == AttributePK || name == AttributeSK || name == item.EntityType || d.IsIndexAttribute(name)
}

// IsIndexAttribute reports whether the attribute is part of the key of an index.
func (d *Design) IsIndexAttribute(name string) bool {
	for _, t := range d.Types {
		for _, ix := range t.Indexes {
			if name == IndexPK(ix.Name) || name == IndexSK(ix.Name) {
				return true
			}
		}
	}
	return false
}
