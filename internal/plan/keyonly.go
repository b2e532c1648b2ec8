package plan

import (
	"slices"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// ServedByKey is how much of what is selected below a Get its key serves.
type ServedByKey uint8

const (
	// KeyNothing means that something below the object depends on its item.
	KeyNothing ServedByKey = iota
	// KeyReads means that the conditions of all Reads below the object follow from its key, so that only attributes of
	// the object itself are missing. They may be read with a later wave.
	KeyReads
	// KeyAll means that all that is selected follows from the key. The key does not show whether the object exists.
	KeyAll
)

// ServedByKey returns how much of what is selected below an object its key serves.
func (b *Bound) ServedByKey(o *Object, keyOnly item.Item) ServedByKey {
	if b.DecideKeyOnly(o.Type.Rule, keyOnly) == Unknown {
		return KeyNothing
	}
	served := KeyAll
	for _, f := range o.Fields {
		served = min(served, b.fieldServedByKey(f, keyOnly))
		if served == KeyNothing {
			break
		}
	}
	return served
}

// fieldServedByKey is ServedByKey for one field of an object. KeyAll means that the key-only item is enough to answer
// the field, or to make the field's own Read.
func (b *Bound) fieldServedByKey(f *Field, keyOnly item.Item) ServedByKey {
	has := func(name string) bool {
		_, ok := keyOnly.Get(name)
		return ok
	}
	if f.Read == nil || f.Rule == nil || f.Read.Argument(f.Rule.Owner) == nil {
		switch d := b.DecideKeyOnly(f.Rule, keyOnly); {
		case d == Deny:
			return KeyAll
		case d == Unknown && (f.Read != nil || f.Kind == GoField):
			return KeyNothing
		case d == Unknown:
			return KeyReads
		}
	}
	switch {
	case f.Read != nil:
		switch {
		case !f.ReadFollowsFrom(keyOnly) || b.NeedsSince(f, keyOnly):
			return KeyNothing
		case f.Read.Count == "" || has(f.Read.Count) || !f.selectsCount():
			return KeyAll
		default:
			return KeyReads
		}
	case f.Kind == TypenameField || f.Kind == NotReadyField || f.Kind == AttributeField && has(f.Name):
		return KeyAll
	case f.Kind == IdentityField && !slices.ContainsFunc(b.Schema.Design.Type(keyOnly.Type()).Identity,
		func(name string) bool { return !has(name) }):
		return KeyAll
	case f.Kind == GoField:
		return KeyNothing
	default:
		return KeyReads
	}
}

// NeedsSince reports whether a value that a key-only parent does not have shows with which time bucket a range begins:
// one without a lower end.
func (b *Bound) NeedsSince(f *Field, keyOnly item.Item) bool {
	name := f.Read.SinceVariable()
	if _, has := keyOnly.Get(name); name == "" || has {
		return false
	}
	from, _, _ := b.Values(f, nil)(f.Read.Bucketed()).Range()
	return !from.IsSet()
}

// ReadFollowsFrom reports whether a key-only parent has all values for the field's key condition.
func (f *Field) ReadFollowsFrom(keyOnly item.Item) bool {
	for _, t := range [...]keys.Template{f.Read.PK, f.Read.SK} {
		for _, s := range t.Segments() {
			if s.Variable == "" || s.Variable == keys.ViewerVariable || f.Read.Argument(s.Variable) != nil {
				continue
			}
			if _, ok := keyOnly.Get(s.Variable); !ok {
				return false
			}
		}
	}
	return true
}

// HasLaterGets reports whether the Ranges below an object lead to Gets in a later wave, if they have any items.
func (b *Bound) HasLaterGets(o *Object) bool {
	later := &b.laterGets[o.Index]
	if later.Load() == unset {
		result := no
		if slices.ContainsFunc(o.Fields, b.leadsToGet) {
			result = yes
		}
		later.Store(result)
	}
	return later.Load() == yes
}

// leadsToGet reports whether a field is a connection whose nodes are Gets of their own, or lead to Gets.
func (b *Bound) leadsToGet(f *Field) bool {
	if f.Read == nil || f.Read.Kind != design.Query || f.Read.Result != design.Connection || !f.Read.EdgeNode {
		return false
	}
	return slices.ContainsFunc(f.NodePlaces(), func(node *Field) bool {
		return slices.ContainsFunc(node.Children, func(o *Object) bool {
			return b.ServedByKey(o, design.KeyOnly(o.Type)) != KeyAll || b.HasLaterGets(o)
		})
	})
}
