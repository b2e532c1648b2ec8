package run

import (
	"github.com/partita/partita/internal/migrate"
	"github.com/partita/partita/internal/migrate/follow"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/table"
)

// side is one side of the migration with what its objects become by the other one.
type side struct {
	migrate.Side
	design, other *design.Design
	forward, back *migrate.Translation
}

func (m *Migrator) side(s migrate.Side) side {
	names := migrate.NewNames(m.from, m.to)
	if s == migrate.From {
		return side{s, m.from.Design, m.to.Design, names.Forward(), names.Back()}
	}
	return side{s, m.to.Design, m.from.Design, names.Back(), names.Forward()}
}

// fromStored returns a stored item as the side has it.
func (s side) fromStored(stored item.Item) item.Item {
	return follow.FromStored(s.design, s.other, s.back, stored)
}

// isBase reports whether a stored item is the base item of an object.
func (s side) isBase(stored item.Item) bool {
	it := s.design.FromStored(stored)
	t := s.design.Type(it.Type())
	return t != nil && t.IsBase(keys.KeyOf(it))
}

// reads returns the table by the side that is read, whose transactions write the other one as the state wants. Where
// that is From, which other programs may write alone, they make the other form what follows from it.
func (m *Migrator) reads() *table.Table {
	if m.record.State.Reads() == migrate.From {
		return m.deriver(follow.Derivation{})
	}
	return m.by(m.to.Design).WithFollower(follow.New(m.record.State, m.from, m.to))
}

// deriver returns the table by From, whose transactions make the other form what follows from that one, as far as the
// state writes it.
func (m *Migrator) deriver(d follow.Derivation) *table.Table {
	state := min(m.record.State, migrate.Filling)
	return m.by(m.from.Design).WithFollower(follow.New(state, m.from, m.to).Deriving(d))
}

// by returns the table by a design.
func (m *Migrator) by(d *design.Design) *table.Table {
	s := table.SchemaOf(d)
	s.Tenants = m.table.Schema().Tenants
	return m.table.WithSchema(s)
}

// raw returns the table with items as they are stored.
func (m *Migrator) raw() *table.Table { return m.by(&design.Design{Layout: m.from.Layout}) }
