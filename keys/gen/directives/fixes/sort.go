package directives

import (
	"slices"
	"strings"

	"github.com/partita/partita/keys"
)

// selectBy continues the sort key with the arguments that the read does not use yet and that select objects by a value
// of theirs. They come before what orders the collection.
func (r *checker) selectBy(rd *read, t *storedType, pk, sk string) string {
	for _, a := range rd.def.Arguments {
		attr := t.Attribute(a.Name)
		kind, ranged := r.argumentKind(a)
		if attr == nil || ranged || kind != attr.Kind || !canOrder(rd, attr) || inTemplate(pk+sk, a.Name) {
			continue
		}
		sk = r.join(sk, keys.Segment{Variable: a.Name, Width: t.width(a.Name)}.String())
	}
	return sk
}

// canOrder reports whether an attribute can be in the sort key that is proposed for a read. An object without a value
// has no entry in an index; a copy needs all values of its key.
func canOrder(rd *read, attr *keys.Attribute) bool {
	return hasText(attr.Kind) && (attr.NonNull || rd.Index != "")
}

// inTemplate reports whether the text of a template names a variable.
func inTemplate(template, variable string) bool {
	return strings.Contains(template, "{"+variable+"}") || strings.Contains(template, "{"+variable+":")
}

// finishSortKey adds the variables that order the collection and that make the sort key unique.
func (r *checker) finishSortKey(rd *read, t *storedType, pk, sk string) string {
	add := func(name string) {
		sk = r.join(sk, keys.Segment{Variable: name, Width: t.width(name)}.String())
	}
	for _, name := range r.order(rd, t) {
		if !strings.Contains(sk, "{"+name+"}") {
			add(name)
		}
	}
	unique := t.Identity
	if t.Attribute("id") != nil && !r.isSpread(rd, t, pk) {
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
	return strings.TrimSuffix(sk, r.names().Delimiter)
}

// isSpread reports whether the proposed index of a read is one in shards, whose sort key must identify the object.
func (r *checker) isSpread(rd *read, t *storedType, pk string) bool {
	template, err := r.parse(pk)
	return rd.Index != "" && err == nil && r.isNarrow(t, template)
}

// order returns the attribute by which a collection is sorted: a range argument, or else a time.
func (r *checker) order(rd *read, t *storedType) []string {
	for _, a := range rd.def.Arguments {
		if attr := t.Attribute(a.Name); attr != nil && canOrder(rd, attr) && r.rangeEnd(a.Type) != nil {
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

// width returns the digits to which an Int attribute is padded: those of the type's own keys, or
// those of the largest number of its kind. It is 0 for other attributes.
func (t *storedType) width(name string) int {
	for _, f := range t.storedKeys {
		for _, template := range [...]keys.Template{f.PK, f.SK} {
			for _, s := range template.Segments() {
				if s.Variable == name && s.Width > 0 {
					return s.Width
				}
			}
		}
	}
	if a := t.Attribute(name); a != nil {
		return digits(a.Kind)
	}
	return 0
}

// digits returns how many the largest number of a kind has: 0 for a kind that is no number.
func digits(kind keys.Kind) int {
	switch kind {
	case keys.Int:
		return len("2147483647")
	case keys.Int64:
		return len("9223372036854775807")
	default:
		return 0
	}
}
