package run

import (
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

// by returns the table by a design.
func (p pair) by(d *design.Design) *table.Table {
	s := table.SchemaOf(d)
	s.Tenants = p.table.Schema().Tenants
	return p.table.WithSchema(s)
}

// raw returns the table with items as they are stored.
func (p pair) raw() *table.Table { return p.by(&design.Design{Layout: p.from.Layout}) }

// reads returns the table by the side that is read, whose transactions write the other one as the state wants. Where
// that is From, which other programs may write alone, they make the other form what follows from it.
func (p pair) reads(state migrate.State) *table.Table {
	if state.Reads() == migrate.From {
		return p.deriver(state, follow.Derivation{})
	}
	return p.by(p.to.Design).WithFollower(follow.New(state, p.from, p.to).Proving())
}

// deriver returns the table by From, whose transactions make the other form what follows from that one, as far as the
// state writes it.
func (p pair) deriver(state migrate.State, d follow.Derivation) *table.Table {
	return p.by(p.from.Design).WithFollower(follow.New(min(state, migrate.Filling), p.from, p.to).Deriving(d))
}

// side is one side of the migration with what its objects become by the other one.
type side struct {
	migrate.Side
	design        *design.Design
	other         migrate.Version
	forward, back *migrate.Translation
}

func (p pair) side(s migrate.Side) side {
	names := migrate.NewNames(p.from, p.to)
	if s == migrate.From {
		return side{s, p.from.Design, p.to, names.Forward(), names.Back()}
	}
	return side{s, p.to.Design, p.from, names.Back(), names.Forward()}
}

// fromStored returns a stored item as the side has it.
func (s side) fromStored(stored item.Item) item.Item {
	return follow.FromStored(s.design, s.other.Design, s.back, stored)
}

// isBase reports whether a stored item is the base item of an object.
func (s side) isBase(stored item.Item) bool {
	it := s.design.FromStored(stored)
	t := s.design.Type(it.Type())
	return t != nil && t.IsBase(keys.KeyOf(it))
}
