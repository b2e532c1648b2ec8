package migrate

import (
	"slices"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// Translation turns the objects of one version into those of another.
type Translation struct {
	from, to *design.Design
	types    map[string]*typeTranslation
	// names are those of values of enums that have others.
	names valueNames
}

// typeTranslation is what objects of one type become.
type typeTranslation struct {
	from, to *design.Type
	// sources are the attributes of to: the names that they have in from, "" for one that from does not have.
	sources []string
	// missing are the values of attributes of to that an object lacks; NULL for none.
	missing []item.Value
	// values are the types of the values in the later version, by the attribute of to.
	values map[string]string
}

// Forward returns the translation of the objects of the former version into those of the later one.
func (n Names) Forward() *Translation {
	t := &Translation{
		from: n.from.Design, to: n.to.Design, types: map[string]*typeTranslation{},
		names: n.valueNames(keys.Renaming.Inverse),
	}
	for _, to := range n.to.Types {
		former := n.FormerType(to.Name)
		t.add(former, to.Name, func(later string) string { return n.FormerField(to.Name, later) },
			func(later string) string { return n.valueType(to.Name, later) })
		if one := t.types[former]; one != nil {
			one.missing = missing(n.to.Design, to)
		}
	}
	return t
}

// missing returns what objects of a type have for attributes that they lack: defaults, and what a creation sets.
func missing(d *design.Design, t *design.Type) []item.Value {
	values := make([]item.Value, len(t.Attributes))
	for i, a := range t.Attributes {
		isCounter := slices.ContainsFunc(d.CountersIn(t), func(c *design.Counter) bool { return c.Attribute == a.Name })
		switch {
		case a.Name == t.Version:
			values[i] = item.NumberValue(1)
		case isCounter:
			values[i] = item.NumberValue(0)
		default:
			values[i] = a.Default
		}
	}
	return values
}

// Back returns the translation of the objects of the later version into those of the former one.
func (n Names) Back() *Translation {
	asIs := func(r keys.Renaming) keys.Renaming { return r }
	t := &Translation{
		from: n.to.Design, to: n.from.Design, types: map[string]*typeTranslation{}, names: n.valueNames(asIs),
	}
	for _, former := range n.from.Types {
		later := n.LaterType(former.Name)
		t.add(later, former.Name, func(field string) string { return n.LaterField(former.Name, field) },
			func(field string) string { return n.valueType(later, n.LaterField(former.Name, field)) })
	}
	return t
}

func (t *Translation) add(from, to string, source, values func(string) string) {
	of := t.from.Type(from)
	if of == nil {
		return
	}
	one := &typeTranslation{from: of, to: t.to.Type(to), values: map[string]string{}}
	for _, a := range one.to.Attributes {
		name := source(a.Name)
		if of.Attribute(name) == nil {
			name = ""
		}
		one.sources = append(one.sources, name)
		one.values[a.Name] = values(a.Name)
	}
	t.types[from] = one
}

// TypeOf returns the name of the type that objects of a type become, "" if there is none.
func (t *Translation) TypeOf(from string) string {
	if one := t.types[from]; one != nil {
		return one.to.Name
	}
	return ""
}

// Object returns the attributes of an object of the one version, as an item of its design has them, as those of the
// other one. Keys, which follow from them, are left out. Attributes that neither version declares are kept. It reports
// whether the other version stores objects of the type.
func (t *Translation) Object(it item.Item) (item.Item, bool) {
	one := t.types[it.Type()]
	if one == nil {
		return nil, false
	}
	out := item.Item{{Name: item.EntityType, Value: item.StringValue(one.to.Name)}}
	for i := range one.to.Attributes {
		a := &one.to.Attributes[i]
		v, has := it.Get(one.source(i))
		switch {
		case has:
			v = t.names.value(one.values[a.Name], v)
		case one.missing != nil && one.missing[i].Kind != item.Null:
			v = one.missing[i]
		default:
			continue
		}
		out = append(out, item.Attribute{Name: a.Name, Value: v})
	}
	for _, a := range it {
		if !t.isDeclared(one, a.Name) {
			out = append(out, a)
		}
	}
	return out, true
}

// source returns the name of the i-th attribute of to in an item of from. A gateway with a later schema may have stored
// one that from does not have.
func (one *typeTranslation) source(i int) string {
	if name := one.to.Attributes[i].Name; one.sources[i] == "" && one.from.Attribute(name) == nil {
		return name
	}
	return one.sources[i]
}

// Attribute returns the name that an attribute of a type has in the other version, "" if it has none there.
func (t *Translation) Attribute(from, name string) string {
	one := t.types[from]
	if one == nil {
		return ""
	}
	for i := range one.to.Attributes {
		if one.source(i) == name {
			return one.to.Attributes[i].Name
		}
	}
	return ""
}

// isDeclared reports whether an attribute of an item has a meaning in either version.
func (t *Translation) isDeclared(one *typeTranslation, name string) bool {
	return name == item.EntityType || t.from.IsKeyAttribute(name) || t.to.IsKeyAttribute(name) ||
		one.from.Attribute(name) != nil || one.to.Attribute(name) != nil
}

// Named returns an item of a type of the latter version whose values of enums have the names that those have there,
// whichever they have had.
func (t *Translation) Named(typeName string, it item.Item) item.Item {
	for _, one := range t.types {
		if one.to.Name != typeName || len(t.names.of) == 0 {
			continue
		}
		it = slices.Clone(it)
		for i := range it {
			it[i].Value = t.names.value(one.values[it[i].Name], it[i].Value)
		}
	}
	return it
}
