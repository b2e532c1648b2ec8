package checks

import (
	"fmt"
	"slices"

	"github.com/partita/partita/internal/gen/directives/reading"
	"github.com/partita/partita/keys/design"
)

// checkOnDelete finds collections that cannot be deleted with their parent.
func checkOnDelete(r *checker) {
	for _, rd := range r.Reads {
		if !rd.Cascades || len(rd.Matches) == 0 || r.ambiguous[rd] {
			continue
		}
		if what := undeletable(r, rd); what != "" {
			r.find(rd.Def.Position, rd.Coordinate(), "onDelete: "+what, "remove onDelete from @query")
		}
	}
}

// undeletable returns why the objects of a collection cannot be deleted with their parent, or "".
func undeletable(r *checker, rd *reading.Read) string {
	parent := rd.ParentType
	switch {
	case parent == nil || parent.Name != rd.Parent:
		return fmt.Sprintf("the collection has no parent that could be deleted: %s is no stored type", rd.Parent)
	case rd.Index != "":
		return fmt.Sprintf("index %s may lack what was written a moment ago, which would then be left", rd.Index)
	}
	for _, name := range rd.Variables() {
		argument, _ := rd.Source(name)
		switch {
		case argument != nil && (argument.Type.NonNull || rd.PK.Has(name)):
			return fmt.Sprintf("there is another collection for each %s", name)
		case argument == nil && !slices.Contains(parent.Identity, name):
			return fmt.Sprintf("the collection depends on %s, which a deleted %s does not have any more", name, parent.Name)
		}
	}
	c := &reading.Counter{Parent: parent, Read: rd}
	for _, m := range rd.Matches {
		identity := c.IdentityIn(m)
		if m.Type.Name == parent.Name && slices.Equal(identity, parent.Identity) {
			return fmt.Sprintf("the %s itself is in the collection", parent.Name)
		}
		if why := uncountable(c, m); why != "" {
			return why
		}
		if where := copiedCounter(r, m.Type); where != "" {
			return fmt.Sprintf("%s counts each %s, and a sweep would not change the copies of it", where, m.Type.Name)
		}
	}
	if !isDeleted(r, parent, nil) {
		return fmt.Sprintf("no mutation deletes a %s", parent.Name)
	}
	return ""
}

// copiedCounter returns the counter of objects of a type that is in copies as well, or "".
func copiedCounter(r *checker, t *design.Type) string {
	for _, c := range r.Counters {
		isOf := func(k *design.Counter) bool { return k.Type == t.Name }
		if len(c.Parent.Copies) > 0 && slices.ContainsFunc(c.Counters, isOf) {
			return c.Parent.Name + "." + c.Field.Name
		}
	}
	return ""
}

// isDeleted reports whether a mutation deletes objects of a type, or objects above them. known are the types that are
// decided already.
func isDeleted(r *checker, t *reading.Type, known []string) bool {
	isDeletion := func(m *reading.Mutation) bool { return m.Kind == design.DeleteMutation }
	isStep := func(s *reading.Step) bool { return s.Kind == design.DeleteStep && s.Type == t.Name }
	isOfAction := func(a *reading.DeclaredAction) bool { return slices.ContainsFunc(a.Steps, isStep) }
	if slices.ContainsFunc(reading.MutationsOf(t.Def, nil), isDeletion) || slices.ContainsFunc(r.Actions, isOfAction) {
		return true
	}
	known = append(slices.Clip(known), t.Name)
	return slices.ContainsFunc(r.Reads, func(rd *reading.Read) bool {
		return rd.Cascades && rd.ParentType != nil && slices.Contains(rd.Types, t.Name) &&
			!slices.Contains(known, rd.ParentType.Name) && isDeleted(r, rd.ParentType, known)
	})
}
