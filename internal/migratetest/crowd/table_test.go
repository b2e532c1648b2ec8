package crowd

import (
	"bufio"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/migratetest"
	"github.com/partita/partita/internal/table/admin"
	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/keys/stored"
	"github.com/partita/partita/table"
	"github.com/partita/partita/table/check"
	"github.com/partita/partita/write"
)

// load puts the data of an example, if it has any, and takes over their objects.
func (w *world) load(t *testing.T, e *tabletest.Engine, c change) {
	t.Helper()
	data, err := os.ReadFile("../../../examples/" + c.example + "/data.jsonl")
	if os.IsNotExist(err) {
		return
	}
	fatal.If(t, err)
	e.LoadLines(t, bufio.NewReader(strings.NewReader(string(data))))
	d := w.sides[0].Design
	for key, it := range w.scan(t, e, 0) {
		if of := d.Type(it.Type()); of != nil && of.IsBase(key) {
			w.objects = append(w.objects, w.objectOf(0, of, it))
		}
	}
}

// objectOf returns the object of a base item.
func (w *world) objectOf(side int, t *design.Type, it item.Item) *object {
	form := item.Item{{Name: item.EntityType, Value: item.StringValue(t.Name)}}
	values := make([]string, len(t.Identity))
	for _, a := range t.Attributes {
		if v, has := it.Get(a.Name); has {
			form = append(form, item.Attribute{Name: a.Name, Value: v})
		}
	}
	for i, name := range t.Identity {
		v, _ := it.Get(name)
		values[i] = v.Text
	}
	o := &object{id: keys.NewID(t.Name, values...).Encode()}
	w.set(o, side, form)
	return o
}

// scan returns all items as a side has them, without those of the record.
func (w *world) scan(t *testing.T, e *tabletest.Engine, side int) map[keys.Key]item.Item {
	t.Helper()
	d := w.sides[side].Design
	all := map[keys.Key]item.Item{}
	for key, it := range migratetest.Scan(t, e.Table.WithSchema(table.SchemaOf(d))) {
		if !strings.HasPrefix(string(key.PK), strings.Split(stored.LeasePK, "#")[0]) {
			of, one := w.sides[side].Prefix(), []item.Item{it}
			table.SchemaOf(d).FromTenant(of, one)
			all[keys.Key{PK: of.Cut(key.PK), SK: key.SK}] = d.FromStored(one[0])
		}
	}
	return all
}

// wanted returns what a table has that was created with the design of a side and was given the objects, as it is
// stored.
func (w *world) wanted(t *testing.T, side int, objects []*object) map[keys.Key]item.Item {
	t.Helper()
	d := w.sides[side].Design
	counts := map[keys.Key]map[string]int{}
	for _, o := range objects {
		for _, c := range d.CountersOf(w.typeOf(side, o)) {
			key, err := write.ParentKey(d, c, o.forms[side])
			fatal.If(t, err)
			if counts[key] == nil {
				counts[key] = map[string]int{}
			}
			counts[key][c.Attribute]++
		}
	}
	all := map[keys.Key]item.Item{}
	for _, o := range objects {
		of, form := w.typeOf(side, o), o.forms[side]
		key, err := of.BaseKey(func(name string) keys.Value { return keys.AttributeValue(form, name) })
		fatal.If(t, err)
		for _, c := range d.CountersIn(of) {
			form = with(form, c.Attribute, item.NumberValue(counts[key][c.Attribute]))
		}
		items, err := write.ItemsOf(d, of, form)
		if err != nil {
			t.Fatal(form, err)
		}
		for _, u := range of.Uniques {
			claim, err := write.UniqueClaim(of, u, form)
			fatal.If(t, err)
			if claim != nil {
				items = append(items, claim)
			}
		}
		for _, it := range items {
			all[keys.KeyOf(it)] = d.ToStored(it).WithoutNulls()
		}
	}
	return all
}

// check compares the table with what it must have by a side, byte by byte.
func (w *world) check(t *testing.T, e *tabletest.Engine, side int, objects []*object) {
	t.Helper()
	d := w.sides[side].Design
	want := w.wanted(t, side, objects)
	got := w.scan(t, e, side)
	left := maps.Clone(got)
	for key, it := range want {
		have := d.ToStored(got[key])
		delete(left, key)
		if have == nil {
			t.Errorf("side %d: %v is missing: %s", side, key, migratetest.Describe(it))
			continue
		}
		for _, name := range namesOf(have, it) {
			a, hasA := have.Find(name)
			b, hasB := it.Find(name)
			typ := d.Type(got[key].Type())
			if typ != nil && w.isComputed(side, typ, name) && name == typ.Version {
				continue
			}
			if isOther := w.sides[1-side].Design.Type(w.translate[side].TypeOf(got[key].Type())); typ != nil && isOther != nil &&
				typ.Attribute(name) == nil && isOther.Attribute(name) != nil && !d.IsKeyAttribute(name) {
				continue // Gateways with the other schema write attributes of their own.
			}
			if hasA != hasB || !a.Equal(b) {
				t.Errorf("side %d: %v has %s=%v, want %v: %s", side, key, name, a, b, migratetest.Describe(have))
			}
		}
	}
	for key, it := range left {
		if it.Type() != "IdempotencyClaim" { // it expires
			t.Errorf("side %d: %v is left: %s", side, key, migratetest.Describe(it))
		}
	}
}

// tableCheck is `table check`. Objects of the other program name some that do not exist.
func (w *world) tableCheck(t *testing.T, e *tabletest.Engine, side int) {
	t.Helper()
	d := w.sides[side].Design
	schema := table.SchemaOf(d)
	schema.Tenants = w.sides[side].Prefix() != ""
	_, err := check.Table(t.Context(), admin.Scanner{Table: e.Table.WithSchema(schema)}, check.Options{
		Design: d,
		Found: func(v check.Violation) {
			if v.Kind != check.ReferenceBroken {
				t.Errorf("side %d: table check: %+v", side, v)
			}
		},
	})
	if err != nil {
		t.Error(err)
	}
}

func namesOf(items ...item.Item) []string {
	var names []string
	for _, it := range items {
		for _, a := range it {
			names = append(names, a.Name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}
