package follow

import (
	"context"

	"github.com/partita/partita/internal/migrate"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/table"
	"github.com/partita/partita/write"
)

// New returns the Follower of a state.
func New(state migrate.State, from, to migrate.Version) *Follower {
	types := differing(from, to, state.Reads())
	from, to = migrate.Recognising(from, to)
	names := migrate.NewNames(from, to)
	f := &Follower{Read: from.Design, Other: to.Design, Translation: names.Forward(), Back: names.Back(),
		isMoved: migrate.GetsTenants(from, to), tenant: to.Prefix()}
	if state.Reads() == migrate.To {
		f.Read, f.Other, f.Translation, f.Back = to.Design, from.Design, f.Back, f.Translation
		f.tenant = from.Prefix()
	}
	other := state.Reads().Other()
	f.Level, f.OtherWins = state.Writes(other), state.InPlace() == other
	f.types = types
	return f
}

// Follow implements table.Follower.
func (f *Follower) Follow(ctx context.Context, in table.Following) ([]table.Followed, error) {
	s := &session{Follower: f, Following: in, places: map[keys.Key]*place{}, owned: map[keys.Key]names{}}
	s.read, s.other = in.Own.Of(f.Read), in.Own.Of(f.Other)
	if f.isMoved {
		s.other = s.other.OfTenant(f.tenant)
	}
	s.hide()
	var candidates []*place
	for i := range s.changed {
		if a := &s.changed[i]; f.Level != migrate.None && a.Kind != write.ActionCheck && s.isBase(a.Key) {
			candidates = append(candidates, s.at(a.Key))
		}
	}
	loose := s.loose()
	if len(candidates)+len(loose) == 0 {
		return s.result()
	}
	for _, p := range candidates { // Most of what a creation needs follows from it.
		if a := s.changed[p.action]; a.Kind == write.ActionPut {
			p.after, _ = s.Own.Apply(a, nil)
			if o := s.object(p); o != nil {
				o.visit()
			}
		}
	}
	var objects []*object
	for _, step := range []func(){
		func() {
			for _, p := range candidates {
				if o := s.object(p); o != nil {
					objects = append(objects, o)
				}
			}
			for _, o := range objects {
				o.visit()
			}
		},
		func() {
			for _, o := range objects {
				o.prepare()
			}
		},
		func() {},
	} {
		if err := s.load(ctx); err != nil {
			return nil, err
		}
		step()
	}
	for _, o := range objects {
		if s.derivation == nil || o.derive() {
			o.follow()
		}
	}
	for _, p := range loose {
		s.move(p)
	}
	return s.result()
}
