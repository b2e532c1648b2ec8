package directives

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/keys"
)

// checkPrefixes finds fields whose conditions also select items that the fields do not return. Sort keys that begin
// alike are no fault if no field reads their common beginning.
func (r *checker) checkPrefixes() {
	for _, rd := range r.reads {
		if rd.Kind != keys.Query || len(rd.matches) == 0 {
			continue
		}
		if resolved, err := keys.Resolve(r.keyTypes(), rd.Field); err == nil {
			r.checkEnd(rd, resolved)
			r.checkSelected(rd, resolved)
		}
	}
	r.checkCollisions()
}

// checkEnd finds a Query that also selects values that only begin with the one that is asked for, because no delimiter
// follows it in the stored key.
func (r *checker) checkEnd(rd *read, resolved *keys.Field) {
	segments := rd.SK.Segments()
	if next, is := resolved.EndsOpen(); is {
		variable := segments[len(segments)-1].Variable
		fix := fmt.Sprintf("write sk: %q", before(rd.SK, variable))
		if next.Literal != "" {
			fix = fmt.Sprintf("write sk: %q", rd.SK.String()+next.Literal)
		} else if a, _ := rd.source(variable); a != nil && rd.def.Arguments.ForName(a.Name) != nil {
			fix += fmt.Sprintf("\nremove the argument %s of %s", a.Name, rd.Coordinate())
		}
		r.find(rd.def.Position, rd.Coordinate(), fmt.Sprintf("pk %q, sk %q also selects each value of {%s} "+
			"that only begins with it: no delimiter follows it in the stored key", rd.PK, rd.SK, variable), fix)
	}
}

// checkSelected finds the stored keys that a Query selects although its templates do not match.
func (r *checker) checkSelected(rd *read, resolved *keys.Field) {
	selected := r.selectedBy(rd)
	for _, f := range r.storedKeys() {
		if f.index != rd.Index || !rd.sharesPartition(f) || r.isSkipped(rd, f) {
			continue
		}
		stored := f.of.segments(f.SK)
		if !rd.isMatch(f) && r.selects(selected, resolved.Extent(), stored) ||
			rd.isNarrow(f) && resolved.Extent() == keys.Text {
			r.find(rd.def.Position, rd.Coordinate(),
				fmt.Sprintf("pk %q, sk %q also selects %s %q (%s)", rd.PK, rd.SK, f.of.Name, f.SK, place(f)),
				r.apartFix(rd, f))
			r.ambiguous[rd] = true
		}
	}
	if r.ambiguous[rd] {
		return
	}
	for _, f := range r.storedKeys() {
		if f.index != rd.Index || rd.isMatch(f) || !rd.sharesPartition(f) || r.isSkipped(rd, f) {
			continue
		}
		if a := r.widening(rd, selected, f.of.segments(f.SK)); a != nil {
			r.find(a.Position, rd.Coordinate(),
				fmt.Sprintf("without %s, pk %q, sk %q also selects %s %q (%s)",
					a.Name, rd.PK, rd.SK, f.of.Name, f.SK, place(f)), r.widenedFix(rd, f, a))
			return
		}
	}
}

// isSkipped reports whether reads skip the items of a stored key: only some values of a partition key without a literal
// lead to its partition, as the e-mail address "status_x" does to that of status_{status}, and the type of each item is
// known from its attributes. If constants show it, this is so of sort keys as well.
func (r *checker) isSkipped(rd *read, f *storedKey) bool {
	isEach := func(isApart func(own *storedType) bool) bool {
		return !slices.ContainsFunc(rd.Types, func(name string) bool { return !isApart(r.types[name]) })
	}
	return rd.coincides(f) && isEach(func(own *storedType) bool { return r.areApart(own, f.of) }) ||
		looksLike(rd.SK.Segments(), f.SK.Segments()) &&
			isEach(func(own *storedType) bool { return own.IsApart(f.of.Type) })
}

// coincides reports whether only some values of the read's partition key, or of the stored one, lead to the other.
func (rd *read) coincides(f *storedKey) bool {
	partition := storedKey{Shape: keys.Shape{PK: rd.PK}, shards: rd.matches[0].Shards}
	return !slices.Contains(rd.Types, f.of.Name) && keys.Coincide(partition.partition(), f.partition())
}

// apartFix returns the fix for a stored key that a read selects: a sort key of its own, or where only some values lead
// to its partition, constants that show which type an item has.
func (r *checker) apartFix(rd *read, f *storedKey) string {
	if !rd.coincides(f) {
		return r.apart(rd, f)
	}
	var edits []string
	for _, t := range append([]*storedType{f.of}, r.typesNamed(rd.Types)...) {
		item := t.storedKeys[0].directive
		edits = append(edits, fmt.Sprintf("on type %s replace %s\nwith %s",
			t.Name, directiveText(item), withConstant(item, t.Name)))
	}
	return strings.Join(edits, "\n")
}

// widenedFix is apartFix for a key that a read selects only without an argument, which may be absent.
func (r *checker) widenedFix(rd *read, f *storedKey, a *ast.ArgumentDefinition) string {
	if rd.coincides(f) {
		return r.apartFix(rd, f)
	}
	return fmt.Sprintf("write %s: %s!", a.Name, a.Type)
}

func (r *checker) typesNamed(names []string) []*storedType {
	var types []*storedType
	for _, name := range names {
		types = append(types, r.types[name])
	}
	return types
}

// areApart reports whether an attribute shows which of two types an item has.
func (r *checker) areApart(a, b *storedType) bool { return r.names().Type != "" || a.IsApart(b.Type) }

// selectedBy returns the segments of the read's sort key. The values of its variables are those of the first match.
func (r *checker) selectedBy(rd *read) []valued {
	m := rd.matches[0]
	stored := r.types[m.Type.Name].segments(m.Shape.SK)
	var segments []valued
	for i, s := range rd.SK.Segments() {
		v := valued{Segment: s}
		if s.Variable != "" {
			v.typ = stored[i].typ
		}
		segments = append(segments, v)
	}
	return segments
}

// selects reports whether a Query of these segments can select a sort key.
func (r *checker) selects(selected []valued, extent keys.Extent, stored []valued) bool {
	if isOpen(selected) || isOpen(stored) {
		return keys.CanBegin(plain(selected), plain(stored), extent)
	}
	n := len(selected)
	isOutside := n > len(stored) ||
		n == len(stored) && extent == keys.Children || n < len(stored) && extent == keys.Exact
	if n == 0 || isOutside {
		return n == 0
	}
	if extent != keys.Text {
		return r.canBeEqual(selected, stored[:n])
	}
	last, beside := selected[n-1], stored[n-1]
	if last.Variable != "" {
		return r.canBeEqual(selected, stored[:n])
	}
	return r.canBeEqual(selected[:n-1], stored[:n-1]) && r.canBegin(beside, last.Literal, false)
}

// widening returns the first argument of the read without which it selects a sort key, nil if there is none.
func (r *checker) widening(rd *read, selected, stored []valued) *ast.ArgumentDefinition {
	for i, s := range selected {
		if s.Variable == "" {
			continue
		}
		a, _ := rd.source(s.Variable)
		if a == nil || a.Type.NonNull {
			continue
		}
		prefix := slices.Clone(selected[:i+1])
		prefix[i] = valued{Segment: keys.Segment{Literal: s.Literal}}
		if i == 0 && s.Literal == "" || r.selects(prefix, keys.Text, stored) {
			return a
		}
	}
	return nil
}

// sharesPartition reports whether the read can read a partition with the stored key.
func (rd *read) sharesPartition(f *storedKey) bool {
	partition := storedKey{Shape: keys.Shape{PK: rd.PK}, shards: rd.matches[0].Shards}
	return keys.SamePartition(partition.partition(), f.partition())
}

func (rd *read) matchOf(f *storedKey) *keys.Match {
	for i := range rd.matches {
		m := &rd.matches[i]
		if m.Type.Name == f.of.Name && m.Shape.PK.String() == f.PK.String() && m.Shape.SK.String() == f.SK.String() {
			return m
		}
	}
	return nil
}

func (rd *read) isMatch(f *storedKey) bool { return rd.matchOf(f) != nil }

// isNarrow reports whether the last literal of the read is a value of a variable of the stored key: the Query of a Text
// also selects values that only begin with it.
func (rd *read) isNarrow(f *storedKey) bool {
	m, n := rd.matchOf(f), len(rd.SK.Segments())
	if m == nil || n == 0 {
		return false
	}
	last, stored := rd.SK.Segments()[n-1], f.SK.Segments()[n-1]
	return last.Variable == "" && stored.Variable != "" && len(last.Literal) > len(stored.Literal)
}

// checkCollisions finds stored keys of the table that can be equal: one item would replace the other.
func (r *checker) checkCollisions() {
	stored := slices.DeleteFunc(r.storedKeys(), func(f *storedKey) bool { return f.index != "" })
	for i, f := range stored {
		for _, first := range stored[:i] {
			isRecognised := r.names().Type != "" || first.of == f.of // Otherwise checkRecognition finds this.
			if sameShape(f, first) || !isRecognised || f.of.IsApart(first.of.Type) || !keys.SamePartition(f.partition(),
				first.partition()) ||
				!r.canBeEqual(f.of.segments(f.SK), first.of.segments(first.SK)) ||
				r.layout != nil && r.areApart(f.of, first.of) && keys.Coincide(f.partition(), first.partition()) {
				continue
			}
			r.find(f.position(), f.of.Name,
				fmt.Sprintf("pk %q, sk %q can be the key of %s as well (%s)", f.PK, f.SK, first.of.Name, place(first)),
				r.ownSortKeys(f, first))
			break
		}
	}
}

func sortByPlace(storedKeys []*storedKey) {
	slices.SortStableFunc(storedKeys, func(a, b *storedKey) int {
		x, y := a.position(), b.position()
		return cmp.Or(cmp.Compare(x.Src.Name, y.Src.Name), cmp.Compare(x.Start, y.Start))
	})
}
