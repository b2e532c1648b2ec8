package migrate

import (
	"fmt"
	"slices"

	"github.com/partita/partita/keys/design"
)

// refuseActions refuses the actions that write objects whose stored form differs from that of the API, or is being
// changed: a condition of a step is on the object in one form.
func (g *graft) refuseActions() {
	differs := []Difference{Compare(g.stored, g.api)}
	if g.Migration != nil {
		differs = append(differs, *g.Migration)
	}
	for _, m := range g.api.Mutations {
		if m.Kind != design.ActionMutation {
			continue
		}
		for _, name := range writtenTypes(g.api.Design, m) {
			if slices.ContainsFunc(differs, func(d Difference) bool { return d.concerns(name) }) {
				g.refuse(g.api.AST.Mutation.Name+"."+m.Name,
					fmt.Sprintf("cannot be called while the stored form of %s is another one, or is being changed", name))
			}
		}
	}
}

// writtenTypes returns the types of which an action writes objects, those with counters among them.
func writtenTypes(d *design.Design, m *design.Mutation) []string {
	var names []string
	for _, s := range m.Steps {
		names = append(names, s.Type)
		for _, c := range d.CountersOf(d.Type(s.Type)) {
			names = append(names, c.Parent)
		}
	}
	return names
}

// concerns reports whether what is stored of a type, by either of its names, differs.
func (d *Difference) concerns(name string) bool {
	return slices.ContainsFunc(d.Parts, func(p Part) bool {
		return p.Type == "" || p.Type == name || d.FormerType(p.Type) == name
	})
}
