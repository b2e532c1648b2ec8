package keys

import (
	"errors"
	"slices"

	"github.com/partita/partita/item"
)

// Values are the named values of a Condition or of a Key.
type Values []NamedValue

// NamedValue is the Value of one variable.
type NamedValue struct {
	Name  string
	Value Value
}

// Get is the value of that name, unset when there is none.
func (vs Values) Get(name string) Value {
	for i := range vs {
		if vs[i].Name == name {
			return vs[i].Value
		}
	}
	return Value{}
}

// PartValue is the Value of the i-th key value of a global ID that names an
// object by several.
func PartValue(id ID, i int) Value {
	values := id.Values()
	if i >= len(values) {
		return Value{err: inputErrorf("", "this id names an object by fewer key values; pass the id of another type")}
	}
	return StringValue(values[i])
}

// Key is the primary key of the object of the type that has these identity
// values. The ID of another type is an InputError.
func (t *Type) Key(values func(name string) Value) (Key, error) {
	for _, name := range t.Identity {
		a := t.Attribute(name)
		if v := values(name); a != nil && a.Kind == IDKind && v.set && v.idType != a.Ref {
			return Key{}, wrongID(name, a.Ref)
		}
	}
	return t.Item.Key(values)
}

func wrongID(name, ref string) error {
	if ref == "" {
		return inputErrorf(name, "%s must be an id of this table's own, not a global id", name)
	}
	return inputErrorf(name, "%s must be the id of a %s", name, ref)
}

// Forms are all items that an object of the type is stored as: the item itself,
// then its copies in the order of the type, each with PK, SK, entityType and
// the entries it has in indexes. An entry in an index is left out while one of
// its variables is unset, attributes that are NULL are left out altogether.
//
// The attributes are the type's fields, an ID as IDAttribute gives it: what is
// stored of an ID is its raw value. What cannot be stored is an InputError.
func (t *Type) Forms(attributes item.Item) ([]item.Item, error) {
	attributes = attributes.WithoutNulls()
	if wrong, is := errors.AsType[*item.ValueError](attributes.Check()); is {
		return nil, inputErrorf(wrong.Attribute, "%s %s", wrong.Attribute, wrong.Problem)
	}
	if err := t.check(attributes); err != nil {
		return nil, err
	}
	forms, err := t.forms(attributes)
	if err != nil {
		return nil, err
	}
	for _, form := range forms {
		if n := form.Size(); n > t.MaxBytes {
			return nil, inputErrorf("", "this %s takes %d bytes; at most %d are allowed", t.Name, n, t.MaxBytes)
		}
	}
	return forms, nil
}

// forms are the stored forms of attributes as they are stored.
func (t *Type) forms(attributes item.Item) ([]item.Item, error) {
	values := func(name string) Value { return AttributeValue(attributes, name) }
	forms := make([]item.Item, 1+len(t.Copies))
	for i := range forms {
		shape := t.Item
		if i > 0 {
			shape = t.Copies[i-1]
		}
		form, err := t.form(i, shape, values)
		if err != nil {
			return nil, err
		}
		forms[i] = append(form, attributes...)
	}
	return forms, nil
}

// check completes the attributes in place: IDs become raw values.
func (t *Type) check(attributes item.Item) error {
	for _, a := range t.Attributes {
		i := slices.IndexFunc(attributes, func(have item.Attribute) bool { return have.Name == a.Name })
		if i < 0 {
			if a.NonNull {
				return inputErrorf(a.Name, "%s must be given", a.Name)
			}
			continue
		}
		if a.Kind != IDKind {
			continue
		}
		raw, ok := t.rawID(a, ID(attributes[i].Value.Text))
		if !ok {
			return wrongID(a.Name, a.Ref)
		}
		attributes[i].Value = item.StringValue(raw)
	}
	return nil
}

// rawID is what is stored of an ID. An object's own id may name it by several
// values, of which the attribute is one.
func (t *Type) rawID(a Attribute, id ID) (string, bool) {
	values := id.Values()
	if id.Type() != a.Ref {
		return "", false
	}
	if a.Ref != t.Name || len(values) == 1 {
		return id.single()
	}
	i := slices.Index(t.Identity, a.Name)
	if i < 0 || len(values) != len(t.Identity) {
		return "", false
	}
	return values[i], true
}

// form is the keys and the entityType of the n-th stored form.
func (t *Type) form(n int, shape Shape, values func(string) Value) (item.Item, error) {
	key, err := shape.Key(values)
	if err != nil {
		return nil, err
	}
	form := item.Item{
		{Name: AttributePK, Value: item.TextValue(key.PK)},
		{Name: AttributeSK, Value: item.TextValue(key.SK)},
	}
	seen := map[string]int{}
	for _, ix := range t.Indexes {
		place := seen[ix.Name]
		seen[ix.Name]++
		if place != n || !ix.isSet(values) {
			continue
		}
		key, err := ix.key(t, values)
		if err != nil {
			return nil, err
		}
		form = append(form,
			item.Attribute{Name: IndexPK(ix.Name), Value: item.TextValue(key.PK)},
			item.Attribute{Name: IndexSK(ix.Name), Value: item.TextValue(key.SK)},
		)
	}
	return append(form, item.Attribute{Name: item.EntityType, Value: item.StringValue(t.Name)}), nil
}

func (ix Index) isSet(values func(string) Value) bool {
	for _, template := range [...]Template{ix.PK, ix.SK} {
		for _, name := range template.Variables() {
			if !values(name).IsSet() {
				return false
			}
		}
	}
	return true
}

func (ix Index) key(t *Type, values func(string) Value) (Key, error) {
	key, err := ix.Key(values)
	if err != nil || ix.Shards <= 1 {
		return key, err
	}
	identity := make([]string, len(t.Identity))
	for i, name := range t.Identity {
		identity[i] = values(name).text
	}
	key.PK = ShardPK(key.PK, Shard(ix.Shards, identity...))
	return key, checkPK(key.PK)
}

// IDAttribute is an ID as Forms takes it.
func IDAttribute(id ID) item.Value { return item.TextValue(id) }

// AsID reads a stored ID: the raw value of an object of the type, or with "" an
// opaque text.
func AsID(typ string) func(item.Value) (ID, error) {
	return func(v item.Value) (ID, error) {
		raw, err := item.AsString(v)
		return NewID(typ, raw), err
	}
}

// EncodedID is an ID of which the schema does not say what it names, such as one
// in a list: the text that callers see. AsID("") reads it.
func EncodedID(id ID) item.Value { return item.StringValue(id.Encode()) }

// IsPartial reports whether only what a key fixes is known of the item, as of a
// Condition's Known, which has no PK.
func IsPartial(it item.Item) bool {
	_, whole := it.Get(AttributePK)
	return !whole
}
