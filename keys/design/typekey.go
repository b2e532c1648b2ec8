package design

import (
	"slices"
	"strconv"

	"github.com/partita/partita/keys"
)

// Key returns the primary key of the object of the type with these identity values. The error is an
// InputError, such as that for the ID of another type.
func (t *Type) Key(values func(name string) keys.Value) (keys.Key, error) {
	for _, name := range t.Identity {
		a, v := t.Attribute(name), values(name)
		if _, isSet := v.Single(); isSet && a != nil && a.Kind == keys.IDKind && v.IDType() != a.Ref {
			return keys.Key{}, wrongID(name, a.Ref)
		}
	}
	return t.BaseKey(values)
}

func wrongID(name, ref string) error {
	if ref == "" {
		return keys.InputErrorf(name, "%s must be an id of this table's own, not a global id", name)
	}
	return keys.InputErrorf(name, "%s must be the id of a %s", name, ref)
}

// RawID returns the stored value of an ID in the type's attribute. If an object's own id has
// several values, it is the one of that attribute. The error is an InputError for the ID of another
// type.
func (t *Type) RawID(a Attribute, id keys.ID) (string, error) {
	if id.Type() == a.Ref {
		if raw, single := id.Single(); single {
			return raw, nil
		}
		values := id.Values()
		if i := slices.Index(t.Identity, a.Name); i >= 0 && a.Ref == t.Name && len(values) == len(t.Identity) {
			return values[i], nil
		}
	}
	return "", wrongID(a.Name, a.Ref)
}

// BaseKey returns the key of the base item of the object with these identity values, in its shard. The
// error is an InputError.
func (t *Type) BaseKey(values func(name string) keys.Value) (keys.Key, error) {
	key, err := t.Item.Key(values)
	if err != nil {
		return keys.Key{}, err
	}
	return t.inShard(t.Item.PK, key, t.Shards, values)
}

// inShard returns the key, whose PK the template has built, in that of the shards to which an object with these values
// belongs.
func (t *Type) inShard(pk keys.Template, key keys.Key, shards int, values func(name string) keys.Value) (keys.Key,
	error) {
	if shards <= 1 {
		return key, nil
	}
	identity := make([]string, len(t.Identity))
	for i, name := range t.Identity {
		identity[i] = values(name).Text()
	}
	key.PK = pk.Shard(key.PK, strconv.Itoa(keys.Shard(shards, identity...)))
	return key, key.PK.Check()
}

// IndexKey returns the key of the type's entry in an index, in the shard of the object with these
// values. set is false if a variable of the entry is unset, or with Optional ones alone all of them: the object then
// has no entry. The error is an InputError.
func (t *Type) IndexKey(ix Index, values func(name string) keys.Value) (key keys.Key, set bool, err error) {
	isAnySet, isAnyUnset := false, false
	for _, template := range [...]*keys.Template{&ix.PK, &ix.SK} {
		for i := range template.Segments() {
			switch s := &template.Segments()[i]; {
			case s.Variable == "":
			case values(s.Variable).IsSet():
				isAnySet = true
			case s.Optional:
				isAnyUnset = true
			default:
				return keys.Key{}, false, nil
			}
		}
	}
	if isAnyUnset && !isAnySet {
		return keys.Key{}, false, nil
	}
	if err = checkUnset(ix.PK, values); err == nil {
		key, err = ix.Key(values)
	}
	if err == nil {
		key, err = t.inShard(ix.PK, key, ix.Shards, values)
	}
	return key, true, err
}

// EntryOf returns the key of an item's entry in an index, from that of IndexKey: where the index is keyed by the
// table's own keys it has those of the item, with their shard.
func (t *Type) EntryOf(it keys.Key, ix Index, entry keys.Key) keys.Key {
	if t.stored == nil {
		return entry
	}
	l := t.stored.layout
	of := func(k keys.KeyAttributes, text string) string {
		if !slices.ContainsFunc(k, func(a keys.KeyAttribute) bool { return l.IsKey(a.Name) }) {
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
	return keys.Key{PK: keys.PK(of(names.PK, string(entry.PK))), SK: keys.SK(of(names.SK, string(entry.SK)))}
}
