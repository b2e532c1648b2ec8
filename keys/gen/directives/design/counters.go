package directives

import (
	"cmp"
	"slices"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/keys"
)

// counter is a field with @counts.
type counter struct {
	parent    *storedType
	field     *ast.FieldDefinition
	directive *ast.Directive
	// read is that of the collection; nil if the parent has no such field with @query.
	read *read
	// counters are those of each type in the collection whose objects name their parent.
	counters []*keys.Counter
}

// counterField returns the field of a type that counts a collection of it, or nil.
func counterField(t *storedType, collection string) *ast.FieldDefinition {
	if t == nil {
		return nil
	}
	for _, f := range t.def.Fields {
		if d := f.Directives.ForName("counts"); d != nil && rawArgument(d, "field") == collection {
			return f
		}
	}
	return nil
}

// readCounters reads the counters of all types. The reads have been matched.
func (r *design) readCounters() {
	for _, t := range r.sortedTypes() {
		for _, f := range t.def.Fields {
			d := f.Directives.ForName("counts")
			if d == nil {
				continue
			}
			c := &counter{parent: t, field: f, directive: d, read: r.readBy(t.Name, textArgument(d, "field"))}
			r.counters = append(r.counters, c)
			if c.read == nil || c.read.Kind != keys.Query {
				c.read = nil
				continue
			}
			for _, m := range c.read.matches {
				if identity := c.identityIn(m); identity != nil {
					c.counters = append(c.counters, &keys.Counter{
						Parent: t.Name, Attribute: f.Name, Field: c.read.Name, Type: m.Type.Name, Identity: identity,
						AtMost: c.read.AtMost,
					})
				}
			}
		}
	}
}

// identityIn returns the attributes of the items of a match that have the values of the parent's identity, nil if the
// items do not name the parent.
func (c *counter) identityIn(m keys.Match) []string {
	names := make([]string, len(c.parent.Identity))
	for i, variable := range c.parent.Identity {
		if argument, _ := c.read.source(variable); argument != nil {
			return nil
		}
		if names[i] = attribute(m, variable); names[i] == "" {
			return nil
		}
	}
	return names
}

// isLatest reports whether the items of a match are copies that hold the latest of several objects.
func isLatest(m keys.Match) bool {
	return slices.ContainsFunc(m.Type.Copies, func(c keys.Copy) bool {
		return c.Latest != "" && c.PK.String() == m.Shape.PK.String() && c.SK.String() == m.Shape.SK.String()
	})
}

// designCounters returns the counters in the order of their coordinates.
func (r *design) designCounters() []*keys.Counter {
	var list []*keys.Counter
	for _, c := range r.counters {
		list = append(list, c.counters...)
	}
	slices.SortFunc(list, func(a, b *keys.Counter) int {
		return cmp.Or(cmp.Compare(a.Parent, b.Parent), cmp.Compare(a.Attribute, b.Attribute), cmp.Compare(a.Type, b.Type))
	})
	return list
}
