package fixes

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/partita/partita/internal/gen/directives/finding"
	"github.com/partita/partita/internal/gen/directives/reading"
	"github.com/partita/partita/internal/gen/directives/sdl"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// misspelt returns the likely name, and the fix, for a read that would match if its index or a literal of its templates
// were another one.
func misspelt(r *reading.Design, rd *reading.Read) (likely, fix string) {
	if likely, fix = misspeltValue(r, rd); fix != "" {
		return likely, fix
	}
	if likely, fix = misspeltIndex(r, rd); fix != "" {
		return likely, fix
	}
	if pk, sk := Delimited(r, rd.PK.String()), Delimited(r, rd.SK.String()); r.WouldMatch(rd, pk, sk, rd.Index) {
		return "", "write " + sdl.KeyArguments(pk, sk) + ", with the delimiter of the stored keys"
	}
	for _, k := range r.StoredKeys() {
		if k.Index != rd.Index || !r.MayReturn(rd, k.Of) {
			continue
		}
		pk, likelyPK := corrected(rd.PK, k.PK)
		sk, likelySK := corrected(rd.SK, k.SK)
		if likelyPK == "" && likelySK == "" || !r.WouldMatch(rd, pk, sk, rd.Index) {
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
func misspeltValue(r *reading.Design, rd *reading.Read) (likely, fix string) {
	for _, name := range slices.Sorted(maps.Keys(rd.Misfits)) {
		var values []string
		for _, v := range r.Schema.Types[rd.Misfits[name]].EnumValues {
			values = append(values, v.Name)
		}
		if likely = finding.Likely(name, values); likely == "" {
			continue
		}
		pk, sk := withLiteral(rd.PK, name, likely), withLiteral(rd.SK, name, likely)
		if !r.WouldMatch(rd, pk, sk, rd.Index) {
			continue
		}
		if pk != rd.PK.String() {
			return likely, fmt.Sprintf("write pk: %q", pk)
		}
		return likely, fmt.Sprintf("write sk: %q", sk)
	}
	return "", ""
}

func misspeltIndex(r *reading.Design, rd *reading.Read) (likely, fix string) {
	var names []string
	for _, k := range r.StoredKeys() {
		if k.Index != "" && k.Index != rd.Index && !slices.Contains(names, k.Index) {
			names = append(names, k.Index)
		}
	}
	matching := slices.DeleteFunc(names, func(name string) bool {
		return !r.WouldMatch(rd, rd.PK.String(), rd.SK.String(), name)
	})
	if rd.Kind != design.Query {
		return "", ""
	}
	if len(matching) > 0 {
		if likely = finding.Likely(rd.Index, matching); likely == "" {
			likely = matching[0]
		}
		return likely, fmt.Sprintf("write index: %q", likely)
	}
	if rd.Index != "" && r.WouldMatch(rd, rd.PK.String(), rd.SK.String(), "") {
		return "", "remove index from @query, because the items are in the table itself"
	}
	return "", ""
}

// corrected returns a read's template with the literals of a stored one that they are probably misspellings of, and the
// first such literal, "" if there is none.
func corrected(read, stored keys.Template) (text, likely string) {
	to := stored.Segments()
	i := -1
	text = reading.Rewrite(read, func(s keys.Segment) keys.Segment {
		i++
		if i >= len(to) || s.Literal == to[i].Literal || s.Literal == "" ||
			finding.Likely(s.Literal, []string{to[i].Literal}) == "" {
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

// MisspeltStored returns the likely literal, and the fix, for a type that the read would select if its stored key were
// spelt as the read's.
func MisspeltStored(r *reading.Design, rd *reading.Read, absent []string) (likely, fix string) {
	for _, name := range absent {
		t := r.Types[name]
		if t == nil {
			continue
		}
		for _, k := range t.StoredKeys {
			pk, likelyPK := corrected(k.PK, rd.PK)
			sk, likelySK := corrected(k.SK, rd.SK)
			if k.Index != rd.Index || k.Directive == nil || likelyPK == "" && likelySK == "" {
				continue
			}
			parsedPK, err := r.Parse(pk)
			parsedSK, err2 := r.Parse(sk)
			if err != nil || err2 != nil || !reading.SamePattern(parsedPK, rd.PK) {
				continue
			}
			if _, ok := adopt(rd.SK, parsedSK, true); !ok && rd.SK.String() != "" {
				continue
			}
			by := sdl.WithTemplate(k.Directive, "pk", pk)
			if likelySK != "" {
				by = sdl.WithTemplate(by, "sk", sk)
			}
			return cmp.Or(likelyPK, likelySK), fmt.Sprintf("on type %s replace %s\nwith %s",
				name, k.Source(), sdl.DirectiveText(by))
		}
	}
	return "", ""
}

func withLiteral(t keys.Template, literal, by string) string {
	return reading.Rewrite(t, func(s keys.Segment) keys.Segment {
		if s.Literal == literal && s.Variable == "" {
			s.Literal = by
		}
		return s
	})
}
