package run

import (
	"slices"

	"github.com/partita/partita/internal/migrate"
	"github.com/partita/partita/internal/migrate/follow"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/table"
)

// pair is a table with the two versions between which it goes.
type pair struct {
	table    *table.Table
	from, to migrate.Version
}

// by returns the table by a version.
func (p pair) by(v migrate.Version) *table.Table { return p.with(v.Design, v.Prefix()) }

// with returns the table by a design, with what precedes its keys. Whether it has tenants is what the record says, and
// only without that what the settings of the process say.
func (p pair) with(d *design.Design, prefix keys.Tenant) *table.Table {
	s := table.SchemaOf(d)
	switch {
	case p.isMoved() || p.from.Tenancy.Kind == migrate.WithoutTenants:
		s.Owner = &table.Owner{Prefix: prefix}
	default:
		s.Tenants = p.table.Schema().Tenants || p.from.Tenancy.Kind == migrate.WithTenants
	}
	return p.table.WithSchema(s)
}

// isMoved reports whether the table gets tenants.
func (p pair) isMoved() bool { return migrate.GetsTenants(p.from, p.to) }

// raw returns the table with items as they are stored.
func (p pair) raw() *table.Table { return p.with(&design.Design{Layout: p.from.Layout}, "") }

// reads returns the table by the side that is read, whose transactions write the other one as the state wants. Where
// that is From, which other programs may write alone, they make the other form what follows from it.
func (p pair) reads(state migrate.State) *table.Table {
	if state.Reads() == migrate.From {
		return p.deriver(state, follow.Derivation{})
	}
	return p.by(p.to).WithFollower(follow.New(state, p.from, p.to).Proving())
}

// deriver returns the table by From, whose transactions make the other form what follows from that one, as far as the
// state writes it.
func (p pair) deriver(state migrate.State, d follow.Derivation) *table.Table {
	return p.by(p.from).WithFollower(follow.New(min(state, migrate.Filling), p.from, p.to).Deriving(d))
}

// side is one side of the migration with what its objects become by the other one.
type side struct {
	migrate.Side
	design        *design.Design
	other         migrate.Version
	forward, back *migrate.Translation
	// tenant precedes its keys, and otherTenant those of the other side.
	tenant, otherTenant keys.Tenant
}

func (p pair) side(s migrate.Side) side {
	names := migrate.NewNames(p.from, p.to)
	if s == migrate.From {
		return side{s, p.from.Design, p.to, names.Forward(), names.Back(), p.from.Prefix(), p.to.Prefix()}
	}
	return side{s, p.to.Design, p.from, names.Back(), names.Forward(), p.to.Prefix(), p.from.Prefix()}
}

// fromStored returns a stored item as the side has it.
func (s side) fromStored(stored item.Item) item.Item {
	return follow.FromStored(s.design, s.other.Design, s.back, s.own(stored))
}

// own returns a stored item without the tenant of the side.
func (s side) own(stored item.Item) item.Item {
	if s.tenant == "" || stored == nil {
		return stored
	}
	one := []item.Item{slices.Clone(stored)}
	table.SchemaOf(s.design).FromTenant(s.tenant, one)
	return one[0]
}

// item returns a stored item as the design of the side alone has it.
func (s side) item(stored item.Item) item.Item {
	return s.design.FromStored(slices.Clone(s.own(stored)))
}

// isLoose reports whether an item of the side, with that key, belongs to no object and gets the tenant all the same.
func (s side) isLoose(key keys.Key) bool {
	isOther := s.otherTenant != "" && !keys.IsOfOtherTenant(s.otherTenant.Cut(key.PK))
	return s.tenant != s.otherTenant && !isOther && follow.IsLoose(s.design, key)
}

// isBase reports whether a stored item is the base item of an object.
func (s side) isBase(stored item.Item) bool {
	it := s.item(stored)
	t := s.design.Type(it.Type())
	return t != nil && t.IsBase(keys.KeyOf(it))
}
