package follow

import (
	"slices"

	"github.com/partita/partita/internal/migrate"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/write"
)

// Workload implements table.Follower. Whether an object has its other form already is not known: what would create it
// counts as well.
func (f *Follower) Workload(m *design.Mutation, in *write.Input, own write.Workload) write.Workload {
	if f.Level == migrate.None || len(own.Writes) == 0 {
		return own
	}
	p := f.pairOf(m.Type)
	c := write.Companion{Requests: mostLoads, IsRead: f.isRead}
	c.Shares = func(own, other write.ItemWrite) (int, bool) { return f.shares(p, own, other) }
	if p != nil {
		c.Writes, c.Reads = p.writes(m, in)
	}
	parents := map[string]int{}
	for _, w := range own.Writes {
		if w.Part == write.CounterPart {
			parents[w.Type]++
			f.addParent(&c, w, parents[w.Type])
		}
	}
	if len(c.Writes) == 0 && !slices.ContainsFunc(own.Writes, f.isRead) {
		return own
	}
	return own.With(c)
}

// mostLoads is how many times items are read for one transaction at most: see Follow.
const mostLoads = 3

// pair is a type in both designs.
type pair struct {
	*Follower
	read, other *design.Type
}

// pairOf returns the types that the caller calls by a name, which is that of either side; nil if nothing follows them.
func (f *Follower) pairOf(name string) *pair {
	for _, t := range f.Read.Types {
		if other := f.Translation.TypeOf(t.Name); (t.Name == name || other == name) && f.follows(t) {
			return &pair{f, t, f.Other.Type(other)}
		}
	}
	return nil
}

// isRead reports whether Follow reads an item of the caller: one whose changes the other form follows.
func (f *Follower) isRead(own write.ItemWrite) bool {
	isObject := own.Part == write.ObjectPart || own.Part == write.CounterPart || own.Part == write.BelowPart
	isFollowed := isObject && f.pairOf(own.Type) != nil
	return isFollowed || f.isMoved && own.Part == write.OncePart
}

// name returns what an attribute that the caller calls by a name is in the other design.
func (p *pair) name(own string) string {
	if name := p.Translation.Attribute(p.read.Name, own); name != "" {
		return name
	}
	return own
}

func (p *pair) namesOf(own []string) []string {
	var names []string
	for _, name := range own {
		names = append(names, p.name(name))
	}
	return names
}

// writes returns the items of the other form that a mutation writes, and those that are only read for it.
func (p *pair) writes(m *design.Mutation, in *write.Input) (written, read []write.ItemWrite) {
	of := func(kind design.MutationKind) []write.ItemWrite {
		all := write.WorkloadOf(p.Other, p.mutation(kind, m), p.input(kind, in)).Writes
		return slices.DeleteFunc(all, p.isOwn)
	}
	created, deleted := of(design.CreateMutation), of(design.DeleteMutation)
	switch m.Kind {
	case design.CreateMutation:
		return created, nil
	case design.DeleteMutation:
		return deleted, nil
	}
	other := p.input(m.Kind, in)
	isMoved := slices.ContainsFunc(p.other.Identity, func(name string) bool { return p.sets(m, other, name) })
	if isMoved {
		return append(created, deleted...), nil
	}
	written = of(design.UpdateMutation)
	if len(written) == 0 { // The other form may be missing.
		written = only(created, write.ObjectPart, write.CopyPart)
	}
	for _, claim := range only(deleted, write.ClaimPart) {
		isSame := func(w write.ItemWrite) bool { return w.Part == claim.Part && w.Attribute == claim.Attribute }
		if !slices.ContainsFunc(written, isSame) {
			claim.Kind = write.ActionPut
			written = append(written, claim)
		}
	}
	if len(only(written, write.CounterPart)) == 0 {
		read = only(deleted, write.CounterPart)
	}
	return written, read
}

// isOwn reports whether a write is that of a counter which the caller changes: of the object that has it nothing
// differs.
func (p *pair) isOwn(w write.ItemWrite) bool {
	return w.Part == write.CounterPart && slices.ContainsFunc(p.Read.Types, func(t *design.Type) bool {
		return p.Translation.TypeOf(t.Name) == w.Type && !p.follows(t)
	})
}

// mutation returns a mutation of the other form.
func (p *pair) mutation(kind design.MutationKind, m *design.Mutation) *design.Mutation {
	other := &design.Mutation{
		Name: m.Name, Kind: kind, Type: p.other.Name, Now: p.namesOf(m.Now),
		HasID:             m.HasID && slices.Equal(p.namesOf(p.read.Identity), p.other.Identity),
		HasIdempotencyKey: m.HasIdempotencyKey && p.isMoved,
	}
	if m.Viewer != "" {
		other.Viewer = p.name(m.Viewer)
	}
	if kind == design.UpdateMutation {
		other.Inputs = slices.DeleteFunc(p.namesOf(m.Inputs), func(name string) bool {
			return slices.Contains(p.other.Identity, name)
		})
		return other
	}
	for _, a := range p.other.Attributes {
		other.Inputs = append(other.Inputs, a.Name)
	}
	return other
}

// input returns the input of a mutation of the other form; nil for any input. Only that of an update has just what it
// changes.
func (p *pair) input(kind design.MutationKind, in *write.Input) *write.Input {
	if in == nil {
		return nil
	}
	other := &write.Input{ID: in.ID, IdempotencyKey: in.IdempotencyKey, Remove: p.namesOf(in.Remove)}
	for _, a := range in.Set {
		other.Set = append(other.Set, item.Attribute{Name: p.name(a.Name), Value: a.Value})
	}
	if kind == design.CreateMutation {
		for _, a := range p.other.Attributes {
			if _, given := other.Set.Get(a.Name); !given && a.Default.Kind != item.Null {
				other.Set = append(other.Set, item.Attribute{Name: a.Name, Value: a.Default})
			}
		}
	}
	return other
}

// sets reports whether an update changes an attribute of the other form.
func (p *pair) sets(m *design.Mutation, in *write.Input, name string) bool {
	isOf := func(own string) bool { return p.name(own) == name }
	if slices.ContainsFunc(p.read.Identity, isOf) {
		return false
	}
	if in == nil {
		return slices.ContainsFunc(m.Inputs, isOf) || slices.ContainsFunc(m.Now, isOf)
	}
	_, given := in.Set.Get(name)
	return given || slices.Contains(in.Remove, name) || slices.ContainsFunc(m.Now, isOf)
}

// only returns the writes of some parts.
func only(all []write.ItemWrite, parts ...write.ItemPart) []write.ItemWrite {
	var some []write.ItemWrite
	for _, w := range all {
		if slices.Contains(parts, w.Part) {
			some = append(some, w)
		}
	}
	return some
}

// addParent adds what is read of the other form of an object whose counter the caller changes, and the change of that
// form. n counts the counters of such objects.
func (f *Follower) addParent(c *write.Companion, own write.ItemWrite, n int) {
	p := f.pairOf(own.Type)
	if p == nil {
		return
	}
	counted := 0
	for _, w := range only(c.Writes, write.CounterPart) {
		if w.Type == p.other.Name {
			counted++
		}
	}
	m := &design.Mutation{Kind: design.DeleteMutation, Type: p.other.Name, HasID: true}
	for _, w := range write.WorkloadOf(p.Other, m, nil).Writes {
		if w.Part != write.ObjectPart {
			c.Reads = append(c.Reads, w)
		} else if counted < n && !p.hasKey(own.Shape, w.Shape) {
			w.Part, w.Kind = write.CounterPart, write.ActionUpdate
			c.Writes = append(c.Writes, w)
		}
	}
}

// shares reports whether an item of the other form is one of the caller's, and how many bytes it adds to that. of is
// the type of the mutation, nil if nothing follows it.
func (f *Follower) shares(of *pair, own, other write.ItemWrite) (more int, shares bool) {
	isCounter := own.Part == write.CounterPart
	switch {
	case isCounter != (other.Part == write.CounterPart), own.Part == write.OncePart:
		return 0, false
	case own.Part == write.ClaimPart:
		return 0, other.Part == own.Part && of.hasKey(own.Shape, other.Shape)
	}
	p := f.pairOf(own.Type)
	if p == nil || p.other.Name != other.Type || isCounter && p.name(own.Attribute) != other.Attribute ||
		!p.hasKey(own.Shape, other.Shape) {
		return 0, false
	}
	for name := range governed(f.Other, p.other, -1).without(governed(f.Read, p.read, -1)) {
		more += len(name) + p.mostBytes(name)
	}
	return more, true
}

// mostBytes returns the largest size of the value of a stored attribute that only the other design has.
func (p *pair) mostBytes(stored string) int {
	for i := range p.other.Attributes {
		a := &p.other.Attributes[i]
		switch {
		case a.StoredName() != stored:
		case a.Kind == keys.Int, a.Kind == keys.Int64, a.Kind == keys.Boolean, a.Kind == keys.Time, a.Kind == keys.Date:
			return len(item.TimeLayout)
		default:
			return p.other.MaxBytes
		}
	}
	return keys.MaxPKBytes
}

// hasKey reports whether the keys of two shapes, of the caller and of the other design, are the same for each object.
func (p *pair) hasKey(own, other keys.Shape) bool {
	if p == nil || p.isMoved {
		return false
	}
	own = keys.Shape{PK: own.PK.Renamed(p.name), SK: own.SK.Renamed(p.name)}
	if own.PK.String() != other.PK.String() || own.SK.String() != other.SK.String() || p.read.Shards != p.other.Shards {
		return false
	}
	for i := range p.other.Attributes {
		a := &p.other.Attributes[i]
		b := p.read.Attribute(p.Back.Attribute(p.other.Name, a.Name))
		if other.Has(a.Name) && b != nil && (a.As != b.As || a.Kind != b.Kind || !a.Places.Extends(b.Places)) {
			return false
		}
	}
	return true
}
