package checks

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/gen/directives/finding"
	"github.com/partita/partita/internal/gen/directives/reading"
	"github.com/partita/partita/internal/gen/directives/sdl"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// checkCounters finds counters that mutations cannot maintain, and limits of collections that nothing enforces.
func checkCounters(r *checker) {
	for i, c := range r.Counters {
		if c.Parent.Attribute(c.Field.Name) == nil {
			continue // checkWritten finds this.
		}
		checkCounter(r, c, r.Counters[:i])
	}
	for _, rd := range r.Reads {
		if rd.Kind == design.Query && len(rd.Matches) > 0 {
			checkCounted(r, rd)
		}
	}
}

func checkCounter(r *checker, c *reading.Counter, before []*reading.Counter) {
	at, coordinate := c.Directive.Position, c.Parent.Name+"."+c.Field.Name
	name := sdl.Text(c.Directive, "field")
	remove := "remove @counts from field " + coordinate
	switch {
	case c.Read == nil:
		what := fmt.Sprintf("%s has no field %s with @query", c.Parent.Name, name)
		var names []string
		for _, rd := range r.Reads {
			if rd.Parent == c.Parent.Name && rd.Kind == design.Query {
				names = append(names, rd.Name)
			}
		}
		switch likely := finding.Likely(name, names); {
		case likely != "":
			r.find(at, coordinate, finding.IsLikely(likely, what), fmt.Sprintf("write field: %q", likely))
		case maybeCounted(c.Parent, name):
		default:
			r.find(at, coordinate, what, remove)
		}
		return
	case c.Field.Type.String() != "Int!":
		r.find(at, coordinate, "a counter is an Int!", sdl.Retype(c.Parent.Name, c.Field, "Int!"))
	}
	for _, other := range before {
		if other.Read == c.Read && reading.CountsAll(c.Directive) && reading.CountsAll(other.Directive) {
			r.find(at, coordinate, fmt.Sprintf("%s counts %s already", other.Field.Name, name), remove)
			return
		}
	}
	count := c.Read.Directive.Arguments.ForName("count")
	if count != nil && count.Value.Raw != c.Field.Name && reading.CountsAll(c.Directive) {
		r.find(c.Read.Def.Position, c.Read.Coordinate(),
			fmt.Sprintf("count names %s, but %s counts the collection", count.Value.Raw, c.Field.Name),
			"remove count from @query")
	}
	if hasLatest(c.Parent) {
		r.find(at, coordinate, fmt.Sprintf("%s has an item that several objects share, in which the counter would not change",
			c.Parent.Name), remove)
		return
	}
	for _, k := range c.Parent.StoredKeys {
		if k.Index == "" && slices.Contains(append(k.PK.Variables(), k.SK.Variables()...), c.Field.Name) {
			r.find(at, coordinate, fmt.Sprintf("a key of %s has the counter, and would change with it", c.Parent.Name), remove)
			return
		}
	}
	if c.Parent.Expires != "" {
		r.find(at, coordinate, fmt.Sprintf("%s expires, and nothing could then change the counter", c.Parent.Name), remove)
		return
	}
	if index := indexedBy(r, c); index != "" {
		r.find(at, coordinate,
			fmt.Sprintf("index %s is keyed by the counter, and its entries would not change with it", index), remove)
		return
	}
	if len(c.Read.Matches) == 0 || r.ambiguous[c.Read] || c.Parent.HasUnknownVariable() ||
		r.NamesUnknown(c.Read) || r.ReturnsIncomplete(c.Read) {
		return
	}
	for _, m := range c.Read.Matches {
		if what := uncountable(c, m); what != "" {
			r.find(at, coordinate, what, remove)
			return
		}
		if what := demandFault(c); what != "" {
			r.find(at, coordinate, what, "write onDemand: false")
			return
		}
		if what, fix := boundFault(c); what != "" {
			r.find(at, coordinate, what, fix)
			return
		}
		if what, fix := shareFault(r, c, r.Types[m.Type.Name]); what != "" {
			r.find(at, coordinate, what, cmp.Or(fix, remove))
			return
		}
	}
}

// shareFault returns why what an object of a type adds to a counter does not follow from it, and the fix,
// "" for none but to remove the counter.
func shareFault(r *checker, c *reading.Counter, t *reading.Type) (what, fix string) {
	where := sdl.Text(c.Directive, "where")
	if c.Directive.Arguments.ForName("where") != nil {
		what, better := constantFault(r, where, t, "nothing would count when it changes")
		switch {
		case what != "" && better != "":
			return what, fmt.Sprintf("write where: %q", better)
		case what != "":
			return what, ""
		}
	}
	of := sdl.Text(c.Directive, "of")
	if c.Directive.Arguments.ForName("of") == nil || isInt(t, of) {
		return "", ""
	}
	what = fmt.Sprintf("of: %s has no stored Int %s", t.Name, of)
	var names []string
	for _, a := range t.Attributes {
		if isInt(t, a.Name) {
			names = append(names, a.Name)
		}
	}
	if likely := finding.Likely(of, names); likely != "" {
		return finding.IsLikely(likely, what), fmt.Sprintf("write of: %q", likely)
	}
	return what, ""
}

// demandFault returns why an object with a counter cannot be created on demand, or "".
func demandFault(c *reading.Counter) string {
	if sdl.Raw(c.Directive, "onDemand") != true {
		return ""
	}
	for _, a := range c.Parent.Attributes {
		f := c.Parent.Def.Fields.ForName(a.Name)
		isMade := slices.Contains(c.Parent.Identity, a.Name) || f.Directives.ForName("counts") != nil ||
			f.Directives.ForName("version") != nil || f.Directives.ForName("default") != nil
		if a.NonNull && !isMade {
			return fmt.Sprintf("onDemand: a new %s must have %s, which nothing gives it", c.Parent.Name, a.Name)
		}
	}
	return ""
}

// boundFault returns what is wrong with a limit of a counter, and the fix.
func boundFault(c *reading.Counter) (what, fix string) {
	isSum := c.Directive.Arguments.ForName("of") != nil
	for _, argument := range [...]string{"min", "max"} {
		b := c.Bound(argument)
		remove := fmt.Sprintf("remove %s from @counts", argument)
		isNumber := b != nil && b.Attribute == ""
		switch {
		case b == nil:
		case isNumber && argument == "min" && !isSum:
			return "min: a number of items is at least 0 anyway", remove
		case isNumber && argument == "min" && b.Number > 0:
			return fmt.Sprintf("min: a new %s has 0, which is less than %d", c.Parent.Name, b.Number), `write min: "0"`
		case isNumber && argument == "max" && b.Number < 0:
			return fmt.Sprintf("max: a new %s has 0, which is more than %d", c.Parent.Name, b.Number), `write max: "0"`
		case isNumber:
		default:
			if what, better := limitFault(c, b.Attribute); what != "" {
				fix := remove
				if better != "" {
					fix = fmt.Sprintf("write %s: %q", argument, better)
				}
				return finding.IsLikelyOr(better, argument+": "+what), fix
			}
		}
	}
	return "", ""
}

// limitFault returns why a field is no limit of a counter, and one that is likely meant, "" for none.
func limitFault(c *reading.Counter, name string) (what, better string) {
	isLimit := func(name string) bool {
		f := c.Parent.Def.Fields.ForName(name)
		return isInt(c.Parent, name) && !slices.ContainsFunc(f.Directives, reading.IsWritten)
	}
	switch {
	case isLimit(name):
		return "", ""
	case isInt(c.Parent, name):
		return fmt.Sprintf("writes of other objects change %s", name), ""
	}
	var names []string
	for _, a := range c.Parent.Attributes {
		if isLimit(a.Name) {
			names = append(names, a.Name)
		}
	}
	return fmt.Sprintf("%q is no number and no stored Int of %s", name, c.Parent.Name), finding.Likely(name, names)
}

// isInt reports whether objects of a type have an Int with that name.
func isInt(t *reading.Type, name string) bool {
	a := t.Attribute(name)
	return a != nil && a.Kind == keys.Int
}

// indexedBy returns an index with a key of which a counter is a part, or "". A key that is the counter itself changes
// with it.
func indexedBy(r *checker, c *reading.Counter) string {
	for _, f := range c.Parent.StoredKeys {
		if f.Index == "" || !slices.Contains(append(f.PK.Variables(), f.SK.Variables()...), c.Field.Name) {
			continue
		}
		if r.Layout == nil {
			return f.Index
		}
		_, isPK := r.DerivedKey(c.Parent, c.Parent.Item, r.Layout.Index(f.Index).PK)
		_, isSK := r.DerivedKey(c.Parent, c.Parent.Item, r.Layout.Index(f.Index).SK)
		if !isPK && slices.Contains(f.PK.Variables(), c.Field.Name) ||
			!isSK && slices.Contains(f.SK.Variables(), c.Field.Name) {
			return f.Index
		}
	}
	return ""
}

// maybeCounted reports whether a field of a type is a read that cannot be read, so that there is another finding.
func maybeCounted(t *reading.Type, name string) bool {
	f := t.Def.Fields.ForName(name)
	return f != nil && f.Directives.ForName("query") != nil
}

// uncountable returns why a counter cannot count the items of a match, or "".
func uncountable(c *reading.Counter, m design.Match) string {
	name := c.Read.Coordinate()
	switch {
	case m.Type.Expires != "" && c.Read.Connection == nil:
		return fmt.Sprintf("items of %s expire, and nothing counts them down", m.Type.Name)
	case c.IdentityIn(m) == nil:
		return fmt.Sprintf("which %s an object in %s belongs to does not follow from the object", c.Parent.Name, name)
	case len(m.Constants) > 0:
		return fmt.Sprintf("%s has only some of the objects of a %s: it depends on their values", name, c.Parent.Name)
	case reading.IsLatest(m):
		return fmt.Sprintf("%s has only the latest of several objects", name)
	}
	for _, variable := range append(m.Shape.PK.Variables(), m.Shape.SK.Variables()...) {
		// Nothing counts an object that belongs to no parent, and it is in no collection.
		isParent := slices.Contains(c.IdentityIn(m), variable)
		if a := m.Type.Attribute(variable); a != nil && !a.NonNull && !isParent {
			return fmt.Sprintf("%s lacks objects without %s", name, variable)
		}
	}
	for _, a := range c.Read.Def.Arguments {
		if a.Type.NonNull && slices.Contains(c.Read.Variables(), a.Name) {
			return fmt.Sprintf("%s has other objects for each %s", name, a.Name)
		}
	}
	return ""
}

// checkCounted finds a collection that mutations fill without counting, although it has a counter or a limit.
func checkCounted(r *checker, rd *reading.Read) {
	for _, m := range rd.Matches {
		t := r.Types[m.Type.Name]
		action := creatingAction(r, t)
		if t.Def.Directives.ForName("mutable") == nil && action == nil || isCounted(r, rd, m) {
			continue
		}
		switch {
		case rd.Count != "" && rd.ParentType != nil && rd.ParentType.Def.Name == rd.Parent:
			f := rd.ParentType.Def.Fields.ForName(rd.Count)
			if f == nil || f.Directives.ForName("counts") != nil {
				return // or checkCounts finds what it counts
			}
			fix := fmt.Sprintf("add @counts(field: %q) to field %s.%s", rd.Name, rd.Parent, rd.Count)
			if !canCount(rd.ParentType) && rd.Connection != nil {
				fix = fmt.Sprintf("remove count from @query\nremove totalCount from type %s", rd.Connection.Name)
			}
			r.find(rd.Def.Position, rd.Coordinate(),
				fmt.Sprintf("mutations of %s do not change the counter %s", t.Name, rd.Count), fix)
			return
		case rd.AtMost > 0 && (hasCreation(t.Def) || action != nil):
			findUnlimited(r, rd, m)
			return
		}
	}
}

// canCount reports whether objects of the type can have counters: one of an item that several objects share would not
// change, and one of an item that expires would not change afterwards.
func canCount(t *reading.Type) bool { return !hasLatest(t) && t.Expires == "" }

// hasLatest reports whether objects of a type share a copy, which has the latest of them.
func hasLatest(t *reading.Type) bool {
	return slices.ContainsFunc(t.Copies, func(c design.Copy) bool { return c.Latest != "" })
}

// isCounted reports whether a counter counts the items of a match.
func isCounted(r *checker, rd *reading.Read, m design.Match) bool {
	return slices.ContainsFunc(r.Counters, func(c *reading.Counter) bool {
		isOf := func(k *design.Counter) bool { return k.Type == m.Type.Name }
		return c.Read == rd && reading.CountsAll(c.Directive) && slices.ContainsFunc(c.Counters, isOf)
	})
}

func hasCreation(def *ast.Definition) bool {
	return slices.ContainsFunc(reading.MutationsOf(def, nil), func(m *reading.Mutation) bool {
		return m.Kind == design.CreateMutation
	})
}

// creatingAction returns an action that creates objects of the type, or nil.
func creatingAction(r *checker, t *reading.Type) *reading.DeclaredAction {
	for _, a := range r.Actions {
		isCreation := func(s *reading.Step) bool { return s.Kind.Creates() && s.Type == t.Name }
		if slices.ContainsFunc(a.Steps, isCreation) {
			return a
		}
	}
	return nil
}

// findUnlimited adds the finding for a collection with atMost that mutations fill without limit.
func findUnlimited(r *checker, rd *reading.Read, m design.Match) {
	t := r.Types[m.Type.Name]
	what := fmt.Sprintf("the collection has at most %d items, but nothing counts them when a %s is created",
		rd.AtMost, t.Name)
	if rd.ParentType != nil && rd.ParentType.Def.Name == rd.Parent {
		name := rd.Name + "Count"
		for rd.ParentType.Def.Fields.ForName(name) != nil {
			name += "er"
		}
		c := &reading.Counter{Parent: rd.ParentType, Read: rd}
		if canCount(rd.ParentType) && uncountable(c, m) == "" && reading.CounterField(rd.ParentType, rd.Name) == nil {
			r.find(rd.Def.Position, rd.Coordinate(), what,
				fmt.Sprintf("add %s: Int! to type %s\nadd @counts(field: %q) to field %[2]s.%[1]s", name, rd.Parent, rd.Name))
			return
		}
	}
	d := t.Def.Directives.ForName("mutable")
	if action := creatingAction(r, t); action != nil && !hasCreation(t.Def) {
		r.find(rd.Def.Position, rd.Coordinate(), what, fmt.Sprintf(
			"remove %s from type %s, or let the field return a connection without atMost", action.Name, r.Schema.Mutation.Name))
		return
	}
	r.find(d.Position, t.Name,
		fmt.Sprintf("%s has at most %d items, but nothing counts them when a %s is created",
			rd.Coordinate(), rd.AtMost, t.Name),
		withoutCreation(t.Def, d)+", or let the field return a connection without atMost")
}

// withoutCreation returns the fix that removes create from @mutable.
func withoutCreation(def *ast.Definition, d *ast.Directive) string {
	if len(reading.MutationsOf(def, nil)) == 1 {
		return "remove @mutable from type " + def.Name
	}
	const fix = "remove create from @mutable"
	names := reading.NamesOf(d)
	if names["create"] == nil {
		return fix
	}
	delete(names, "create")
	return namesFix(names) + "\n" + fix
}

// checkCounts finds totalCount without a counter of the parent: items are never counted for it.
func checkCounts(r *checker) {
	for _, rd := range r.Reads {
		at, coordinate := rd.Def.Position, rd.Coordinate()
		total := rd.Connection != nil && rd.Connection.HasTotalCount
		switch {
		case rd.Kind != design.Query:
		case rd.Count == "" && total:
			r.find(at, coordinate, rd.Connection.Name+" has totalCount, but nothing counts this collection", counterFix(rd))
		case rd.Count == "":
		case !total:
			r.find(at, coordinate, "count needs a connection with totalCount",
				"remove count from @query, or return a connection with totalCount: Int!")
		case rd.ParentType == nil:
			r.find(at, coordinate, fmt.Sprintf("count names %s, but the field has no parent that could have it", rd.Count),
				fmt.Sprintf("remove count from @query\nremove totalCount from type %s", rd.Connection.Name))
		default:
			a := rd.ParentType.Attribute(rd.Count)
			switch {
			case countsSome(rd.ParentType, rd.Count):
				r.find(at, coordinate, fmt.Sprintf("count names %s, which is not the number of all items", rd.Count),
					wholeCounter(rd))
			case a == nil || a.Kind != keys.Int || !a.NonNull:
				r.find(at, coordinate, fmt.Sprintf("count names %s, which is not a stored Int! of %s", rd.Count,
					rd.ParentType.Name),
					counterOf(rd.ParentType, rd.Count))
			}
		}
	}
}

// countsSome reports whether a field of a type is a counter that does not count all items of its collection.
func countsSome(t *reading.Type, name string) bool {
	f := t.Def.Fields.ForName(name)
	if f == nil {
		return false
	}
	d := f.Directives.ForName("counts")
	return d != nil && !reading.CountsAll(d)
}

// wholeCounter returns the fix that names a counter of all items of a collection.
func wholeCounter(rd *reading.Read) string {
	if f := reading.CounterField(rd.ParentType, rd.Name); f != nil {
		return fmt.Sprintf("write count: %q", f.Name)
	}
	name := rd.Name + "Count"
	for rd.ParentType.Def.Fields.ForName(name) != nil {
		name += "er"
	}
	return fmt.Sprintf("add %s: Int! to type %s\nadd @counts(field: %q) to field %[2]s.%[1]s\nwrite count: %[1]q", name,
		rd.Parent, rd.Name)
}

// counterOf returns the fix that gives a type a counter.
func counterOf(t *reading.Type, name string) string {
	if f := t.Def.Fields.ForName(name); f != nil {
		return sdl.Retype(t.Name, f, "Int!")
	}
	return fmt.Sprintf("add %s: Int! to type %s", name, t.Name)
}

// counterFix returns the fix that names the parent's counter, which it may have to be given.
func counterFix(rd *reading.Read) string {
	if rd.ParentType == nil {
		return fmt.Sprintf("remove totalCount from type %s", rd.Connection.Name)
	}
	name := sdl.LowerFirst(rd.Connection.Node) + "Count"
	if a := rd.ParentType.Attribute(name); a != nil && a.Kind == keys.Int && a.NonNull {
		return fmt.Sprintf("write count: %q", name)
	}
	if rd.ParentType.Def.Fields.ForName(name) != nil {
		name = rd.Name + "Count"
	}
	return counterOf(rd.ParentType, name) + fmt.Sprintf("\nwrite count: %q", name)
}
