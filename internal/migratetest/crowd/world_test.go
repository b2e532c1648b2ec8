package crowd

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/migrate"
	"github.com/partita/partita/internal/migratetest"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// tenant is that of all callers. A table that gets tenants has no other one.
const tenant = "acme"

// world is a table with both designs of a change, and all objects that it should have.
type world struct {
	sides     [2]migrate.Version
	translate [2]*migrate.Translation // from a side to the other one
	names     migrate.Names

	// objects are those of data.jsonl and of the other program; each writer has its own.
	objects []*object
}

// object is an object in a ledger, as each side has it.
type object struct {
	forms [2]item.Item
	// id is the global id by the first side.
	id string
}

func newWorld(t *testing.T, c change) *world {
	t.Helper()
	sdl := c.schemas(t)
	w := &world{sides: [2]migrate.Version{migratetest.Version(t, sdl[0]), migratetest.Version(t, sdl[1])}}
	if c.edits == nil {
		w.sides[0] = w.sides[0].With(migrate.Tenancy{Kind: migrate.WithoutTenants})
		w.sides[1] = w.sides[1].With(migrate.Tenancy{Kind: migrate.OfFirst, First: tenant})
	}
	w.names = migrate.NewNames(w.sides[0], w.sides[1])
	w.translate = [2]*migrate.Translation{w.names.Forward(), w.names.Back()}
	return w
}

// typeOf returns the type of an object by a side.
func (w *world) typeOf(side int, o *object) *design.Type {
	return w.sides[side].Type(o.forms[side].Type())
}

// idOf returns the global id by a side.
func (w *world) idOf(side int, o *object) string {
	id, err := keys.ParseID(o.id)
	if err != nil {
		panic(err)
	}
	return keys.NewID(w.typeOf(side, o).Name, id.Values()...).Encode()
}

// set takes over what a side has of an object. What only the other side has remains.
func (w *world) set(o *object, side int, form item.Item) {
	other, _ := w.translate[side].Object(form)
	for _, a := range o.forms[1-side] {
		if w.translate[1-side].Attribute(o.forms[1-side].Type(), a.Name) == "" && a.Name != item.EntityType {
			other = with(other, a.Name, a.Value)
		}
	}
	o.forms[side], o.forms[1-side] = form, other
}

func with(it item.Item, name string, v item.Value) item.Item {
	out := slices.DeleteFunc(slices.Clone(it), func(a item.Attribute) bool { return a.Name == name })
	if v.Kind == item.Null {
		return out
	}
	return append(out, item.Attribute{Name: name, Value: v})
}

// isUnique reports whether no two objects may have the same value of an attribute, by either side.
func (w *world) isUnique(side int, t *design.Type, name string) bool {
	of := func(t *design.Type, name string) bool {
		return t != nil && slices.ContainsFunc(t.Uniques, func(u design.Unique) bool { return u.Attribute == name })
	}
	other := w.sides[1-side].Type(w.translate[side].TypeOf(t.Name))
	return of(t, name) || of(other, w.translate[side].Attribute(t.Name, name))
}

// value is a value for an input, and as it is stored.
type value struct {
	json   any
	stored item.Value
}

// parents returns the values that objects of a writer have where the attribute of a type leads to them.
func (w *writer) parents(side int, t *design.Type, name string) (values []value, leads bool) {
	d := w.sides[side].Design
	for _, f := range d.Fields {
		parent := d.Type(f.Parent)
		for _, m := range f.Matches() {
			source := m.Variables[name]
			if f.Kind != design.Query || parent == nil || parent == t || m.Type.Name != t.Name ||
				parent.Attribute(source) == nil {
				continue
			}
			leads = true
			for _, o := range w.own {
				if v, has := o.forms[side].Get(source); has && o.forms[side].Type() == parent.Name {
					values = append(values, w.valueOf(t.Attribute(name), v))
				}
			}
		}
	}
	return values, leads
}

// valueOf returns a stored value as an input has it.
func (w *writer) valueOf(a *design.Attribute, v item.Value) value {
	if a.Kind == keys.IDKind && a.Ref != "" {
		return value{keys.NewID(a.Ref, v.Text).Encode(), v}
	}
	return value{v.Text, v}
}

// value draws a value of an attribute; false if the writer has no object that it has to name.
func (w *writer) value(side int, t *design.Type, a *design.Attribute, def *ast.Definition) (value, bool) {
	isKey := slices.Contains(t.Identity, a.Name)
	if a.Kind != keys.Int {
		if values, leads := w.parents(side, t, a.Name); leads {
			if len(values) == 0 {
				return value{}, false
			}
			return values[w.random.IntN(len(values))], true
		}
	}
	if a.Kind == keys.IDKind && a.Ref != "" {
		for _, o := range w.own {
			if o.forms[side].Type() == a.Ref && len(w.typeOf(side, o).Identity) == 1 {
				v, _ := o.forms[side].Get(w.typeOf(side, o).Identity[0])
				return w.valueOf(a, v), true
			}
		}
		return value{}, false
	}
	n := w.random.IntN(4)
	if isKey || w.isUnique(side, t, a.Name) {
		w.serial++
		n = w.serial
	}
	return draw(w.random, a, def, fmt.Sprintf("%s-%d", w.name, n), n%10000), true
}

func draw(random *rand.Rand, a *design.Attribute, def *ast.Definition, text string, n int) value {
	f := def.Fields.ForName(a.Name)
	if f.Type.Elem != nil {
		return value{[]string{text}, item.ListValue([]item.Value{item.StringValue(text)})}
	}
	if a.Object != "" { // an amount of money
		return value{map[string]any{"amount": n, "currency": "EUR"}, item.FieldsValue(item.Item{
			{Name: "amount", Value: item.NumberValue(n)}, {Name: "currency", Value: item.StringValue("EUR")},
		})}
	}
	switch a.Kind {
	case keys.Int, keys.Int64:
		return value{n, item.NumberValue(n)}
	case keys.Float:
		return value{float64(n), item.NumberValue(n)}
	case keys.Boolean:
		return value{n > 1, item.BoolValue(n > 1)}
	case keys.Time:
		at := fmt.Sprintf("2026-%02d-%02dT%02d:%02d:00", n%12+1, n/12%28+1, n/336%24, n/8064)
		return value{at + "Z", item.StringValue(at + ".000Z")}
	case keys.Date:
		at := fmt.Sprintf("2026-%02d-%02d", n%12+1, n/12%28+1)
		return value{at, item.StringValue(at)}
	}
	return value{text, item.StringValue(text)}
}
