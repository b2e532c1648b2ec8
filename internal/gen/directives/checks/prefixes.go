package checks

import (
	"fmt"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/gen/directives/fixes"
	"github.com/partita/partita/internal/gen/directives/reading"
	"github.com/partita/partita/internal/gen/directives/sdl"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// checkPrefixes finds fields whose conditions also select items that the fields do not return. Sort keys that begin
// alike are no fault if no field reads their common beginning.
func checkPrefixes(r *checker) {
	for _, rd := range r.Reads {
		if rd.Kind != design.Query || len(rd.Matches) == 0 {
			continue
		}
		if resolved, err := design.Resolve(r.KeyTypes(), rd.Field); err == nil {
			checkEnd(r, rd, resolved)
			checkSelected(r, rd, resolved)
		}
	}
	checkCollisions(r)
}

// checkEnd finds a Query that also selects values that only begin with the one that is asked for, because no delimiter
// follows it in the stored key.
func checkEnd(r *checker, rd *reading.Read, resolved *design.Field) {
	segments := rd.SK.Segments()
	if next, is := resolved.EndsOpen(); is {
		variable := segments[len(segments)-1].Variable
		fix := fmt.Sprintf("write sk: %q", fixes.Before(rd.SK, variable))
		if next.Literal != "" {
			fix = fmt.Sprintf("write sk: %q", rd.SK.String()+next.Literal)
		} else if a, _ := rd.Source(variable); a != nil && rd.Def.Arguments.ForName(a.Name) != nil {
			fix += fmt.Sprintf("\nremove the argument %s of %s", a.Name, rd.Coordinate())
		}
		r.find(rd.Def.Position, rd.Coordinate(), fmt.Sprintf("pk %q, sk %q also selects each value of {%s} "+
			"that only begins with it: no delimiter follows it in the stored key", rd.PK, rd.SK, variable), fix)
	}
}

// checkSelected finds the stored keys that a Query selects although its templates do not match.
func checkSelected(r *checker, rd *reading.Read, resolved *design.Field) {
	selected := selectedBy(r, rd)
	for _, f := range r.StoredKeys() {
		if f.Index != rd.Index || !sharesPartition(rd, f) || isSkipped(r, rd, f) {
			continue
		}
		stored := f.Of.Segments(f.SK)
		if !rd.IsMatch(f) && selects(r, selected, resolved.Extent(), stored) ||
			rd.IsNarrow(f) && resolved.Extent() == keys.Text {
			r.find(rd.Def.Position, rd.Coordinate(),
				fmt.Sprintf("pk %q, sk %q also selects %s %q (%s)", rd.PK, rd.SK, f.Of.Name, f.SK, place(f)), apartFix(r, rd, f))
			r.ambiguous[rd] = true
		}
	}
	if r.ambiguous[rd] {
		return
	}
	for _, f := range r.StoredKeys() {
		if f.Index != rd.Index || rd.IsMatch(f) || !sharesPartition(rd, f) || isSkipped(r, rd, f) {
			continue
		}
		if a := widening(r, rd, selected, f.Of.Segments(f.SK)); a != nil {
			r.find(a.Position, rd.Coordinate(),
				fmt.Sprintf("without %s, pk %q, sk %q also selects %s %q (%s)",
					a.Name, rd.PK, rd.SK, f.Of.Name, f.SK, place(f)), widenedFix(r, rd, f, a))
			return
		}
	}
}

// isSkipped reports whether reads skip the items of a stored key: only some values of a partition key without a literal
// lead to its partition, as the e-mail address "status_x" does to that of status_{status}, and the type of each item is
// known from its attributes. If constants show it, this is so of sort keys as well.
func isSkipped(r *checker, rd *reading.Read, f *reading.Key) bool {
	isEach := func(isApart func(own *reading.Type) bool) bool {
		return !slices.ContainsFunc(rd.Types, func(name string) bool { return !isApart(r.Types[name]) })
	}
	return coincides(rd, f) && isEach(func(own *reading.Type) bool { return areApart(r, own, f.Of) }) ||
		reading.LooksLike(rd.SK.Segments(), f.SK.Segments()) &&
			isEach(func(own *reading.Type) bool { return own.IsApart(f.Of.Type) })
}

// coincides reports whether only some values of the read's partition key, or of the stored one, lead to the other.
func coincides(rd *reading.Read, f *reading.Key) bool {
	partition := reading.Key{Shape: keys.Shape{PK: rd.PK}, Shards: rd.Matches[0].Shards}
	return !slices.Contains(rd.Types, f.Of.Name) && keys.Coincide(partition.Partition(), f.Partition())
}

// apartFix returns the fix for a stored key that a read selects: a sort key of its own, or where only some values lead
// to its partition, constants that show which type an item has.
func apartFix(r *checker, rd *reading.Read, f *reading.Key) string {
	if !coincides(rd, f) {
		return fixes.Apart(r.Design, rd, f)
	}
	var edits []string
	for _, t := range append([]*reading.Type{f.Of}, typesNamed(r, rd.Types)...) {
		item := t.StoredKeys[0].Directive
		edits = append(edits, fmt.Sprintf("on type %s replace %s\nwith %s",
			t.Name, sdl.DirectiveText(item), sdl.WithConstant(item, t.Name)))
	}
	return strings.Join(edits, "\n")
}

// widenedFix is apartFix for a key that a read selects only without an argument, which may be absent.
func widenedFix(r *checker, rd *reading.Read, f *reading.Key, a *ast.ArgumentDefinition) string {
	if coincides(rd, f) {
		return apartFix(r, rd, f)
	}
	return fmt.Sprintf("write %s: %s!", a.Name, a.Type)
}

func typesNamed(r *checker, names []string) []*reading.Type {
	var types []*reading.Type
	for _, name := range names {
		types = append(types, r.Types[name])
	}
	return types
}

// areApart reports whether an attribute shows which of two types an item has.
func areApart(r *checker, a, b *reading.Type) bool { return r.Names().Type != "" || a.IsApart(b.Type) }

// selectedBy returns the segments of the read's sort key. The values of its variables are those of the first match.
func selectedBy(r *checker, rd *reading.Read) []reading.Valued {
	m := rd.Matches[0]
	stored := r.Types[m.Type.Name].Segments(m.Shape.SK)
	var segments []reading.Valued
	for i, s := range rd.SK.Segments() {
		v := reading.Valued{Segment: s}
		if s.Variable != "" {
			v.Typ = stored[i].Typ
		}
		segments = append(segments, v)
	}
	return segments
}

// selects reports whether a Query of these segments can select a sort key.
func selects(r *checker, selected []reading.Valued, extent keys.Extent, stored []reading.Valued) bool {
	if reading.IsOpen(selected) || reading.IsOpen(stored) {
		return keys.CanBegin(reading.Plain(selected), reading.Plain(stored), extent)
	}
	n := len(selected)
	isOutside := n > len(stored) ||
		n == len(stored) && extent == keys.Children || n < len(stored) && extent == keys.Exact
	if n == 0 || isOutside {
		return n == 0
	}
	if extent != keys.Text {
		return r.CanBeEqual(selected, stored[:n])
	}
	last, beside := selected[n-1], stored[n-1]
	if last.Variable != "" {
		return r.CanBeEqual(selected, stored[:n])
	}
	return r.CanBeEqual(selected[:n-1], stored[:n-1]) && r.CanBegin(beside, last.Literal, false)
}

// widening returns the first argument of the read without which it selects a sort key, nil if there is none.
func widening(r *checker, rd *reading.Read, selected, stored []reading.Valued) *ast.ArgumentDefinition {
	for i, s := range selected {
		if s.Variable == "" {
			continue
		}
		a, _ := rd.Source(s.Variable)
		if a == nil || a.Type.NonNull {
			continue
		}
		prefix := slices.Clone(selected[:i+1])
		prefix[i] = reading.Valued{Segment: keys.Segment{Literal: s.Literal}}
		if i == 0 && s.Literal == "" || selects(r, prefix, keys.Text, stored) {
			return a
		}
	}
	return nil
}

// sharesPartition reports whether the read can read a partition with the stored key.
func sharesPartition(rd *reading.Read, f *reading.Key) bool {
	partition := reading.Key{Shape: keys.Shape{PK: rd.PK}, Shards: rd.Matches[0].Shards}
	return keys.SamePartition(partition.Partition(), f.Partition())
}

// checkCollisions finds stored keys of the table that can be equal: one item would replace the other.
func checkCollisions(r *checker) {
	stored := slices.DeleteFunc(r.StoredKeys(), func(f *reading.Key) bool { return f.Index != "" })
	for i, f := range stored {
		for _, first := range stored[:i] {
			isRecognised := r.Names().Type != "" || first.Of == f.Of // Otherwise checkRecognition finds this.
			if reading.SameShape(f, first) || !isRecognised || f.Of.IsApart(first.Of.Type) || !keys.SamePartition(f.Partition(),
				first.Partition()) ||
				!r.CanBeEqual(f.Of.Segments(f.SK), first.Of.Segments(first.SK)) ||
				r.Layout != nil && areApart(r, f.Of, first.Of) && keys.Coincide(f.Partition(), first.Partition()) {
				continue
			}
			r.find(f.Position(), f.Of.Name,
				fmt.Sprintf("pk %q, sk %q can be the key of %s as well (%s)", f.PK, f.SK, first.Of.Name, place(first)),
				fixes.OwnSortKeys(r.Design, f, first))
			break
		}
	}
}
