package directives

import (
	"fmt"
	"slices"
	"strings"

	"github.com/partita/partita/keys"
)

// apart returns the fix for a stored key that a read selects without returning it: a sort key of its own for that, or
// for the one that the read returns. The fix changes the fields that read it, too.
func (r *checker) apart(rd *read, selected *storedKey) string {
	if rd.isNarrow(selected) && slices.Contains(rd.possible, selected.of.Name) {
		return r.divided(rd, selected)
	}
	if r.layout != nil {
		return r.withOther(rd, selected)
	}
	candidates := []*storedKey{selected}
	for _, f := range r.storedKeys() {
		if f != selected && rd.isMatch(f) {
			candidates = append(candidates, f)
		}
	}
	for _, f := range candidates {
		if f.directive != nil && ownSortKey(f) != f.SK.String() && !slices.ContainsFunc(r.reads, func(other *read) bool {
			return other.isMatch(f) && len(other.matches) > 1 && !slices.Equal(other.possible, []string{f.of.Name})
		}) {
			return r.moved(f)
		}
	}
	return r.moved(selected)
}

// withOther returns the fix for a read of an existing table that also selects another stored key, which stays as it is:
// a longer beginning of the sort key, or no such field.
func (r *checker) withOther(rd *read, selected *storedKey) string {
	if sk := r.leadingOf(rd, selected); sk != "" {
		return fmt.Sprintf("write sk: %q", sk)
	}
	return fmt.Sprintf("remove %s from type %s, or read an index whose keys begin otherwise", rd.Name, rd.Parent)
}

// leadingOf returns a longer beginning of a sort key that selects what a read returns, and not another stored key.
func (r *checker) leadingOf(rd *read, selected *storedKey) string {
	for _, m := range rd.matches {
		leading := m.Shape.SK.Leading()
		if rd.Kind != keys.Query || len(leading) <= len(rd.SK.String()) || strings.HasPrefix(selected.SK.Leading(), leading) {
			continue
		}
		longer := *rd.Field
		longer.SK = keys.MustDelimited(rd.SK.Delimiter(), leading)
		if matches := keys.FindMatches(r.keyTypes(), &longer); len(matches) == len(rd.matches) {
			return leading
		}
	}
	return ""
}

// divided returns the fix for a read whose last literal is a value in one stored key, and begins a longer literal in
// another: the other then continues it with the delimiter, and is not equal to the narrow one.
func (r *checker) divided(rd *read, narrow *storedKey) string {
	for _, f := range r.storedKeys() {
		if n := len(rd.SK.Segments()); rd.isMatch(f) && !rd.isNarrow(f) && f.directive != nil &&
			f.SK.Segments()[n-1].Literal != rd.SK.Segments()[n-1].Literal {
			sk := joined(rd.SK.String(), ownSortKey(f), rd.SK.Delimiter())
			if parsed, err := r.parse(sk); err == nil && r.canBeEqual(f.of.segments(parsed), narrow.of.segments(narrow.SK)) {
				sk = joined(sk, constantCase(f.of.Name), rd.SK.Delimiter())
			}
			return fmt.Sprintf("on type %s replace %s\nwith %s", f.of.Name, f.source(), withSortKey(f.directive, sk))
		}
	}
	return "write another sk"
}

// moved returns the fix that gives a stored key a sort key that begins with a literal of its own.
func (r *checker) moved(f *storedKey) string {
	own := movedSortKey(f)
	fix := fmt.Sprintf("on type %s replace %s\nwith %s", f.of.Name, f.source(), withSortKey(f.directive, own))
	for _, rd := range r.reads {
		if rd.directive != nil && rd.isMatch(f) && rd.SK.String() != "" {
			fix += fmt.Sprintf("\non field %s replace sk: %q with sk: %q", rd.Coordinate(), rd.SK, readOfOwn(rd, f, own))
		}
	}
	return fix
}

// readOfOwn returns the sort key with which a field reads what is stored under a sort key that begins with a literal of
// its own.
func readOfOwn(rd *read, f *storedKey, own string) string {
	text, used := own, 0
	if parsed, err := keys.ParseDelimited(f.SK.Delimiter(), own); err == nil && len(parsed.Variables()) > 0 {
		text = strings.TrimSuffix(parsed.Leading(), f.SK.Delimiter())
	}
	for i, s := range rd.SK.Segments() {
		stored := f.SK.Segments()[i]
		if stored.Variable == "" || s.Variable == "" && len(s.Literal) <= len(stored.Literal) {
			continue
		}
		s.Literal = s.Literal[len(stored.Literal):]
		text = joined(text, s.String(), f.SK.Delimiter())
		used++
	}
	if rd.Kind == keys.Query && used == 0 && len(f.SK.Variables()) > 0 {
		text += f.SK.Delimiter()
	}
	return text
}
