package fixes

import (
	"slices"
	"strings"

	"github.com/partita/partita/internal/gen/directives/reading"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// selectBy continues the sort key with the arguments that the read does not use yet and that select objects by a value
// of theirs. They come before what orders the collection.
func selectBy(r *reading.Design, rd *reading.Read, t *reading.Type, pk, sk string) string {
	for _, a := range rd.Def.Arguments {
		attr := t.Attribute(a.Name)
		kind, ranged := r.ArgumentKind(a)
		if attr == nil || ranged || kind != attr.Kind || !canOrder(rd, attr) || inTemplate(pk+sk, a.Name) {
			continue
		}
		sk = r.Join(sk, keys.Segment{Variable: a.Name, Width: t.Width(a.Name)}.String())
	}
	return sk
}

// canOrder reports whether an attribute can be in the sort key that is proposed for a read. An object without a value
// has no entry in an index; a copy needs all values of its key.
func canOrder(rd *reading.Read, attr *design.Attribute) bool {
	return reading.HasText(attr.Kind) && (attr.NonNull || rd.Index != "")
}

// inTemplate reports whether the text of a template names a variable.
func inTemplate(template, variable string) bool {
	return strings.Contains(template, "{"+variable+"}") || strings.Contains(template, "{"+variable+":")
}

// finishSortKey adds the variables that order the collection and that make the sort key unique.
func finishSortKey(r *reading.Design, rd *reading.Read, t *reading.Type, pk, sk string) string {
	add := func(name string) {
		sk = r.Join(sk, keys.Segment{Variable: name, Width: t.Width(name)}.String())
	}
	for _, name := range order(r, rd, t) {
		if !strings.Contains(sk, "{"+name+"}") {
			add(name)
		}
	}
	unique := t.Identity
	if t.Attribute("id") != nil && !isSpreadRead(r, rd, t, pk) {
		unique = []string{"id"}
	}
	for _, name := range unique {
		if !inTemplate(pk+sk, name) {
			add(name)
		}
	}
	if len(unique) > 0 && !strings.Contains(sk, "{") {
		add(unique[len(unique)-1])
	}
	return strings.TrimSuffix(sk, r.Names().Delimiter)
}

// isSpreadRead reports whether the proposed index of a read is one in shards, whose sort key must identify the object.
func isSpreadRead(r *reading.Design, rd *reading.Read, t *reading.Type, pk string) bool {
	template, err := r.Parse(pk)
	return rd.Index != "" && err == nil && r.IsNarrow(t, template)
}

// order returns the attribute by which a collection is sorted: a range argument, or else a time.
func order(r *reading.Design, rd *reading.Read, t *reading.Type) []string {
	for _, a := range rd.Def.Arguments {
		if attr := t.Attribute(a.Name); attr != nil && canOrder(rd, attr) && r.RangeEnd(a.Type) != nil {
			return []string{a.Name}
		}
	}
	var times []string
	for _, a := range t.Attributes {
		isOrder := rd.Index != "" || !slices.Contains(t.Identity, a.Name) || a.Name == "createdAt"
		if a.Kind == keys.Time && a.NonNull && isOrder {
			times = append(times, a.Name)
		}
	}
	if slices.Contains(times, "createdAt") {
		return []string{"createdAt"}
	}
	if len(times) == 1 {
		return times
	}
	return nil
}
