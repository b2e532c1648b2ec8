package migrate

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// mutations returns the mutations of the API that can be stored, and the counters of the stored version.
func (g *graft) mutations(d *design.Design) ([]*design.Mutation, []*design.Counter) {
	var served []*design.Mutation
	for _, m := range g.api.Mutations {
		if m.Kind == design.ActionMutation {
			if g.notReady[g.api.AST.Mutation.Name+"."+m.Name] == "" {
				served = append(served, m)
			}
			continue
		}
		if reason := g.cannotStore(m, d); reason != "" {
			g.refuse(g.api.AST.Mutation.Name+"."+m.Name, reason)
			continue
		}
		served = append(served, m)
	}
	counters := make([]*design.Counter, len(g.stored.Counters))
	for i, c := range g.stored.Counters {
		own, parent, of := *c, g.own[c.Parent], g.own[c.Type]
		own.Parent, own.Type = parent.Name, of.Name
		own.Attribute = parent.name(c.Attribute)
		own.Field = g.fieldName(parent, c.Field)
		own.Identity = slices.Clone(c.Identity)
		for k, name := range own.Identity {
			own.Identity[k] = of.name(name)
		}
		if own.Of != "" {
			own.Of = of.name(own.Of)
		}
		if own.Number != "" {
			own.Number = of.name(own.Number)
		}
		own.Where = of.predicate(c.Where)
		own.Min, own.Max = g.bounds(&own)
		counters[i] = &own
	}
	return served, counters
}

// bounds returns the limits of a counter. They are not stored: those of the API hold, and none without it.
func (g *graft) bounds(own *design.Counter) (least, most *design.Bound) {
	for _, c := range g.api.Counters {
		if c.Parent == own.Parent && c.Attribute == own.Attribute && c.Type == own.Type {
			return c.Min, c.Max
		}
	}
	return nil, nil
}

// unknownBound returns the reason if a limit of a counter that the objects of a type change cannot be read, or "".
func (g *graft) unknownBound(t *design.Type) string {
	for _, c := range g.api.CountersOf(t) {
		parent := g.byAPI[c.Parent]
		for _, b := range [...]*design.Bound{c.Min, c.Max} {
			if b == nil || parent == nil || parent.unread[b.Attribute] == "" {
				continue
			}
			return fmt.Sprintf("changes %s.%s, whose limit %s %s", c.Parent, c.Attribute, b.Attribute,
				parent.unread[b.Attribute])
		}
	}
	return ""
}

// fieldName returns the name of a field of a stored type in the API, or that of the stored version.
func (g *graft) fieldName(of *graftedType, stored string) string {
	if of.api != nil {
		for _, f := range g.api.TypeDef(of.api.Name).Fields {
			if g.storedField(of.api.Name, f.Name) == stored {
				return f.Name
			}
		}
	}
	return stored
}

// cannotStore returns the reason if a mutation would leave something that is not right by the stored version, or "".
func (g *graft) cannotStore(m *design.Mutation, d *design.Design) string {
	of := g.byAPI[m.Type]
	if of == nil {
		return fmt.Sprintf("needs the type %s, which the table does not have", m.Type)
	}
	own := d.Type(of.Name)
	if reason := g.mutationMembers(m); reason != "" {
		return reason
	}
	if reason := g.notReady[of.Name]; reason != "" {
		return "cannot be called: " + reason
	}
	for _, name := range slices.Concat(m.Inputs, m.Keys, m.Now, []string{m.Owner, m.Viewer}) {
		if reason := of.unwritten[name]; reason != "" {
			return fmt.Sprintf("writes %s.%s, which %s", of.Name, name, reason)
		}
	}
	if reason := g.unknownBound(of.api); reason != "" {
		return reason
	}
	switch m.Kind {
	case design.CreateMutation:
		if m.GeneratesID(of.api) != m.GeneratesID(own) {
			return fmt.Sprintf("creates a %s with another kind of id than the table has", of.Name)
		}
		return g.cannotCreate(of)
	case design.UpdateMutation:
		for _, name := range m.Inputs {
			if slices.Contains(own.Identity, name) {
				return fmt.Sprintf("changes %s.%s, which is part of the key of its items", of.Name, name)
			}
		}
	}
	if of.api.Version != own.Version {
		return fmt.Sprintf("needs the version of a %s, which %s", of.Name, cmp.Or(of.unread[of.api.Version],
			"it does not take"))
	}
	if !m.HasID {
		for _, name := range own.Identity {
			if !slices.Contains(m.Keys, name) && m.Viewer != name {
				return fmt.Sprintf("needs %s.%s, which is part of the key of its items", of.Name, name)
			}
		}
	}
	return ""
}

// cannotCreate is cannotStore for what each created object must have.
func (g *graft) cannotCreate(of *graftedType) string {
	for i := range of.stored.Attributes {
		s := &of.stored.Attributes[i]
		if name := of.name(s.Name); of.api.Attribute(name) == nil && g.isRequired(of, s) {
			return fmt.Sprintf("creates a %s without %s, which each has that is stored", of.Name, s.Name)
		}
	}
	return ""
}

// isRequired reports whether each item of a type must have a stored attribute: by its field, or because it is part of
// the key of an item. Versions and counters are set whatever the API is.
func (g *graft) isRequired(of *graftedType, s *design.Attribute) bool {
	if s.Name == of.stored.Version || slices.ContainsFunc(g.stored.Counters, func(c *design.Counter) bool {
		return c.Parent == of.stored.Name && c.Attribute == s.Name || c.Type == of.stored.Name && c.Number == s.Name
	}) || s.Name == "id" && slices.Contains(of.stored.Identity, "id") {
		return false
	}
	if s.NonNull && s.Default.Kind == item.Null {
		return true
	}
	return slices.ContainsFunc(of.stored.Shapes(), func(shape keys.Shape) bool {
		return slices.Contains(shape.PK.Variables(), s.Name) || slices.Contains(shape.SK.Variables(), s.Name)
	})
}
