package contract

import (
	"slices"
	"strings"

	"github.com/partita/partita/keys/design"
)

// access compares who may read a type or a field, or call a mutation.
func (d *designs) access(path string, at positions, base, head *design.Rule) {
	isNarrower, isWider := !includes(head, base), !includes(base, head)
	was, is := allowed(base), allowed(head)
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
	return !slices.ContainsFunc(other.Roles, func(role string) bool { return !slices.Contains(rule.Roles, role) })
}

// allowed returns whom a rule allows.
func allowed(r *design.Rule) string {
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
	parts = append(parts, r.Roles...)
	if len(parts) == 0 {
		return "nobody"
	}
	return strings.Join(parts, ", ")
}
