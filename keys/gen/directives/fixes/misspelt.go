package directives

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/partita/partita/keys"
)

// misspelt returns the likely name, and the fix, for a read that would match if its index or a literal of its templates
// were another one.
func (r *checker) misspelt(rd *read) (likely, fix string) {
	if likely, fix = r.misspeltValue(rd); fix != "" {
		return likely, fix
	}
	if likely, fix = r.misspeltIndex(rd); fix != "" {
		return likely, fix
	}
	if pk, sk := r.delimited(rd.PK.String()), r.delimited(rd.SK.String()); r.wouldMatch(rd, pk, sk, rd.Index) {
		return "", "write " + keyArguments(pk, sk) + ", with the delimiter of the stored keys"
	}
	for _, k := range r.storedKeys() {
		if k.index != rd.Index || !r.mayReturn(rd, k.of) {
			continue
		}
		pk, likelyPK := corrected(rd.PK, k.PK)
		sk, likelySK := corrected(rd.SK, k.SK)
		if likelyPK == "" && likelySK == "" || !r.wouldMatch(rd, pk, sk, rd.Index) {
			continue
		}
		var parts []string
		if likelyPK != "" {
			likely = likelyPK
			parts = append(parts, fmt.Sprintf("pk: %q", pk))
		}
		if likelySK != "" {
			if likely == "" {
				likely = likelySK
			}
			parts = append(parts, fmt.Sprintf("sk: %q", sk))
		}
		return likely, "write " + strings.Join(parts, ", ")
	}
	return "", ""
}

// misspeltValue looks for a literal that is no value of the enum in its place.
func (r *checker) misspeltValue(rd *read) (likely, fix string) {
	for _, name := range slices.Sorted(maps.Keys(rd.misfits)) {
		var values []string
		for _, v := range r.schema.Types[rd.misfits[name]].EnumValues {
			values = append(values, v.Name)
		}
		if likely = Likely(name, values); likely == "" {
			continue
		}
		pk, sk := withLiteral(rd.PK, name, likely), withLiteral(rd.SK, name, likely)
		if !r.wouldMatch(rd, pk, sk, rd.Index) {
			continue
		}
		if pk != rd.PK.String() {
			return likely, fmt.Sprintf("write pk: %q", pk)
		}
		return likely, fmt.Sprintf("write sk: %q", sk)
	}
	return "", ""
}

func (r *checker) misspeltIndex(rd *read) (likely, fix string) {
	var names []string
	for _, k := range r.storedKeys() {
		if k.index != "" && k.index != rd.Index && !slices.Contains(names, k.index) {
			names = append(names, k.index)
		}
	}
	matching := slices.DeleteFunc(names, func(name string) bool {
		return !r.wouldMatch(rd, rd.PK.String(), rd.SK.String(), name)
	})
	if rd.Kind != keys.Query {
		return "", ""
	}
	if len(matching) > 0 {
		if likely = Likely(rd.Index, matching); likely == "" {
			likely = matching[0]
		}
		return likely, fmt.Sprintf("write index: %q", likely)
	}
	if rd.Index != "" && r.wouldMatch(rd, rd.PK.String(), rd.SK.String(), "") {
		return "", "remove index from @query, because the items are in the table itself"
	}
	return "", ""
}

// mayReturn reports whether the field can return objects of the type.
func (r *checker) mayReturn(rd *read, t *storedType) bool {
	return rd.EdgeNode || slices.Contains(rd.possible, t.Name)
}

// wouldMatch reports whether the read with other templates and another index selects items that it can return.
func (r *checker) wouldMatch(rd *read, pk, sk, index string) bool {
	parsedPK, err := r.parse(pk)
	parsedSK, err2 := r.parse(sk)
	if err != nil || err2 != nil {
		return false
	}
	f := *rd.Field
	f.PK, f.SK, f.Index = parsedPK, parsedSK, index
	return slices.ContainsFunc(keys.FindMatches(r.keyTypes(), &f), func(m keys.Match) bool {
		return r.misfit(m) == "" && r.mayReturn(rd, r.types[m.Type.Name])
	})
}

// corrected returns a read's template with the literals of a stored one that they are probably misspellings of, and the
// first such literal, "" if there is none.
func corrected(read, stored keys.Template) (text, likely string) {
	to := stored.Segments()
	i := -1
	text = rewrite(read, func(s keys.Segment) keys.Segment {
		i++
		if i >= len(to) || s.Literal == to[i].Literal || s.Literal == "" ||
			Likely(s.Literal, []string{to[i].Literal}) == "" {
			return s
		}
		s.Literal = to[i].Literal
		if likely == "" {
			likely = s.Literal
		}
		return s
	})
	return text, likely
}

// misspeltStored returns the likely literal, and the fix, for a type that the read would select if its stored key were
// spelt as the read's.
func (r *checker) misspeltStored(rd *read, absent []string) (likely, fix string) {
	for _, name := range absent {
		t := r.types[name]
		if t == nil {
			continue
		}
		for _, k := range t.storedKeys {
			pk, likelyPK := corrected(k.PK, rd.PK)
			sk, likelySK := corrected(k.SK, rd.SK)
			if k.index != rd.Index || k.directive == nil || likelyPK == "" && likelySK == "" {
				continue
			}
			parsedPK, err := r.parse(pk)
			parsedSK, err2 := r.parse(sk)
			if err != nil || err2 != nil || !samePattern(parsedPK, rd.PK) {
				continue
			}
			if _, ok := adopt(rd.SK, parsedSK, true); !ok && rd.SK.String() != "" {
				continue
			}
			by := withTemplate(k.directive, "pk", pk)
			if likelySK != "" {
				by = withTemplate(by, "sk", sk)
			}
			return cmp.Or(likelyPK, likelySK), fmt.Sprintf("on type %s replace %s\nwith %s",
				name, k.source(), directiveText(by))
		}
	}
	return "", ""
}

func withLiteral(t keys.Template, literal, by string) string {
	return rewrite(t, func(s keys.Segment) keys.Segment {
		if s.Literal == literal && s.Variable == "" {
			s.Literal = by
		}
		return s
	})
}
