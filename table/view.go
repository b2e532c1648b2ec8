package table

import (
	"slices"
	"strings"
	"time"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/write"
)

// View is the table as one design and one tenant see it.
type View struct{ b border }

// Of returns the view of another design of the same table.
func (v View) Of(d *design.Design) View {
	s := SchemaOf(d)
	s.Tenants = v.b.schema.Tenants
	return View{border{s, v.b.tenant}}
}

// OfTenant returns the view of another tenant, or with the zero Tenant of none.
func (v View) OfTenant(tenant keys.Tenant) View { return View{border{v.b.schema, tenant}} }

// Moved returns a stored item of the view as that of another one, where nothing but the tenant differs.
func (v View) Moved(stored item.Item, to View) item.Item {
	names, out := to.b.schema.names(), slices.Clone(stored)
	for i := range out {
		if a := &out[i]; a.Value.Kind == item.String && names.isPartition(a.Name) {
			if own, is := strings.CutPrefix(a.Value.Text, string(v.b.tenant)); is {
				a.Value.Text = string(to.b.tenant.Add(keys.PK(own)))
			}
		}
	}
	return out
}

// Check returns an InputError if a partition key of an item of the design has too many bytes with the tenant.
func (v View) Check(it item.Item) error {
	return v.b.check(&write.Action{Key: keys.KeyOf(it), Item: it})
}

// Design returns the design of the view.
func (v View) Design() *design.Design { return v.b.schema.Design }

// Key returns a key of the design as it is stored.
func (v View) Key(k keys.Key) keys.Key {
	k.PK = v.b.tenant.Add(k.PK)
	return k
}

// KeyOf is the inverse of Key.
func (v View) KeyOf(stored keys.Key) keys.Key {
	stored.PK = v.b.tenant.Cut(stored.PK)
	return stored
}

// ToStored returns an item of the design as it is stored.
func (v View) ToStored(it item.Item) item.Item {
	return v.b.schema.ToTenant(v.b.tenant, v.b.schema.Design.ToStored(it))
}

// FromStored returns a stored item as the design has it.
func (v View) FromStored(stored item.Item) item.Item {
	if stored == nil {
		return nil
	}
	items := []item.Item{slices.Clone(stored)}
	v.b.schema.FromTenant(v.b.tenant, items)
	return v.b.schema.Design.FromStored(items[0])
}

// Apply returns what an action with the key of the table makes of a stored item, nil for none, without its increments,
// which have the names of the table. Conditions are not looked at.
func (v View) Apply(a write.Action, stored item.Item) (after item.Item, add []write.Increment) {
	switch a.Kind {
	case write.ActionPut:
		return v.ToStored(a.Item), nil
	case write.ActionDelete:
		return nil, nil
	case write.ActionCheck:
		return stored, nil
	}
	changes := v.b.expressions(a, time.Time{}).effect(a)
	after = slices.Clone(stored)
	if stored == nil {
		after = v.b.schema.Layout().StoredKey(a.Key)
	}
	for _, name := range changes.remove {
		after = slices.DeleteFunc(after, func(a item.Attribute) bool { return a.Name == name })
	}
	for _, s := range changes.set {
		after = With(after, s.Name, s.Value)
	}
	return after, changes.add
}

// With returns an item with an attribute set, in place.
func With(it item.Item, name string, v item.Value) item.Item {
	for i := range it {
		if it[i].Name == name {
			it[i].Value = v
			return it
		}
	}
	return append(it, item.Attribute{Name: name, Value: v})
}
