package directives

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/keys"
)

// checkMatches finds collections with other items than their fields return.
func (r *checker) checkMatches() {
	for _, rd := range r.reads {
		if len(rd.matches) == 0 || r.ambiguous[rd] || rd.selectsEqualKeys() {
			continue
		}
		if t := rd.twice(); t != nil {
			what := fmt.Sprintf("pk %q, sk %q selects two stored items of each %s, which would appear twice",
				rd.PK, rd.SK, t.Name)
			r.find(rd.def.Position, rd.Coordinate(), what, twiceFix(rd, t))
		}
		shards := rd.matches[0].Shards
		for _, m := range rd.matches[1:] {
			if m.Shards != shards {
				what := fmt.Sprintf("the collection has %s in %s and %s in %s",
					rd.matches[0].Type.Name, shardCount(shards), m.Type.Name, shardCount(m.Shards))
				r.find(rd.def.Position, rd.Coordinate(), what, r.withEqualShards(rd))
				break
			}
		}
		r.checkCover(rd)
	}
}

// withEqualShards returns the fix for a collection with types in different numbers of shards: the greatest of them for
// all. A copy has no shards.
func (r *checker) withEqualShards(rd *read) string {
	stored := slices.DeleteFunc(r.storedKeys(), func(f *storedKey) bool { return f.index != rd.Index || !rd.isMatch(f) })
	shards, hasCopy := 1, false
	for _, f := range stored {
		shards = max(shards, f.shards)
		hasCopy = hasCopy || f.directive != nil && f.directive.Name == "copy"
	}
	if hasCopy {
		shards = 1
	}
	var edits []string
	for _, f := range stored {
		if f.directive == nil || max(1, f.shards) == shards {
			continue
		}
		d := withArgument(f.directive, "shards", &ast.Value{Kind: ast.IntValue, Raw: strconv.Itoa(shards)})
		edits = append(edits, fmt.Sprintf("on type %s replace %s\nwith %s",
			f.of.Name, f.source(), withSortKey(d, f.of.identifying(f.Shape))))
	}
	return strings.Join(edits, "\n")
}

// selectsEqualKeys reports whether a Get selects a key that is a literal and also a value: checkCollisions finds this.
func (rd *read) selectsEqualKeys() bool {
	return rd.Kind == keys.Get && len(rd.matches) > 1 &&
		slices.ContainsFunc(rd.matches, func(m keys.Match) bool { return len(m.Constants) > 0 })
}

// checkCover finds a field whose type is not exactly that of the items it selects.
func (r *checker) checkCover(rd *read) {
	if rd.directive == nil {
		return // A payload has what a field of Query has.
	}
	if rd.EdgeNode || len(rd.possible) == 0 {
		return // The nodes are other objects than the items.
	}
	if r.returnsIncomplete(rd) {
		return // What the items refer to is not known.
	}
	var others, absent []string
	for _, name := range rd.Types {
		if !slices.Contains(rd.possible, name) {
			others = append(others, name)
		}
	}
	for _, name := range rd.possible {
		if !slices.Contains(rd.Types, name) {
			absent = append(absent, name)
		}
	}
	typ := rd.def.Type.Name()
	if rd.connection != nil {
		typ = rd.connection.Node
	}
	if len(others) > 0 {
		fix := "return " + rd.resultOf(rd.Types[0])
		if len(rd.Types) > 1 {
			fix = r.unionOf(rd, rd.Types)
		}
		if sk, ok := r.narrowed(rd); ok {
			fix = fmt.Sprintf("write sk: %q, or return a union or an interface of %s", sk, strings.Join(rd.Types, ", "))
		}
		for _, m := range rd.matches {
			leading := m.Shape.SK.Leading()
			if rd.Kind == keys.Query && slices.Contains(rd.possible, m.Type.Name) && len(leading) > len(rd.SK.String()) {
				fix = "write sk: " + quote(leading) + ", or return a union or an interface of " + strings.Join(rd.Types, ", ")
				break
			}
		}
		what := fmt.Sprintf("the collection has %s, but the field returns %s", oneOf(rd.Types), typ)
		r.find(rd.def.Position, rd.Coordinate(), what, fix)
		return
	}
	if len(absent) == 0 {
		return
	}
	what := fmt.Sprintf("no %s is stored under pk %q, sk %q, but the field returns %s", oneOf(absent), rd.PK, rd.SK, typ)
	if rd.Kind == keys.Get {
		r.find(rd.def.Position, rd.Coordinate(), what, "return "+rd.Types[0])
		return
	}
	if typ == "Node" { // It is of all types; no collection is meant to have them all.
		fix := rd.returning(rd.Types[0])
		if len(rd.Types) > 1 {
			fix = r.unionOf(rd, rd.Types)
		}
		r.find(rd.def.Position, rd.Coordinate(), what, fix)
		return
	}
	if likely, fix := r.misspeltStored(rd, absent); fix != "" {
		r.find(rd.def.Position, rd.Coordinate(), isLikely(likely, what), fix)
		return
	}
	if sk, ok := r.widened(rd); ok {
		r.find(rd.def.Position, rd.Coordinate(), what, fmt.Sprintf("write sk: %q", sk))
		return
	}
	for _, name := range absent {
		if r.types[name] == nil || r.types[name].broken {
			return
		}
	}
	var lines []string
	for _, name := range absent {
		lines = append(lines, r.proposalFor(rd, r.types[name], true))
	}
	r.find(rd.def.Position, rd.Coordinate(), what, strings.Join(lines, "\n"))
}

// widened returns a shorter sort key of the read that selects all types which the field returns, and no others.
func (r *checker) widened(rd *read) (string, bool) {
	sk, delimiter := rd.SK.String(), rd.SK.Delimiter()
	for sk != "" {
		shorter := strings.TrimSuffix(sk, delimiter)
		sk = shorter[:max(0, strings.LastIndex(shorter, delimiter)+len(delimiter))]
		if !strings.Contains(shorter, delimiter) {
			sk = ""
		}
		parsed, err := r.parse(sk)
		if err != nil {
			return "", false
		}
		f := *rd.Field
		f.SK = parsed
		var names []string
		for _, m := range keys.FindMatches(r.keyTypes(), &f) {
			names = append(names, m.Type.Name)
		}
		if slices.Sort(names); slices.Equal(names, rd.possible) {
			return sk, true
		}
	}
	return "", false
}

// narrowed returns a longer sort key of the read that selects only the one type that the field returns, if a literal
// follows in the keys of that.
func (r *checker) narrowed(rd *read) (string, bool) {
	if rd.Kind != keys.Query || len(rd.possible) != 1 {
		return "", false
	}
	n := len(rd.SK.Segments())
	for _, m := range rd.matches {
		segments := m.Shape.SK.Segments()
		if m.Type.Name != rd.possible[0] || n == 0 || len(segments) <= n || segments[n].Literal == "" ||
			rd.SK.Segments()[n-1] == (keys.Segment{}) {
			continue
		}
		sk := joined(rd.SK.String(), segments[n].Literal, rd.SK.Delimiter())
		if segments[n].Variable == "" && len(segments) > n+1 {
			sk += rd.SK.Delimiter()
		}
		parsed, err := r.parse(sk)
		if err != nil {
			continue
		}
		f := *rd.Field
		f.SK = parsed
		matches := keys.FindMatches(r.keyTypes(), &f)
		isOther := func(m keys.Match) bool { return m.Type.Name != rd.possible[0] }
		if len(matches) > 0 && !slices.ContainsFunc(matches, isOther) {
			return sk, true
		}
	}
	return "", false
}

// twice returns a type, if a field selects two stored items of each of its objects, or nil.
func (rd *read) twice() *keys.Type {
	seen := map[*keys.Type]bool{}
	for _, m := range rd.matches {
		if seen[m.Type] {
			return m.Type
		}
		seen[m.Type] = true
	}
	return nil
}

// twiceFix returns the literal with which the sort key of the first stored item alone begins, if there is one.
func twiceFix(rd *read, t *keys.Type) string {
	first := rd.matches[slices.IndexFunc(rd.matches, func(m keys.Match) bool { return m.Type == t })]
	f := *rd.Field
	f.SK = keys.MustDelimited(rd.SK.Delimiter(), first.Shape.SK.Leading())
	if len(keys.FindMatches([]*keys.Type{t}, &f)) == 1 {
		return fmt.Sprintf("write sk: %q, or another beginning that only one of them has", f.SK)
	}
	return fmt.Sprintf("remove %s from type %s, or read a key that only one of the stored items has",
		rd.Name, rd.Parent)
}
