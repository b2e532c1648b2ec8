package follow

import (
	"github.com/partita/partita/internal/migrate"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/write"
)

// Workload returns what a mutation reads and writes at worst, from what it does without the other side: the items of
// the other side count as if none was an item of the caller's as well. A mutation of more than write.MaxActions writes
// may fail until the migration has finished.
func (f *Follower) Workload(m *design.Mutation, w write.Workload) write.Workload {
	t := f.typeOf(m.Type)
	if t == nil || f.Level == migrate.None || len(w.Writes) == 0 {
		return w
	}
	other := &design.Mutation{Name: m.Name, Kind: m.Kind, Type: t.Name, HasID: true}
	for _, a := range t.Attributes {
		other.Inputs = append(other.Inputs, a.Name)
	}
	return w.FollowedBy(write.WorkloadOf(f.Other, other, nil))
}

// typeOf returns the type in the other design of the objects that the caller calls by a name, which is that of either
// side; nil if nothing follows them.
func (f *Follower) typeOf(name string) *design.Type {
	for _, t := range f.Read.Types {
		if other := f.Translation.TypeOf(t.Name); (t.Name == name || other == name) && f.follows(t) {
			return f.Other.Type(other)
		}
	}
	return nil
}
