package reading

import (
	"cmp"
	"slices"
	"strings"

	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// addDerivedEntries adds the entries that items have because an index is keyed by the table's own keys or by attributes
// of their type: nobody writes them, so no @index is needed for them. With one for the item, its copies have them, too.
func (r *Source) addDerivedEntries(t *Type) {
	if r.Layout == nil || t.Broken {
		return
	}
	for _, ix := range r.Layout.Indexes {
		declared := 0
		for _, f := range t.StoredKeys {
			if f.Index == ix.Name {
				declared++
			}
		}
		for _, f := range slices.Clone(t.StoredKeys) {
			if f.Index != "" {
				continue
			}
			// The n-th declared entry is that of the n-th stored item.
			if declared--; declared >= 0 {
				continue
			}
			pk, isPK := r.DerivedKey(t, f.Shape, ix.PK)
			sk, isSK := r.DerivedKey(t, f.Shape, ix.SK)
			if isPK && isSK {
				entry := design.Index{Name: ix.Name, Shape: keys.Shape{PK: pk, SK: sk}, Shards: 1}
				t.Indexes = append(t.Indexes, entry)
				t.StoredKeys = append(t.StoredKeys, &Key{
					Of: t, Directive: f.Directive, Index: ix.Name, Shape: entry.Shape, Shards: 1, Derived: true,
				})
			}
		}
	}
}

// IsNumberKey reports whether a part of the sort key of a stored key is an attribute of the type that is a Number, so
// that it has the order of its values.
func (r *Source) IsNumberKey(f *Key, part int) bool {
	return r.IsNumberPart(f, r.Names().Index(f.Index).SK, f.SK, part)
}

// IsNumberPart is isNumberKey for the attributes of a partition or sort key with this template.
func (r *Source) IsNumberPart(f *Key, k keys.KeyAttributes, template keys.Template, part int) bool {
	segments := template.Segments()
	if r.Layout == nil || part >= min(len(k), len(segments)) || len(k) == 1 && len(segments) > 1 {
		return false
	}
	a := StoredIn(f.Of.Type, k[part].Name)
	return a != nil && a.IsNumber() && segments[part].String() == "{"+a.Name+"}"
}

// StoredIn returns the field of a type with an attribute of the table, nil if it has none.
func StoredIn(t *design.Type, attribute string) *design.Attribute {
	i := slices.IndexFunc(t.Attributes, func(a design.Attribute) bool { return !a.InKeys && a.StoredName() == attribute })
	if i < 0 {
		return nil
	}
	return &t.Attributes[i]
}

// DerivedKey returns the template of an index key whose attributes all follow from the other ones of an item of the
// shape. It reports whether they do.
func (r *Source) DerivedKey(t *Type, s keys.Shape, k keys.KeyAttributes) (keys.Template, bool) {
	var parts []string
	for _, a := range k {
		part, ok := r.Derived(t, s, a.Name)
		if !ok || len(k) > 1 && len(part.Segments()) != 1 {
			return keys.Template{}, false
		}
		parts = append(parts, part.String())
	}
	template, err := r.Parse(strings.Join(parts, r.Layout.Delimiter))
	return template, err == nil
}

// Derived returns the template of an attribute in an index key that follows from the other attributes of an item of the
// shape: it is a key of the table, the type, or an attribute of the type. It reports whether it does.
func (r *Source) Derived(t *Type, s keys.Shape, attribute string) (keys.Template, bool) {
	switch {
	case attribute == r.Layout.Type:
		template, err := r.Parse(cmp.Or(t.Value, t.Name))
		return template, err == nil && len(template.Segments()) == 1
	case r.Layout.PK.Has(attribute):
		return s.PK, true
	case r.Layout.SK.Has(attribute):
		return s.SK, true
	}
	for _, a := range t.Attributes {
		if a.StoredName() == attribute {
			return keys.MustDelimited(r.Layout.Delimiter, "{"+a.Name+"}"), true
		}
	}
	return keys.Template{}, false
}
