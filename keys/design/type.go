package design

import (
	"slices"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
)

// IsMixed reports whether an item of another type may have the key of one of this type, in a Design: a value in a key
// looks like a literal in that of the other, or only constants differ.
func (t *Type) IsMixed() bool { return t.mixed }

// Times returns the attributes that are set to the time of a creation, or of an update.
func (t *Type) Times(isUpdate bool) []string {
	if isUpdate {
		return t.Updated
	}
	return slices.Concat(t.Created, t.Updated)
}

// Attribute returns the type's stored field of that name, or nil.
func (t *Type) Attribute(name string) *Attribute {
	for i := range t.Attributes {
		if t.Attributes[i].Name == name {
			return &t.Attributes[i]
		}
	}
	return nil
}

// Object returns the object type of that name inside of the type's attributes, or nil.
func (t *Type) Object(name string) *Object {
	for i := range t.Objects {
		if t.Objects[i].Name == name {
			return &t.Objects[i]
		}
	}
	return nil
}

// TypeValue returns the value of the type attribute in the table.
func (t *Type) TypeValue() string {
	if t.Value != "" {
		return t.Value
	}
	return t.Name
}

// Shapes returns the templates of the keys of an object's stored items: the base item, whose partition
// key may end with its shard, then the copies in order.
func (t *Type) Shapes() []keys.Shape {
	shapes := []keys.Shape{t.Item}
	if t.Shards > 1 {
		shapes[0].PK = t.Item.PK.WithShard()
	}
	for _, c := range t.Copies {
		shapes = append(shapes, c.Shape)
	}
	return shapes
}

// IsBase reports whether the key can be that of a base item of the type: see Shape.Holds.
func (t *Type) IsBase(key keys.Key) bool {
	s := t.Item
	if t.Shards > 1 {
		s.PK = s.PK.WithShard()
	}
	return s.Holds(key)
}

// shapesIn returns the shapes of the type's items in an index, with "" in the table, those with a shard included.
func (t *Type) shapesIn(index string) []keys.Shape {
	if index == "" {
		return t.Shapes()
	}
	var shapes []keys.Shape
	for _, ix := range t.Indexes {
		if ix.Name != index {
			continue
		}
		s := ix.Shape
		if ix.Shards > 1 {
			s.PK = s.PK.WithShard()
		}
		shapes = append(shapes, s)
	}
	return shapes
}

// entriesOf returns the shapes of a type's entries in an index, and those of the items that they belong to.
func (t *Type) entriesOf(index string) (items, entries []keys.Shape) {
	stored := t.Shapes()
	for _, ix := range t.Indexes {
		if ix.Name == index && len(entries) < len(stored) {
			items, entries = append(items, stored[len(entries)]), append(entries, ix.Shape)
		}
	}
	return items, entries
}

// isInKey reports whether a variable is part of a key of the type's items, and of one with delimiters.
func (t *Type) isInKey(name string) (isIn, isDelimited bool) {
	shapes := t.Shapes()
	for _, ix := range t.Indexes {
		shapes = append(shapes, ix.Shape)
	}
	for _, s := range shapes {
		for _, template := range [...]keys.Template{s.PK, s.SK} {
			for _, segment := range template.Segments() {
				if segment.Variable == name && segment.Bucket == 0 {
					isIn, isDelimited = isIn || segment.IsWhole(), isDelimited || !template.IsSeparated()
				}
			}
		}
	}
	return isIn, isDelimited
}

func (t *Type) known(name, text string) item.Attribute {
	v := item.StringValue(text)
	if a := t.Attribute(name); a != nil {
		switch a.Kind {
		case keys.Int, keys.Int64, keys.Float:
			v.Kind = item.Number
		case keys.Boolean:
			v.Kind = item.Bool
		}
	}
	return item.Attribute{Name: name, Value: v}
}

// KeyOnly returns the key-only attributes of a type, without values: those that follow from the
// global ID without a read.
func KeyOnly(t *Type) item.Item {
	it := item.Item{{Name: item.EntityType, Value: item.StringValue(t.Name)}}
	for _, name := range t.Identity {
		if t.Item.Has(name) {
			it = append(it, t.known(name, ""))
		}
	}
	return it
}

// IsConstant reports whether an attribute of the table is a constant of the type.
func (t *Type) IsConstant(stored string) bool {
	return t != nil && slices.ContainsFunc(t.Constants, func(c Constant) bool { return c.Name == stored })
}

// hasConstants reports whether a stored item has all constants of the type.
func (t *Type) hasConstants(stored item.Item) bool {
	for i := range t.Constants {
		if !t.Constants[i].isIn(stored) {
			return false
		}
	}
	return true
}

// IsApart reports whether a constant of two types, of the same name, has different values, so that no item can be of
// both.
func (t *Type) IsApart(other *Type) bool {
	return slices.ContainsFunc(t.Constants, func(c Constant) bool {
		return slices.ContainsFunc(other.Constants, func(o Constant) bool { return c.Name == o.Name && !c.equals(o.Value) })
	})
}

// shapeOf returns the shape of the type's items, in an index or with "" in the table, that holds a key; nil for none. A
// shape that holds it only with the delimiter in a value comes last.
func (t *Type) shapeOf(index string, key keys.Key) *keys.Shape {
	shapes := t.shapesIn(index)
	for _, holds := range [...]func(keys.Shape, keys.Key) bool{keys.Shape.Holds, keys.Shape.HoldsStored} {
		for i := range shapes {
			if holds(shapes[i], key) {
				return &shapes[i]
			}
		}
	}
	return nil
}

// Agrees reports whether the primary key of an item of the type is that of a base item or of a copy with the item's
// attributes.
func (t *Type) Agrees(it item.Item) bool {
	key := keys.KeyOf(it)
	return t.Item.Agrees(key, it, t.Shards) ||
		slices.ContainsFunc(t.Copies, func(c Copy) bool { return c.Agrees(key, it, 1) })
}

// Stores reports whether an item is one of those in which the design stores an object with its values, with exactly its
// key: Agrees also holds for an item in another shard, which may be of a design with another number of shards, and does
// not for a key with numbers or times side by side.
func (t *Type) Stores(it item.Item) bool {
	return t.StoresBase(it) || slices.ContainsFunc(t.Copies, func(c Copy) bool {
		is, err := c.Key(valuesOf(it))
		return err == nil && is == keys.KeyOf(it) || err != nil && c.Agrees(keys.KeyOf(it), it, 1)
	})
}

// StoresBase is Stores for the base item.
func (t *Type) StoresBase(it item.Item) bool {
	base, err := t.BaseKey(valuesOf(it))
	return err == nil && base == keys.KeyOf(it) || err != nil && t.Item.Agrees(keys.KeyOf(it), it, t.Shards)
}

func valuesOf(it item.Item) func(string) keys.Value {
	return func(name string) keys.Value { return keys.AttributeValue(it, name) }
}

// GeneratesID reports whether the mutation creates an object of the type with a new id: one that is part of the
// identity, and neither given nor that of the viewer.
func (m *Mutation) GeneratesID(t *Type) bool {
	const id = "id"
	a := t.Attribute(id)
	return m.Kind == CreateMutation && a != nil && a.Kind == keys.IDKind && a.As != keys.Number &&
		slices.Contains(t.Identity, id) &&
		m.Viewer != id && !slices.Contains(m.Inputs, id)
}
