package follow

import (
	"slices"

	"github.com/partita/partita/internal/migrate"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/write"
)

// IsLoose reports whether an item with a key of a side belongs to no object of its design: the claim of an idempotency
// key, or what Go code or another program has put there. When a table gets tenants, such an item gets one as it is.
func IsLoose(d *design.Design, key keys.Key) bool {
	isClaim := func(t *design.Type) bool {
		return slices.ContainsFunc(t.Uniques, func(u design.Unique) bool {
			return u.Shape().Holds(key) && (u.IsForeign() || u.NoSK || string(key.PK) == string(key.SK))
		})
	}
	return !keys.IsOfOtherTenant(key.PK) && d.TypeOf(key) == nil && !slices.ContainsFunc(d.Types, isClaim)
}

// loose returns the places of the actions on loose items, and names those of the other side.
func (s *session) loose() (places []*place) {
	if !s.isMoved || s.Level == migrate.None {
		return nil
	}
	for i := range s.changed {
		if a := &s.changed[i]; a.Kind != write.ActionCheck && s.isOfSide(a.Key) && IsLoose(s.Read, s.read.KeyOf(a.Key)) {
			places = append(places, s.at(a.Key))
			s.at(s.elsewhere(a.Key))
		}
	}
	return places
}

// isOfSide reports whether a stored key is not one of the other side.
func (s *session) isOfSide(stored keys.Key) bool {
	return s.tenant == "" || keys.IsOfOtherTenant(s.other.KeyOf(stored).PK)
}

// elsewhere returns the key that a stored item has with the tenant of the other side.
func (s *session) elsewhere(stored keys.Key) keys.Key { return s.other.Key(s.read.KeyOf(stored)) }

// move lets a loose item of the other side be what that of this one becomes.
func (s *session) move(from *place) {
	to := s.at(s.elsewhere(from.key))
	if to.image == nil && s.Level == migrate.Keep {
		return
	}
	from.requireUnchanged(names{}, names{})
	to.requireUnchanged(names{}, names{})
	if to.after = nil; from.after != nil {
		to.after = s.read.Moved(from.final(), s.other)
	}
}
