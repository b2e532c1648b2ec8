package importer

import (
	"slices"

	"github.com/partita/partita/keys"
)

// ownerOf returns the type whose objects are identified by the partition key of a collection, and which parts of the
// collection's sort key are its own, too: in DEPT#{dept}#USER#{user} those of a department. A time bucket at the end of
// the partition key is no part of an owner.
func ownerOf(types []*typ, c collection) (owner *typ, own int) {
	pk := c.pk
	if last := len(pk) - 1; last > 0 && pk[last].Variable != "" && pk[last].Bucket != 0 {
		pk = pk[:last]
	}
	own = -1
	for _, t := range types {
		item := t.item()
		n := len(item.sk)
		switch {
		case !samePattern(item.pk, pk) || !hasLiteral(pk) && !sameParts(item.pk, pk) || isAmbiguous(types, t):
		case isAlone(t) && own < 0 && haveSameTypes(c.of, pk, t):
			owner, own = t, 0
		case t != c.of && c.index == "" && !isAlone(t) && n < len(c.sk) && n > own && samePattern(item.sk, c.sk[:n]):
			owner, own = t, n
		}
	}
	return owner, max(own, 0)
}

// haveSameTypes reports whether the values in a partition key of a type have the types of those of the owner.
func haveSameTypes(of *typ, pk template, owner *typ) bool {
	for i, p := range pk {
		if p.Variable == "" {
			continue
		}
		f, g := of.field(p.Variable), owner.field(owner.item().pk[i].Variable)
		if f == nil || g == nil || f.typ != g.typ {
			return false
		}
	}
	return true
}

// isAmbiguous reports whether an object of another type can have the key of one of the type.
func isAmbiguous(types []*typ, t *typ) bool {
	return slices.ContainsFunc(types, func(other *typ) bool {
		return other != t && samePattern(other.item().pk, t.item().pk) && samePattern(other.item().sk, t.item().sk)
	})
}

// isAlone reports whether the partition key of a type identifies its objects.
func isAlone(t *typ) bool {
	return len(t.item().identity()) > 0 && every(variablesOf(t.item().sk), func(v keys.Segment) bool {
		return has(t.item().pk, v.Variable)
	})
}

// namesOf returns the names that the owner of a collection has for the variables of the partition key, and for those of
// its own parts of the sort key.
func namesOf(c collection, owner *typ, own int) map[string]string {
	names := map[string]string{}
	if owner == nil {
		return names
	}
	theirs := slices.Concat(owner.item().pk, owner.item().sk[:own])
	for i, p := range slices.Concat(c.pk[:len(owner.item().pk)], c.sk[:own]) {
		if p.Variable != "" {
			names[p.Variable] = owner.nameOf(theirs[i].Variable)
		}
	}
	return names
}

// isOne reports whether a collection has at most one item: its sort key has no value that its partition key lacks.
func isOne(c collection) bool {
	return every(variablesOf(c.sk), func(v keys.Segment) bool {
		return slices.ContainsFunc(c.pk, func(s keys.Segment) bool { return s.Variable == v.Variable && s.Bucket == 0 })
	})
}

// required returns a template that has all values of its variables.
func required(t template) template {
	t = slices.Clone(t)
	for i := range t {
		t[i].Optional = false
	}
	return t
}
