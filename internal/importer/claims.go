package importer

import (
	"fmt"
	"slices"
	"strings"
)

// takeClaims takes the claims of libraries out of the entries.
func takeClaims(t *layout, entries []*entry) (rest []*entry, claims []*claim) {
	types := map[string]bool{}
	for _, e := range entries {
		types[e.typ] = e.typ != ""
	}
	for _, e := range entries {
		by, ok := claimedBy(t, e, types)
		if !ok {
			rest = append(rest, e)
			continue
		}
		of := find(claims, func(c *claim) bool { return c.isOf(by) })
		if of == nil {
			of = &claim{claimed: by, entries: map[*entry]claimed{}}
			claims = append(claims, of)
		}
		of.entries[e] = by
	}
	return rest, claims
}

// addClaims gives @unique to the fields whose values are claimed.
func addClaims(m *model) {
	for _, c := range m.claims {
		t := find(m.types, func(t *typ) bool { return c.matches(t.item().typ, c.typ) })
		if t == nil {
			continue
		}
		f := find(t.fields, func(f *field) bool { return f.attribute != "" && c.matches(f.attribute, c.attribute) })
		if f == nil {
			continue
		}
		scope, ok := c.scopeOf(t, f)
		if !ok || !m.partial && !isMost(c.count(t, f, scope), len(c.entries)) {
			continue
		}
		key, sk := c.prefix, c.sk
		for _, s := range scope {
			if s.field != nil {
				s.literal = "{" + s.field.name + "}"
			}
			key += s.literal + "#"
		}
		key += c.between + "{" + f.name + "}"
		if sk == "" {
			sk = key
		}
		c.field, c.name = f, "claims of "+t.name+"."+f.name
		f.unique = fmt.Sprintf(" @unique(key: %s, sk: %s)", quote(key), quote(sk))
	}
}

// scopeOf returns what the parts of the scope of a type's claims are: values of the objects that have what is claimed,
// or literals.
func (c *claim) scopeOf(t *typ, of *field) (scope []scopePart, ok bool) {
	for i := range c.scope {
		var best *field
		for _, f := range t.fields {
			isBetter := best == nil || t.isInKey(f.variable) && !t.isInKey(best.variable)
			if f.variable != "" && !f.list && f.object == nil && f != of && isBetter && c.isScope(t, of, f, i) {
				best = f
			}
		}
		isEqual := true
		for _, by := range c.entries {
			isEqual = isEqual && by.scope[i] == c.scope[i]
		}
		if best == nil && !isEqual {
			return nil, false
		}
		scope = append(scope, scopePart{c.scope[i], best})
	}
	return scope, true
}

// isScope reports whether each object that has a claimed value has the i-th part of the scope in another field, for one
// of the claims of this value.
func (c *claim) isScope(t *typ, of, f *field, i int) bool {
	values := map[[2]string]bool{}
	for _, e := range t.entries() {
		v, _ := e.value(f.variable)
		values[[2]string{e.Text(of.attribute), v.Text}] = true
	}
	for _, by := range c.entries {
		if !values[[2]string{by.value, by.scope[i]}] {
			return false
		}
	}
	return true
}

// count returns how many claims are of an object that the type has.
func (c *claim) count(t *typ, of *field, scope []scopePart) int {
	held := map[string]bool{}
	for _, e := range t.entries() {
		var texts []string
		for _, s := range scope {
			text := s.literal
			if s.field != nil {
				v, _ := e.value(s.field.variable)
				text = v.Text
			}
			texts = append(texts, text)
		}
		held[strings.Join(append(texts, e.Text(of.attribute)), "#")] = true
	}
	n := 0
	for _, by := range c.entries {
		if held[strings.Join(append(slices.Clone(by.scope), by.value), "#")] {
			n++
		}
	}
	return n
}

// claimOf returns the claims that an entry is one of, if a field has them.
func claimOf(claims []*claim, e *entry) *claim {
	return find(claims, func(c *claim) bool {
		_, is := c.entries[e]
		return is && c.field != nil && c.field.unique != "" && c.field.fault == ""
	})
}
