package directives

import (
	"fmt"
	"slices"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/keys"
)

// checkCounters finds counters that mutations cannot maintain, and limits of collections that nothing enforces.
func (r *checker) checkCounters() {
	for i, c := range r.counters {
		if c.parent.Attribute(c.field.Name) == nil {
			continue // checkWritten finds this.
		}
		r.checkCounter(c, r.counters[:i])
	}
	for _, rd := range r.reads {
		if rd.Kind == keys.Query && len(rd.matches) > 0 {
			r.checkCounted(rd)
		}
	}
}

func (r *checker) checkCounter(c *counter, before []*counter) {
	at, coordinate := c.directive.Position, c.parent.Name+"."+c.field.Name
	name := textArgument(c.directive, "field")
	remove := "remove @counts from field " + coordinate
	switch {
	case c.read == nil:
		what := fmt.Sprintf("%s has no field %s with @query", c.parent.Name, name)
		var names []string
		for _, rd := range r.reads {
			if rd.Parent == c.parent.Name && rd.Kind == keys.Query {
				names = append(names, rd.Name)
			}
		}
		switch likely := Likely(name, names); {
		case likely != "":
			r.find(at, coordinate, isLikely(likely, what), fmt.Sprintf("write field: %q", likely))
		case r.maybeCounted(c.parent, name):
		default:
			r.find(at, coordinate, what, remove)
		}
		return
	case c.field.Type.String() != "Int!":
		r.find(at, coordinate, "a counter is an Int!", retype(c.parent.Name, c.field, "Int!"))
	}
	for _, other := range before {
		if other.read == c.read {
			r.find(at, coordinate, fmt.Sprintf("%s counts %s already", other.field.Name, name), remove)
			return
		}
	}
	if count := c.read.directive.Arguments.ForName("count"); count != nil && count.Value.Raw != c.field.Name {
		r.find(c.read.def.Position, c.read.Coordinate(),
			fmt.Sprintf("count names %s, but %s counts the collection", count.Value.Raw, c.field.Name),
			"remove count from @query")
	}
	if len(c.parent.Copies) > 0 {
		r.find(at, coordinate,
			fmt.Sprintf("%s has copies, in which the counter would not change", c.parent.Name), remove)
		return
	}
	if c.parent.Expires != "" {
		r.find(at, coordinate, fmt.Sprintf("%s expires, and nothing could then change the counter", c.parent.Name), remove)
		return
	}
	if index := r.indexedBy(c); index != "" {
		r.find(at, coordinate,
			fmt.Sprintf("index %s is keyed by the counter, and its entries would not change with it", index), remove)
		return
	}
	if len(c.read.matches) == 0 || r.ambiguous[c.read] || c.parent.hasUnknownVariable() ||
		r.hasUnknownVariable(c.read) || r.returnsIncomplete(c.read) {
		return
	}
	for _, m := range c.read.matches {
		if what := c.uncountable(m); what != "" {
			r.find(at, coordinate, what, remove)
			return
		}
	}
}

// indexedBy returns an index with a key of which a counter is a part, or "". A key that is the counter itself changes
// with it.
func (r *checker) indexedBy(c *counter) string {
	for _, f := range c.parent.storedKeys {
		if f.index == "" || !slices.Contains(append(f.PK.Variables(), f.SK.Variables()...), c.field.Name) {
			continue
		}
		if r.layout == nil {
			return f.index
		}
		_, isPK := r.derivedKey(c.parent, c.parent.Item, r.layout.Index(f.index).PK)
		_, isSK := r.derivedKey(c.parent, c.parent.Item, r.layout.Index(f.index).SK)
		if !isPK && slices.Contains(f.PK.Variables(), c.field.Name) ||
			!isSK && slices.Contains(f.SK.Variables(), c.field.Name) {
			return f.index
		}
	}
	return ""
}

// maybeCounted reports whether a field of a type is a read that cannot be read, so that there is another finding.
func (r *checker) maybeCounted(t *storedType, name string) bool {
	f := t.def.Fields.ForName(name)
	return f != nil && f.Directives.ForName("query") != nil
}

// uncountable returns why a counter cannot count the items of a match, or "".
func (c *counter) uncountable(m keys.Match) string {
	name := c.read.Coordinate()
	switch {
	case m.Type.Expires != "" && c.read.connection == nil:
		return fmt.Sprintf("items of %s expire, and nothing counts them down", m.Type.Name)
	case c.identityIn(m) == nil:
		return fmt.Sprintf("which %s an object in %s belongs to does not follow from the object", c.parent.Name, name)
	case len(m.Constants) > 0:
		return fmt.Sprintf("%s has only some of the objects of a %s: it depends on their values", name, c.parent.Name)
	case isLatest(m):
		return fmt.Sprintf("%s has only the latest of several objects", name)
	}
	for _, variable := range append(m.Shape.PK.Variables(), m.Shape.SK.Variables()...) {
		if a := m.Type.Attribute(variable); a != nil && !a.NonNull {
			return fmt.Sprintf("%s lacks objects without %s", name, variable)
		}
	}
	for _, a := range c.read.def.Arguments {
		if a.Type.NonNull && slices.Contains(c.read.variables(), a.Name) {
			return fmt.Sprintf("%s has other objects for each %s", name, a.Name)
		}
	}
	return ""
}

// checkCounted finds a collection that mutations fill without counting, although it has a counter or a limit.
func (r *checker) checkCounted(rd *read) {
	for _, m := range rd.matches {
		t := r.types[m.Type.Name]
		if t.def.Directives.ForName("mutable") == nil || r.isCounted(rd, m) {
			continue
		}
		switch {
		case rd.Count != "" && rd.parent != nil && rd.parent.def.Name == rd.Parent:
			f := rd.parent.def.Fields.ForName(rd.Count)
			if f == nil || f.Directives.ForName("counts") != nil {
				return
			}
			fix := fmt.Sprintf("add @counts(field: %q) to field %s.%s", rd.Name, rd.Parent, rd.Count)
			if !rd.parent.canCount() && rd.connection != nil {
				fix = fmt.Sprintf("remove count from @query\nremove totalCount from type %s", rd.connection.Name)
			}
			r.find(rd.def.Position, rd.Coordinate(),
				fmt.Sprintf("mutations of %s do not change the counter %s", t.Name, rd.Count), fix)
			return
		case rd.AtMost > 0 && hasCreation(t.def):
			r.findUnlimited(rd, m)
			return
		}
	}
}

// canCount reports whether objects of the type can have counters: one of an item would not change in its copies, and
// one of an item that expires would not change afterwards.
func (t *storedType) canCount() bool { return len(t.Copies) == 0 && t.Expires == "" }

// isCounted reports whether a counter counts the items of a match.
func (r *checker) isCounted(rd *read, m keys.Match) bool {
	return slices.ContainsFunc(r.counters, func(c *counter) bool {
		return c.read == rd && slices.ContainsFunc(c.counters, func(k *keys.Counter) bool { return k.Type == m.Type.Name })
	})
}

func hasCreation(def *ast.Definition) bool {
	return slices.ContainsFunc(mutationsOf(def, nil), func(m *mutation) bool { return m.kind == keys.CreateMutation })
}

// findUnlimited adds the finding for a collection with atMost that mutations fill without limit.
func (r *checker) findUnlimited(rd *read, m keys.Match) {
	t := r.types[m.Type.Name]
	what := fmt.Sprintf("the collection has at most %d items, but nothing counts them when a %s is created",
		rd.AtMost, t.Name)
	if rd.parent != nil && rd.parent.def.Name == rd.Parent {
		name := rd.Name + "Count"
		for rd.parent.def.Fields.ForName(name) != nil {
			name += "er"
		}
		c := &counter{parent: rd.parent, read: rd}
		if rd.parent.canCount() && c.uncountable(m) == "" && counterField(rd.parent, rd.Name) == nil {
			r.find(rd.def.Position, rd.Coordinate(), what,
				fmt.Sprintf("add %s: Int! to type %s\nadd @counts(field: %q) to field %[2]s.%[1]s", name, rd.Parent, rd.Name))
			return
		}
	}
	d := t.def.Directives.ForName("mutable")
	r.find(d.Position, t.Name,
		fmt.Sprintf("%s has at most %d items, but nothing counts them when a %s is created",
			rd.Coordinate(), rd.AtMost, t.Name),
		withoutCreation(t.def, d)+", or let the field return a connection without atMost")
}

// withoutCreation returns the fix that removes create from @mutable.
func withoutCreation(def *ast.Definition, d *ast.Directive) string {
	if len(mutationsOf(def, nil)) == 1 {
		return "remove @mutable from type " + def.Name
	}
	const fix = "remove create from @mutable"
	names := namesOf(d)
	if names["create"] == nil {
		return fix
	}
	delete(names, "create")
	return namesFix(names) + "\n" + fix
}
