package reading

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/partita/partita/internal/gen/directives/sdl"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/keys/predicate"
)

// readCounters reads the counters of all types. The reads have been matched.
func (r *Design) readCounters() {
	for _, t := range r.SortedTypes() {
		for _, f := range t.Def.Fields {
			d := f.Directives.ForName("counts")
			if d == nil {
				continue
			}
			c := &Counter{Parent: t, Field: f, Directive: d, Read: r.ReadBy(t.Name, sdl.Text(d, "field"))}
			if d.Arguments.ForName("where") != nil {
				c.Where, c.WhereErr = predicate.Parse(sdl.Text(d, "where"))
			}
			r.Counters = append(r.Counters, c)
			if c.Read == nil || c.Read.Kind != design.Query {
				c.Read = nil
				continue
			}
			for _, m := range c.Read.Matches {
				if identity := c.IdentityIn(m); identity != nil {
					c.Counters = append(c.Counters, c.of(m.Type.Name, identity))
				}
			}
		}
	}
}

// of returns the counter of objects of a type.
func (c *Counter) of(typeName string, identity []string) *design.Counter {
	one := &design.Counter{
		Parent: c.Parent.Name, Attribute: c.Field.Name, Field: c.Read.Name, Type: typeName, Identity: identity,
		Where: c.Where, Of: sdl.Text(c.Directive, "of"), Min: c.Bound("min"), Max: c.Bound("max"),
	}
	if one.IsOfAll() {
		one.AtMost = c.Read.AtMost
	}
	return one
}

// Bound returns the limit that an argument names, nil for none.
func (c *Counter) Bound(argument string) *design.Bound {
	if c.Directive.Arguments.ForName(argument) == nil {
		return nil
	}
	text := sdl.Text(c.Directive, argument)
	if n, err := strconv.Atoi(text); err == nil {
		return &design.Bound{Number: n}
	}
	return &design.Bound{Attribute: text}
}

// IdentityIn returns the attributes of the items of a match that have the values of the parent's identity, nil if the
// items do not name the parent.
func (c *Counter) IdentityIn(m design.Match) []string {
	names := make([]string, len(c.Parent.Identity))
	for i, variable := range c.Parent.Identity {
		if argument, _ := c.Read.Source(variable); argument != nil {
			return nil
		}
		if names[i] = Attribute(m, variable); names[i] == "" {
			return nil
		}
	}
	return names
}

// IsLatest reports whether the items of a match are copies that hold the latest of several objects.
func IsLatest(m design.Match) bool {
	return slices.ContainsFunc(m.Type.Copies, func(c design.Copy) bool {
		return c.Latest != "" && c.PK.String() == m.Shape.PK.String() && c.SK.String() == m.Shape.SK.String()
	})
}

// Sequences returns the counters with the last numbers of sequences.
func (r *Design) Sequences() []*design.Counter {
	var list []*design.Counter
	for _, t := range r.SortedTypes() {
		for _, f := range t.Def.Fields {
			d := f.Directives.ForName("sequence")
			if d == nil {
				continue
			}
			of := t.Attribute(sdl.Text(d, "of"))
			if of == nil || r.Types[of.Ref] == nil {
				continue // This is found.
			}
			list = append(list, &design.Counter{
				Parent: of.Ref, Attribute: sdl.Text(d, "last"), Type: t.Name, Identity: []string{of.Name}, Number: f.Name,
			})
		}
	}
	return list
}

// DesignCounters returns the counters in the order of their coordinates.
func (r *Design) DesignCounters() []*design.Counter {
	var list []*design.Counter
	onDemand := map[string]bool{}
	for _, c := range r.Counters {
		onDemand[c.Parent.Name] = onDemand[c.Parent.Name] || sdl.Raw(c.Directive, "onDemand") == true
		list = append(list, c.Counters...)
	}
	for _, c := range list {
		c.OnDemand = onDemand[c.Parent]
	}
	list = append(list, r.Sequences()...)
	slices.SortFunc(list, func(a, b *design.Counter) int {
		return cmp.Or(cmp.Compare(a.Parent, b.Parent), cmp.Compare(a.Attribute, b.Attribute), cmp.Compare(a.Type, b.Type))
	})
	return list
}
