package fixes

import (
	"fmt"
	"slices"
	"strings"

	"github.com/partita/partita/internal/gen/directives/finding"
	"github.com/partita/partita/internal/gen/directives/reading"
	"github.com/partita/partita/internal/gen/directives/sdl"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// Undeclared returns what is wrong with a read that selects nothing, and the fix; "" if it may select something once
// the stored keys are corrected.
func Undeclared(r *reading.Design, rd *reading.Read) (what, fix string) {
	where := "no item is stored"
	if rd.Index != "" {
		where = "nothing is written into index " + rd.Index
	}
	what = fmt.Sprintf("%s under pk %q, sk %q; it would need a Scan", where, rd.PK, rd.SK)
	if problem, fix := lacksAttributes(r, rd); fix != "" {
		return problem, fix
	}
	if pk, sk, ok := reformatted(r, rd); ok {
		return what, "write " + sdl.KeyArguments(pk, sk) + ", in the format of the stored keys"
	}
	if likely, fix := misspelt(r, rd); fix != "" {
		if likely != "" {
			what = finding.IsLikely(likely, what)
		}
		return what, fix
	}
	if sk := ownSortKeyOf(r, rd); sk != "" {
		return what, fmt.Sprintf("write sk: %q, under which the object is stored", sk)
	}
	if r.ReturnsIncomplete(rd) {
		return "", ""
	}
	if fix := whereStored(r, rd, true); fix != "" {
		return what, fix
	}
	if _, fix := AsRead(r, rd); fix != "" {
		return what, fix
	}
	if fix := whereStored(r, rd, false); fix != "" {
		return what, fix
	}
	return what, proposal(r, rd)
}

// lacksAttributes returns what is wrong, and the fix, if a read of an index does not have a part for each of several
// attributes of its partition key.
func lacksAttributes(r *reading.Design, rd *reading.Read) (what, fix string) {
	ix := r.Names().Index(rd.Index)
	segments := rd.PK.Segments()
	if len(ix.PK) <= max(1, len(segments)) {
		return "", ""
	}
	for _, k := range r.StoredKeys() {
		if k.Index != rd.Index || !r.MayReturn(rd, k.Of) || len(k.PK.Segments()) != len(ix.PK) {
			continue
		}
		parts, arguments := []string{rd.PK.String()}, []string(nil)
		for _, s := range k.PK.Segments()[len(segments):] {
			parts = append(parts, s.String())
			argument, attribute := rd.Source(s.Variable)
			if s.Variable != "" && argument == nil && attribute == nil {
				arguments = append(arguments, s.Variable+": "+k.Of.Def.Fields.ForName(s.Variable).Type.Name()+"!")
			}
		}
		fix = fmt.Sprintf("write pk: %q", strings.Join(parts, rd.PK.Delimiter()))
		if len(arguments) > 0 {
			fix += fmt.Sprintf("\nadd the arguments %s to field %s", strings.Join(arguments, ", "), rd.Coordinate())
		}
		return fmt.Sprintf("pk %q must have a part for each of the attributes %s of index %s", rd.PK,
			strings.Join(ix.PK.Names(), ", "), rd.Index), fix
	}
	return "", ""
}

// ownSortKeyOf returns the sort key of the object that a @get returns if that is stored in the read's
// partition, under a key that consists of the partition's values.
func ownSortKeyOf(r *reading.Design, rd *reading.Read) string {
	if rd.Kind != design.Get {
		return ""
	}
	for _, k := range r.StoredKeys() {
		if k.Index != "" || !slices.Contains(rd.Possible, k.Of.Name) || !reading.SamePattern(k.PK, rd.PK) {
			continue
		}
		names := map[string]string{}
		for i, s := range k.PK.Segments() {
			names[s.Variable] = rd.PK.Segments()[i].Variable
		}
		known := true
		sk := reading.Rewrite(k.SK, func(s keys.Segment) keys.Segment {
			if s.Variable != "" {
				s.Variable = names[s.Variable]
				known = known && s.Variable != ""
			}
			return s
		})
		if known && r.WouldMatch(rd, rd.PK.String(), sk, "") {
			return sk
		}
	}
	return ""
}

// reformatted returns the read's templates with the padding and buckets of a stored key, if they
// differ from it in nothing else.
func reformatted(r *reading.Design, rd *reading.Read) (pk, sk string, ok bool) {
	for _, f := range r.StoredKeys() {
		if f.Index != rd.Index {
			continue
		}
		pk, pkOK := adopt(rd.PK, f.PK, false)
		sk, skOK := adopt(rd.SK, f.SK, rd.Kind == design.Query)
		if pkOK && skOK {
			return pk, sk, true
		}
	}
	return "", "", false
}
