package design

import (
	"slices"
	"strings"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/stored"
)

func newTranslation(d *Design) *translation {
	s := &translation{design: d, layout: d.Layout, types: make(map[string][]*Type, len(d.Types))}
	for _, name := range d.IndexNames() {
		s.indexes = append(s.indexes, d.Layout.Index(name))
	}
	for _, t := range d.Types {
		for _, value := range append([]string{t.TypeValue()}, t.Values...) {
			s.types[value] = append(s.types[value], t)
		}
		t.stored = &typeTranslation{
			translation: s, attributes: make(map[string]*Attribute, len(t.Attributes)), translated: t.translated(),
			forms: t.otherForms(),
		}
		for i := range t.Attributes {
			a := &t.Attributes[i]
			t.stored.hasMissing = t.stored.hasMissing || a.mayBeMissing()
			if !a.InKeys {
				t.stored.attributes[a.StoredName()] = a
			}
			isIn, isDelimited := t.isInKey(a.Name)
			if isIn {
				t.stored.inKeys = append(t.stored.inKeys, a.Name)
			}
			// A time or a date may have the delimiter, too: its width shows where it ends.
			if isDelimited && (a.Kind == keys.String || a.Kind == keys.IDKind) {
				t.stored.delimited = append(t.stored.delimited, a.Name)
			}
		}
	}
	return s
}

// Translates reports whether the items of the table differ from those of the Design.
func (d *Design) Translates() bool { return d != nil && d.stored != nil }

// FromStored returns an item of the table as the rest of the Design has it: see Layout. Its type is that of the type
// attribute, or without one that of the first shape that holds the primary key; of an item that the Design does not
// have, it is the value of the type attribute. An attribute that is missing has the value in the item's keys.
func (d *Design) FromStored(it item.Item) item.Item {
	if !d.Translates() || it == nil {
		return it
	}
	return d.stored.from(it)
}

// ToStored returns an item as it is in the table. It is the inverse of FromStored.
func (d *Design) ToStored(it item.Item) item.Item {
	if !d.Translates() || it == nil {
		return it
	}
	return d.stored.to(it)
}

// StoredSize returns the size of an item of the type in the table, in bytes: see item.Item.Size.
func (t *Type) StoredSize(it item.Item) int {
	if t.stored != nil {
		it = t.stored.to(it)
	}
	return it.Size()
}

// HasDelimiter reports whether a text that is part of a key of the item contains the delimiter. Such an item of an
// existing table can be read, and not be written.
func (t *Type) HasDelimiter(it item.Item) bool {
	if t.stored == nil {
		return false
	}
	return slices.ContainsFunc(t.stored.delimited, func(name string) bool {
		return strings.Contains(it.Text(name), t.stored.layout.Delimiter)
	})
}

// StoredAttributes returns what an attribute of an item of the type is in the table: usually one attribute. There
// is nothing to write for one that follows from others there, and a key of an index may be several attributes. An unset
// value remains one, and so does a set without elements. inKey reports whether an item may lack the attribute, because
// its value is part of a key.
func (d *Design) StoredAttributes(t *Type, name string, v item.Value) (stored item.Item, inKey bool) {
	if !d.Translates() {
		return item.Item{{Name: name, Value: v}}, false
	}
	return d.stored.append(nil, t, name, v)
}

func (s *translation) from(it item.Item) item.Item {
	key := s.layout.KeyOf(it)
	t, typeName := s.typeOf(it, key)
	out := make(item.Item, 0, len(it)+4+2*len(s.indexes))
	out = append(out, key.Item()...)
	if typeName != "" {
		out = append(out, item.Attribute{Name: item.EntityType, Value: item.StringValue(typeName)})
	}
	for i := range s.indexes {
		ix := &s.indexes[i]
		pk, sk := ix.PartitionKey(it), ix.SortKey(it)
		// An item without one of the keys is not in the index. If the other one is there for its own sake, that is right.
		isEntry := ix.IsEntry(pk, sk)
		if pk != "" && (isEntry || s.hasOwn(it, t, ix.PK)) {
			out = append(out, item.Attribute{Name: keys.IndexPK(ix.Name), Value: item.TextValue(pk)})
		}
		if sk != "" && (isEntry || s.hasOwn(it, t, ix.SK)) {
			out = append(out, item.Attribute{Name: keys.IndexSK(ix.Name), Value: item.TextValue(sk)})
		}
	}
	for _, a := range it {
		if field := t.storedAttribute(a.Name); field != nil {
			out = append(out, item.Attribute{Name: field.Name, Value: t.fromStored(field, a.Value)})
			continue
		}
		if s.isKey(a.Name) || t.IsConstant(a.Name) {
			continue
		}
		if t != nil && t.Attribute(a.Name) != nil || s.design.IsKeyAttribute(a.Name) {
			a.Name = keys.ForeignMark + a.Name
		}
		out = append(out, a)
	}
	if t != nil && len(out) > 0 {
		out = s.complete(out, t, key)
		if t.stored.hasMissing {
			out = withMissing(out, t.Attributes)
		}
	}
	return out
}

// isKey reports whether a stored attribute is part of a key, or the type.
func (s *translation) isKey(name string) bool {
	if s.layout.IsKey(name) || name == s.layout.Type {
		return true
	}
	for _, ix := range s.indexes {
		if ix.PK.Has(name) || ix.SK.Has(name) {
			return true
		}
	}
	return false
}

func (s *translation) to(it item.Item) item.Item {
	t := s.design.types[it.Type()]
	out := make(item.Item, 0, len(it))
	for _, a := range it {
		if field := t.attributeOrNil(a.Name); field != nil && field.IsEmptySet(a.Value) {
			continue
		}
		out, _ = s.append(out, t, a.Name, a.Value)
	}
	return out
}

// attributeOrNil is Attribute of a type that may be nil.
func (t *Type) attributeOrNil(name string) *Attribute {
	if t == nil {
		return nil
	}
	return t.Attribute(name)
}

// append appends what StoredAttributes returns. What has the type has the constants of the type.
func (s *translation) append(to item.Item, t *Type, name string, v item.Value) (stored item.Item, inKey bool) {
	for _, ix := range s.indexes {
		switch name {
		case keys.IndexPK(ix.Name):
			return s.appendKey(to, t, ix.PK, v), false
		case keys.IndexSK(ix.Name):
			return s.appendKey(to, t, ix.SK, v), false
		}
	}
	switch name {
	case keys.AttributePK:
		return s.layout.PK.AppendStored(to, v.Text), false
	case keys.AttributeSK:
		return s.layout.SK.AppendStored(to, v.Text), false
	}
	isType := name == item.EntityType && v.Kind == item.String
	name, v, inKey = s.attribute(t, name, v)
	if name != "" {
		to = append(to, item.Attribute{Name: name, Value: v})
	}
	if isType && t != nil {
		for _, c := range t.Constants {
			to = append(to, item.Attribute(c))
		}
	}
	return to, inKey
}

// appendKey appends the attributes of a key of an index but those of the type and the keys of the table, and those that
// another index has appended.
func (s *translation) appendKey(to item.Item, t *Type, k keys.KeyAttributes, v item.Value) item.Item {
	text := v.Text
	for i := range k {
		var first string
		first, text = k.Cut(text)
		if _, has := to.Find(k[i].Name); has || !s.isOwn(t, k[i].Name) {
			continue
		}
		if v.Kind != item.Null {
			v = k[i].Stored(first)
		}
		to = append(to, item.Attribute{Name: k[i].Name, Value: v})
	}
	return to
}

// attribute returns the name and the value of an attribute that is no key; "" for one that is not written.
func (s *translation) attribute(t *Type, name string, v item.Value) (stored string, value item.Value, inKey bool) {
	if name == item.EntityType {
		if of := s.design.types[v.Text]; of != nil {
			v = item.StringValue(of.TypeValue())
		} else if text, isMarked := strings.CutPrefix(v.Text, keys.ForeignMark); isMarked {
			v = item.StringValue(text)
		}
		return s.layout.Type, v, false
	}
	if rest, marked := strings.CutPrefix(name, keys.ForeignMark); marked {
		return rest, v, false
	}
	if t == nil {
		return name, v, false
	}
	a := t.Attribute(name)
	switch {
	case a == nil:
		return name, v, false
	case a.InKeys, s.layout.IsKey(a.StoredName()), a.StoredName() == s.layout.Type:
		return "", v, false // It is written as the key.
	case a.IsEmptySet(v):
		return a.StoredName(), item.Value{}, false
	default:
		return a.StoredName(), t.toStored(a, v), slices.Contains(t.stored.inKeys, name)
	}
}

// isOwn reports whether a key attribute of an index is neither one of the type nor one of the table's.
func (s *translation) isOwn(t *Type, name string) bool {
	return !s.layout.IsKey(name) && name != s.layout.Type && t.storedAttribute(name) == nil
}

// hasOwn reports whether an attribute of a key of an index in which the item is not has no other purpose: it is an own
// one, and not part of the item's entry in another index.
func (s *translation) hasOwn(it item.Item, t *Type, k keys.KeyAttributes) bool {
	return slices.ContainsFunc(k, func(a keys.KeyAttribute) bool {
		return s.isOwn(t, a.Name) && !slices.ContainsFunc(s.indexes, func(ix stored.IndexLayout) bool {
			return (ix.PK.Has(a.Name) || ix.SK.Has(a.Name)) && ix.IsEntry(ix.PartitionKey(it), ix.SortKey(it))
		})
	})
}

// storedAttribute returns the attribute with a stored name; nil if the type, which may be nil, has none.
func (t *Type) storedAttribute(name string) *Attribute {
	if t == nil {
		return nil
	}
	return t.stored.attributes[name]
}
