package directives

import (
	"fmt"
	"slices"
	"strings"

	"github.com/partita/partita/keys"
)

// checkUndeclared finds reads whose condition selects nothing that is stored: only a Scan could
// serve them.
func (r *checker) checkUndeclared() {
	for _, rd := range r.reads {
		if rd.directive == nil || len(rd.matches) > 0 {
			continue
		}
		if r.maybeBroken(rd) || r.hasUnknownVariable(rd) || r.returnsScalar(rd) {
			continue
		}
		if what, fix := r.undeclared(rd); what != "" {
			r.find(rd.def.Position, rd.Coordinate(), what, fix)
		}
	}
}

// undeclared returns what is wrong with a read that selects nothing, and the fix; "" if it may select something once
// the stored keys are corrected.
func (r *checker) undeclared(rd *read) (what, fix string) {
	where := "no item is stored"
	if rd.Index != "" {
		where = "nothing is written into index " + rd.Index
	}
	what = fmt.Sprintf("%s under pk %q, sk %q; it would need a Scan", where, rd.PK, rd.SK)
	if problem, fix := r.lacksAttributes(rd); fix != "" {
		return problem, fix
	}
	if pk, sk, ok := r.reformatted(rd); ok {
		return what, "write " + keyArguments(pk, sk) + ", in the format of the stored keys"
	}
	if likely, fix := r.misspelt(rd); fix != "" {
		if likely != "" {
			what = isLikely(likely, what)
		}
		return what, fix
	}
	if sk := r.ownSortKeyOf(rd); sk != "" {
		return what, fmt.Sprintf("write sk: %q, under which the object is stored", sk)
	}
	if r.returnsIncomplete(rd) {
		return "", ""
	}
	if fix := r.whereStored(rd, true); fix != "" {
		return what, fix
	}
	if _, fix := r.asRead(rd); fix != "" {
		return what, fix
	}
	if fix := r.whereStored(rd, false); fix != "" {
		return what, fix
	}
	return what, r.proposal(rd)
}

// lacksAttributes returns what is wrong, and the fix, if a read of an index does not have a part for each of several
// attributes of its partition key.
func (r *checker) lacksAttributes(rd *read) (what, fix string) {
	ix := r.names().Index(rd.Index)
	segments := rd.PK.Segments()
	if len(ix.PK) <= max(1, len(segments)) {
		return "", ""
	}
	for _, k := range r.storedKeys() {
		if k.index != rd.Index || !r.mayReturn(rd, k.of) || len(k.PK.Segments()) != len(ix.PK) {
			continue
		}
		parts, arguments := []string{rd.PK.String()}, []string(nil)
		for _, s := range k.PK.Segments()[len(segments):] {
			parts = append(parts, s.String())
			argument, attribute := rd.source(s.Variable)
			if s.Variable != "" && argument == nil && attribute == nil {
				arguments = append(arguments, s.Variable+": "+k.of.def.Fields.ForName(s.Variable).Type.Name()+"!")
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
func (r *checker) ownSortKeyOf(rd *read) string {
	if rd.Kind != keys.Get {
		return ""
	}
	for _, k := range r.storedKeys() {
		if k.index != "" || !slices.Contains(rd.possible, k.of.Name) || !samePattern(k.PK, rd.PK) {
			continue
		}
		names := map[string]string{}
		for i, s := range k.PK.Segments() {
			names[s.Variable] = rd.PK.Segments()[i].Variable
		}
		known := true
		sk := rewrite(k.SK, func(s keys.Segment) keys.Segment {
			if s.Variable != "" {
				s.Variable = names[s.Variable]
				known = known && s.Variable != ""
			}
			return s
		})
		if known && r.wouldMatch(rd, rd.PK.String(), sk, "") {
			return sk
		}
	}
	return ""
}

// maybeBroken reports whether a type that the read returns has a template that
// could not be read.
func (r *checker) maybeBroken(rd *read) bool {
	names := rd.possible
	if rd.EdgeNode {
		for _, t := range r.sortedTypes() {
			names = append(names, t.Name)
		}
	}
	for _, name := range names {
		if t := r.types[name]; t == nil || t.broken {
			return true
		}
	}
	return false
}

// returnsIncomplete reports whether a type that the read returns has a key that names no field.
func (r *checker) returnsIncomplete(rd *read) bool {
	return slices.ContainsFunc(rd.possible, func(name string) bool {
		return r.types[name] != nil && r.types[name].hasUnknownVariable()
	})
}

func (r *checker) hasUnknownVariable(rd *read) bool {
	for _, name := range rd.variables() {
		if argument, attr := rd.source(name); argument == nil && attr == nil && name != keys.ViewerVariable {
			return true
		}
	}
	return false
}

// hasUnknownAttribute reports whether a stored key that the read selects names no field: checkVariables finds this.
func (r *checker) hasUnknownAttribute(rd *read) bool {
	return slices.ContainsFunc(rd.matches, func(m keys.Match) bool {
		return slices.ContainsFunc(slices.Concat(m.Shape.PK.Variables(), m.Shape.SK.Variables()),
			func(name string) bool {
				return r.types[m.Type.Name].def.Fields.ForName(name) == nil
			})
	})
}

func (r *checker) returnsScalar(rd *read) bool {
	return len(r.possible(rd.def.Type.Name())) == 0
}

// reformatted returns the read's templates with the padding and buckets of a stored key, if they
// differ from it in nothing else.
func (r *checker) reformatted(rd *read) (pk, sk string, ok bool) {
	for _, f := range r.storedKeys() {
		if f.index != rd.Index {
			continue
		}
		pk, pkOK := adopt(rd.PK, f.PK, false)
		sk, skOK := adopt(rd.SK, f.SK, rd.Kind == keys.Query)
		if pkOK && skOK {
			return pk, sk, true
		}
	}
	return "", "", false
}

func adopt(read, stored keys.Template, prefix bool) (string, bool) {
	from, to := read.Segments(), stored.Segments()
	if len(from) > len(to) || len(from) < len(to) && !prefix {
		return "", false
	}
	adopted := make([]keys.Segment, len(from))
	for i, s := range from {
		open := prefix && i == len(from)-1 && s.Variable == "" && strings.HasPrefix(to[i].Literal, s.Literal)
		if !open &&
			(s.Literal != to[i].Literal || s.Glued != to[i].Glued || (s.Variable == "") != (to[i].Variable == "")) {
			return "", false
		}
		if s.Variable != "" {
			s.Width, s.Bucket, s.Case = to[i].Width, to[i].Bucket, to[i].Case
		}
		adopted[i] = s
	}
	return keys.Join(adopted, read.Delimiter()), true
}
