package design

import (
	"slices"
	"strings"
	"time"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
)

// Bind returns the field with the values of its variables: values returns the value of an argument
// or of a parent's attribute.
func (f *Field) Bind(values func(name string) keys.Value) BoundField {
	return BoundField{Field: f, values: f.withParts(values)}
}

// At returns the bound field at a time: that of the operation. A range over time buckets without an upper end ends with
// the bucket of that time. Without At, such a range is an error.
func (b BoundField) At(now time.Time) BoundField {
	b.now = now
	return b
}

// BindNode returns one of Relay's root fields, node or nodes, or the field of entities with a global ID.
func (d *Design) BindNode(f *Field, id keys.ID) BoundField {
	return BoundField{Field: f, design: d, id: id}
}

// Condition returns the key condition. The error is an InputError about a value. The condition is
// then empty but has its owner, because whether the viewer may see the error depends on that.
func (b BoundField) Condition() (Condition, error) {
	if b.Field.Kind.IsByID() {
		return b.node()
	}
	f, c := b.Field, Condition{Field: b.Field}
	if f.ruled {
		c.fillOwners(b.values)
	}
	for _, variable := range f.needed {
		if !b.values(variable).IsSet() {
			return c, nil
		}
	}
	c.fillExpected(b.values)
	err := f.checkIDs(b.values)
	switch {
	case err != nil:
	case f.Kind == Get:
		err = c.fillKey(b.values)
	default:
		if err = c.fillPartitions(b.values, b.now); err == nil {
			err = c.fillRange(b.values)
		}
		if err == nil {
			err = c.fillFilters(b.values)
		}
	}
	if err != nil {
		c.Partitions = nil
	}
	return c, err
}

// fillKey sets KeyOnly and Key, the latter only without an error.
func (c *Condition) fillKey(values func(string) keys.Value) error {
	f := c.Field
	pk, err := f.PK.Build(values)
	if err != nil {
		return err
	}
	if err := keys.PK(pk).Check(); err != nil {
		return err
	}
	if !f.hasSeveralTypes() {
		c.KeyOnly = f.known(values)
	}
	sk, err := f.SK.BuildSK(keys.PK(pk), values)
	if err != nil {
		return err
	}
	if err := sk.Check(); err != nil {
		return err
	}
	m := &f.matches[0]
	c.Key, err = m.Type.inShard(f.PK, keys.Key{PK: keys.PK(pk), SK: sk}, m.Shards, func(name string) keys.Value {
		return m.value(name, values)
	})
	return err
}

// fromElsewhere returns the variables that must be set and come from the parent or from the viewer, not from an
// argument. If one is not, the field selects nothing.
func (f *Field) fromElsewhere() (variables []string) {
	for _, t := range [...]keys.Template{f.PK, f.SK} {
		for _, s := range t.Segments() {
			if s.Variable != "" && !s.Optional && f.Argument(s.Variable) == nil && !slices.Contains(variables, s.Variable) {
				variables = append(variables, s.Variable)
			}
		}
	}
	return variables
}

// checkIDs returns an InputError for the global ID of another type.
func (f *Field) checkIDs(values func(string) keys.Value) error {
	for _, a := range f.Arguments {
		if a.Kind != keys.IDKind {
			continue
		}
		v := values(a.Name)
		err, typ := v.Err(), v.IDType()
		if err != nil && typ == "" {
			return keys.NamedError(a.Name, err)
		}
		switch {
		case !v.IsSet() || err == nil && typ == a.Ref:
		case a.Ref == "":
			return keys.InputErrorf(a.Name, "%s must be an id of this table's own, not the global id of an object", a.Name)
		case typ == "" || typ == a.Ref:
			return keys.InputErrorf(a.Name,
				"%s is not an id of this API; pass an id of type %s exactly as a response gave it", a.Name, a.Ref)
		default:
			return keys.InputErrorf(a.Name, "%s is the id of another type; pass an id of type %s", a.Name, a.Ref)
		}
	}
	return nil
}

// known returns the key-only attributes of the field's type.
func (f *Field) known(values func(string) keys.Value) item.Item {
	t := f.matches[0].Type
	it := make(item.Item, 0, len(f.keyOnly)+1)
	it = append(it, item.Attribute{Name: item.EntityType, Value: item.StringValue(t.Name)})
	for i := range f.keyOnly {
		a := &f.keyOnly[i]
		text := a.text
		if a.source != "" {
			text = values(a.source).Text()
		}
		it = append(it, t.known(a.name, text))
	}
	return it
}

// keyOnlyAttribute is an attribute that follows from a key: from the variable of a field's templates that is its
// source, or without one its text.
type keyOnlyAttribute struct{ name, source, text string }

// keyOnlyOf returns the key-only attributes of what a field matches, by their names.
func keyOnlyOf(m *Match) []keyOnlyAttribute {
	var all []keyOnlyAttribute
	for name, source := range m.Variables {
		if m.Shape.Has(name) {
			all = append(all, keyOnlyAttribute{name: name, source: source})
		}
	}
	for name, text := range m.Constants {
		if m.Shape.Has(name) {
			all = append(all, keyOnlyAttribute{name: name, text: text})
		}
	}
	slices.SortFunc(all, func(a, b keyOnlyAttribute) int { return strings.Compare(a.name, b.name) })
	return all
}

const invalidID = "this is not an id of this API; pass an id exactly as a response gave it"

// node returns the Get of the object that a global ID names. The error is an InputError for an ID of a type that is not
// stored or that the field does not return, and for values that no key can have. A response has such an ID if the value
// of another program's item contains the delimiter.
func (b BoundField) node() (Condition, error) {
	c := Condition{Field: b.Field}
	if err := b.design.IDNotReady(b.id.Type()); err != nil {
		return c, err
	}
	var room [1]string
	t, values := b.design.types[b.id.Type()], b.id.AppendValues(room[:0])
	if t == nil || !b.Field.returns(t) || len(values) != len(t.Identity) {
		return c, keys.InputErrorf("id", invalidID)
	}
	key, err := t.BaseKey(func(name string) keys.Value {
		if i := slices.Index(t.Identity, name); i >= 0 {
			v := keys.StringValue(values[i])
			if b.design.Translates() && t.Item.EndsWith(name) {
				v = v.Stored()
			}
			return v
		}
		return keys.Value{}
	})
	if delimiter := t.Item.PK.Delimiter(); err != nil && slices.ContainsFunc(values, func(value string) bool {
		return strings.Contains(value, delimiter)
	}) {
		return c, keys.InputErrorf("id",
			"no object can be read by this id: a value in it contains '%s', which joins the parts of keys", delimiter)
	}
	if err != nil {
		return c, keys.InputErrorf("id", invalidID)
	}
	c.Key = key
	c.KeyOnly = make(item.Item, 0, 1+len(t.Identity))
	c.KeyOnly = append(c.KeyOnly, item.Attribute{Name: item.EntityType, Value: item.StringValue(t.Name)})
	c.mixed = t.mixed
	for i, name := range t.Identity {
		if t.Item.Has(name) {
			c.KeyOnly = append(c.KeyOnly, t.known(name, values[i]))
		} else {
			c.expected = append(c.expected, expected{of: t, name: name, text: values[i]})
		}
	}
	return c, nil
}
