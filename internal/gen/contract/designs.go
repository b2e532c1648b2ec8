package contract

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

func (d *designs) compare() {
	d.layout(positionsOf(d.comparison.base.Query, d.comparison.head.Query))
	for _, name := range namesOf(d.comparison.base.Types, d.comparison.head.Types) {
		was, is := d.comparison.base.Types[name], d.comparison.head.Types[name]
		if was == nil || is == nil {
			continue
		}
		at := positionsOf(was, is)
		d.within(d.used.isDeprecated(name), func() {
			if a, b := d.base.Type(name), d.head.Type(name); a != nil && b != nil {
				d.access(name, at, a.Rule, b.Rule)
				d.ids(a, b, at)
				d.limits(a, b, at)
				d.differences(a, b, at)
				for i := range b.Attributes {
					d.attribute(a, b, &b.Attributes[i])
				}
			}
			for _, f := range was.Fields {
				if head := is.Fields.ForName(f.Name); head != nil {
					d.within(isDeprecated(f.Directives), func() { d.field(name, f, head) })
				}
			}
		})
	}
}

func (d *designs) field(parent string, was, is *ast.FieldDefinition) {
	path, at := parent+"."+was.Name, positions{was.Position, is.Position}
	d.access(path, at, d.base.Rule(parent, was.Name), d.head.Rule(parent, was.Name))
	a, b := d.base.Field(parent, was.Name), d.head.Field(parent, was.Name)
	if a == nil || b == nil {
		return
	}
	d.references(path, at, a, b)
	if a.Result == design.Connection && b.Result == design.Connection {
		d.cursors(path, at, a, b)
	}
	switch {
	case a.Kind == design.Query && b.Kind == design.Query && a.Result != design.One && a.Descending != b.Descending:
		d.dangerous(path, at, "the order was %s and is %s: the first page has other items", orderOf(a), orderOf(b))
	case a.Result == design.Connection && sortKeys(a) != sortKeys(b):
		d.dangerous(path, at, "the sort key was %s and is %s: items come in another order", sortKeys(a), sortKeys(b))
	}
	if b.AtMost > 0 && (a.AtMost == 0 || b.AtMost < a.AtMost) {
		d.dangerous(path, at,
			"the collection has at most %d items now (%s): a larger one is an error, and writes that "+
				"exceed it fail", b.AtMost, formerLimit(a.AtMost))
	}
	switch {
	case b.Cascades && !a.Cascades:
		d.dangerous(path, at, "the deletion of a %s deletes the objects of the collection as well now", parent)
	case a.Cascades && !b.Cascades:
		d.dangerous(path, at, "the deletion of a %s leaves the objects of the collection now", parent)
	}
}

func orderOf(f *design.Field) string {
	if f.Descending {
		return "descending"
	}
	return "ascending"
}

func formerLimit(atMost int) string {
	if atMost == 0 {
		return "before: no limit"
	}
	return fmt.Sprintf("before: %d", atMost)
}

// ids compares what the global ids of a type consist of: clients keep them, in links and caches.
func (d *designs) ids(base, head *design.Type, at positions) {
	was, is := identity(base), identity(head)
	const fix = "keep the variables of @item in their order; to identify objects in another way, give the type " +
		"another name with @was, or add a new type"
	switch {
	case slices.Equal(was, is): // Another key with the same variables is the same id.
	case len(was) == len(is) && slices.Equal(kinds(base), kinds(head)):
		d.breaking(base.Name, at, fix,
			"global ids were made of %s and are made of %s: ids that clients have kept name "+
				"other objects, or none, unless the values are the same", listed(was), listed(is))
	case len(was) != len(is) && !slices.ContainsFunc(is, func(name string) bool { return !slices.Contains(was, name) }):
		d.dangerous(base.Name, at, "global ids were made of %s and are made of %s: those that clients have kept are still "+
			"accepted, but answers have others, so that caches have such objects twice", listed(was), listed(is))
	default:
		d.breaking(base.Name, at, fix, "global ids were made of %s and are made of %s: ids that clients have kept are "+
			"rejected, and so are links and caches with them", listed(was), listed(is))
	}
}

func listed(names []string) string { return strings.Join(names, " and ") }

// identity returns the attributes of which global ids consist, with their formats.
func identity(t *design.Type) []string {
	names := slices.Clone(t.Identity)
	for i, kind := range kinds(t) {
		if kind != keys.IDKind.String() && kind != keys.String.String() {
			names[i] += " (" + kind + ")"
		}
	}
	return names
}

func kinds(t *design.Type) []string {
	all := make([]string, len(t.Identity))
	for i, name := range t.Identity {
		if a := t.Attribute(name); a != nil {
			all[i] = a.Kind.String()
		}
	}
	return all
}

// references compares which ids an argument accepts.
func (d *designs) references(path string, at positions, base, head *design.Field) {
	for _, was := range base.Arguments {
		is := head.Argument(was.Name)
		if is == nil || is.Ref == was.Ref {
			continue
		}
		d.breaking(fmt.Sprintf("%s(%s:)", path, was.Name), at,
			"add an argument with another name, and deprecate this one",
			"the argument was %s and is %s: the values that clients give are rejected",
			referenceTo(was.Ref), referenceTo(is.Ref))
	}
}

// referenceTo returns what an argument accepts: ids of a type, or with "" texts.
func referenceTo(typeName string) string {
	if typeName == "" {
		return "the text of a key"
	}
	return "the id of an object of type " + typeName
}

// cursors compares the collection that a cursor is a position in: a cursor of another one is rejected, see
// design.Condition.ParseCursor.
func (d *designs) cursors(path string, at positions, base, head *design.Field) {
	var changed []string
	if text := renamed([]part{
		{"the index", base.Index, head.Index},
		{"the partition key", base.PK.String(), head.PK.String()},
		{"the beginning of the sort key", base.SK.String(), head.SK.String()},
	}); text != "" {
		changed = append(changed, text)
	}
	for _, label := range base.Shards() {
		if !slices.Contains(head.Shards(), label) {
			changed = append(changed, fmt.Sprintf("it was spread over %d partitions and is over %d",
				len(base.Shards()), len(head.Shards())))
			break
		}
	}
	if len(changed) > 0 {
		d.dangerous(path, at, "%s: cursors that clients have kept are rejected, and they begin again with the first page",
			strings.Join(changed, ", "))
	}
}

// sortKeys returns by what a collection is sorted.
func sortKeys(f *design.Field) string {
	var all []string
	for _, m := range f.Matches() {
		all = append(all, `"`+m.Shape.SK.String()+`"`)
	}
	slices.Sort(all)
	return strings.Join(slices.Compact(all), " or ")
}

// limits compares what objects can have.
func (d *designs) limits(base, head *design.Type, at positions) {
	if head.MaxBytes < base.MaxBytes {
		d.dangerous(base.Name, at, "an object has at most %d bytes now (before: %d): writes of larger ones fail",
			head.MaxBytes, base.MaxBytes)
	}
	if head.Expires != "" && base.Expires == "" {
		d.dangerous(base.Name, at, "objects expire now, at their %s: they are missing afterwards", head.Expires)
	}
	for _, u := range head.Uniques {
		i := slices.IndexFunc(base.Uniques, func(was design.Unique) bool { return was.Attribute == u.Attribute })
		switch condition := u.Where.String(); {
		case i < 0:
			d.dangerous(base.Name+"."+u.Attribute, at,
				"the value is unique now: writes of one that another object has fail with the code TAKEN")
		case base.Uniques[i].Where.String() != condition:
			d.dangerous(base.Name+"."+u.Attribute, at, "the value is unique for other objects now, %s: writes of one that "+
				"another of them has fail with the code TAKEN", cmp.Or(condition, "for all"))
		}
	}
}

// access compares who may read a type or a field, or call a mutation.
func (d *designs) access(path string, at positions, base, head *design.Rule) {
	isNarrower, isWider := !includes(head, base), !includes(base, head)
	was, is := Allowed(base), Allowed(head)
	switch {
	case isNarrower && d.isOwnersMutation(path, base, head):
		d.dangerous(path, at, "it was for %s, with Go code that may have decided more, and is for %s: others get the "+
			"error FORBIDDEN", was, is)
	case isNarrower:
		d.breaking(path, at, "deprecate it first, so that the clients of the others can do without it",
			"it was for %s and is for %s: others get the error FORBIDDEN", was, is)
	case isWider:
		d.safe(path, at, "it was for %s and is for %s", was, is)
	}
}

// isOwnersMutation reports whether a mutation was hand-written for all viewers, and is generated for owners: its code
// has probably let nobody change the objects of others.
func (d *designs) isOwnersMutation(path string, base, head *design.Rule) bool {
	root, name, _ := strings.Cut(path, ".")
	mutation := d.comparison.head.Mutation
	return mutation != nil && root == mutation.Name && d.base.Mutation(name) == nil && d.head.Mutation(name) != nil &&
		base != nil && base.SignedIn && head.Owner != ""
}

// includes reports whether a rule allows all whom another one allows.
func includes(rule, other *design.Rule) bool {
	switch {
	case rule.IsPublic():
		return true
	case other.IsPublic():
		return false
	case rule.SignedIn:
		return true
	case other.SignedIn, other.Owner != "" && other.Owner != rule.Owner:
		return false
	}
	for _, m := range other.Members {
		isSame := func(own *design.Member) bool {
			return own.PK.String() == m.PK.String() && own.SK.String() == m.SK.String() &&
				(own.Where == "" || own.Where == m.Where)
		}
		if !slices.ContainsFunc(rule.Members, isSame) {
			return false
		}
	}
	isNarrower := func(g design.GoWord) bool {
		return !slices.ContainsFunc(rule.Go, func(own design.GoWord) bool { return own.Word == g.Word })
	}
	if slices.ContainsFunc(other.Go, isNarrower) {
		return false
	}
	return !slices.ContainsFunc(other.Roles, func(role string) bool { return !slices.Contains(rule.Roles, role) })
}

// Allowed returns in words whom a rule allows.
func Allowed(r *design.Rule) string {
	switch {
	case r.IsPublic():
		return "everybody"
	case r.SignedIn:
		return "everybody who is signed in"
	}
	var parts []string
	if r.Owner != "" {
		parts = append(parts, "the owner ("+r.Owner+")")
	}
	for _, m := range r.Members {
		text := "those with an item under " + strings.TrimSpace(m.PK.String()+" "+m.SK.String())
		if m.Where != "" {
			text += " where " + m.Where
		}
		parts = append(parts, text)
	}
	for _, g := range r.Go {
		parts = append(parts, g.Word+", whom Go code allows")
	}
	parts = append(parts, r.Roles...)
	if len(parts) == 0 {
		return "nobody"
	}
	return strings.Join(parts, ", ")
}
