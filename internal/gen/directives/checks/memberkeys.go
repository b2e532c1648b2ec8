package checks

import (
	"cmp"
	"slices"

	"github.com/partita/partita/internal/gen/directives/finding"
	"github.com/partita/partita/internal/gen/directives/fixes"
	"github.com/partita/partita/internal/gen/directives/reading"
	"github.com/partita/partita/internal/gen/directives/sdl"
	"github.com/partita/partita/keys"
)

// ownedBy returns the change that puts {viewer} in the place of the variable that most likely is the viewer's id.
func ownedBy(r *checker, m *reading.Member) memberEdit {
	names := memberVariables(m)
	by := ""
	for _, name := range names {
		if argument, attribute := m.Source(name); argument == nil && attribute == nil {
			by = name
		}
	}
	switch {
	case by != "":
	case len(names) == 0, r.Names().HasSortKey() && len(m.SK.Variables()) == 0: // pk says of what one is a member.
		return memberEdit{sk: sdl.Joined(m.SKText, "{viewer}", r.Names().Delimiter)}
	default:
		by = names[len(names)-1]
	}
	width := func(string) int { return 0 }
	return memberEdit{
		pk: fixes.Replaced(m.PK, by, keys.ViewerVariable, width), sk: fixes.Replaced(m.SK, by, keys.ViewerVariable, width),
	}
}

// likelyPartitionKey returns the partition key of a member that has none: that of an item with its sort key, or that of
// the object.
func likelyPartitionKey(r *checker, m *reading.Member) string {
	for _, t := range r.SortedTypes() {
		for _, k := range t.StoredKeys {
			if k.Index == "" && m.SKText != "" && reading.SamePattern(m.SK, k.SK) {
				return k.PK.Renamed(func(variable string) string {
					if sources := memberSources(m); len(sources) > 0 && !slices.Contains(sources, variable) {
						return cmp.Or(finding.Likely(variable, sources), sources[0])
					}
					return variable
				}).String()
			}
		}
	}
	if m.ParentType != nil && r.Names().HasSortKey() {
		return m.ParentType.Item.PK.String()
	}
	return sdl.Joined(reading.AllowMember, "{viewer}", r.Names().Delimiter)
}

// likelySortKey returns the sort key of a member that has none: that of an item in its partition with the id of
// somebody, who is then the viewer.
func likelySortKey(r *checker, m *reading.Member) string {
	for _, t := range r.SortedTypes() {
		for _, k := range t.StoredKeys {
			names := k.SK.Variables()
			if k.Index != "" || len(names) == 0 || !reading.SamePattern(m.PK, k.PK) {
				continue
			}
			by := names[len(names)-1]
			a := t.Attribute(by)
			if a != nil && a.Kind == keys.IDKind && by != "id" && !slices.Contains(k.PK.Variables(), by) {
				return fixes.Replaced(k.SK, by, keys.ViewerVariable, func(string) int { return 0 })
			}
		}
	}
	return sdl.Joined(reading.AllowMember, "{viewer}", r.Names().Delimiter)
}

// likelyKey returns the change of a member's templates to those of a stored key that differs in the spelling of
// literals alone.
func likelyKey(m *reading.Member, k *reading.Key) (memberEdit, bool) {
	distance := 0
	like := func(own, stored keys.Template) (string, bool) {
		segments := slices.Clone(own.Segments())
		if len(segments) != len(stored.Segments()) {
			return "", false
		}
		for i, s := range stored.Segments() {
			if (s.Variable == "") != (segments[i].Variable == "") {
				return "", false
			}
			if s.Variable == "" {
				distance += finding.Distance(segments[i].Literal, s.Literal)
				segments[i].Literal = s.Literal
			}
		}
		return keys.Join(segments, own.Delimiter()), true
	}
	pk, isPK := like(m.PK, k.PK)
	sk, isSK := like(m.SK, k.SK)
	return memberEdit{pk: pk, sk: sk}, isPK && isSK && distance > 0 && distance <= 3
}
