package checks

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/gen/directives/finding"
	"github.com/partita/partita/internal/gen/directives/fixes"
	"github.com/partita/partita/internal/gen/directives/reading"
	"github.com/partita/partita/internal/gen/directives/sdl"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// checkMatches finds collections with other items than their fields return.
func checkMatches(r *checker) {
	for _, rd := range r.Reads {
		if len(rd.Matches) == 0 || r.ambiguous[rd] || selectsEqualKeys(rd) {
			continue
		}
		if t := rd.Twice(); t != nil {
			what := fmt.Sprintf("pk %q, sk %q selects two stored items of each %s, which would appear twice",
				rd.PK, rd.SK, t.Name)
			r.find(rd.Def.Position, rd.Coordinate(), what, twiceFix(rd, t))
		}
		shards := rd.Matches[0].Shards
		for _, m := range rd.Matches[1:] {
			if m.Shards != shards {
				what := fmt.Sprintf("the collection has %s in %s and %s in %s",
					rd.Matches[0].Type.Name, fixes.ShardCount(shards), m.Type.Name, fixes.ShardCount(m.Shards))
				r.find(rd.Def.Position, rd.Coordinate(), what, withEqualShards(r, rd))
				break
			}
		}
		checkCover(r, rd)
	}
}

// withEqualShards returns the fix for a collection with types in different numbers of shards: the greatest of them for
// all. A copy has no shards.
func withEqualShards(r *checker, rd *reading.Read) string {
	stored := slices.DeleteFunc(r.StoredKeys(), func(f *reading.Key) bool { return f.Index != rd.Index || !rd.IsMatch(f) })
	shards, hasCopy := 1, false
	for _, f := range stored {
		shards = max(shards, f.Shards)
		hasCopy = hasCopy || f.Directive != nil && f.Directive.Name == "copy"
	}
	if hasCopy {
		shards = 1
	}
	var edits []string
	for _, f := range stored {
		if f.Directive == nil || max(1, f.Shards) == shards {
			continue
		}
		d := sdl.WithArgument(f.Directive, "shards", &ast.Value{Kind: ast.IntValue, Raw: strconv.Itoa(shards)})
		edits = append(edits, fmt.Sprintf("on type %s replace %s\nwith %s",
			f.Of.Name, f.Source(), sdl.WithSortKey(d, f.Of.Identifying(f.Shape))))
	}
	return strings.Join(edits, "\n")
}

// selectsEqualKeys reports whether a Get selects a key that is a literal and also a value: checkCollisions finds this.
func selectsEqualKeys(rd *reading.Read) bool {
	return rd.Kind == design.Get && len(rd.Matches) > 1 &&
		slices.ContainsFunc(rd.Matches, func(m design.Match) bool { return len(m.Constants) > 0 })
}

// checkCover finds a field whose type is not exactly that of the items it selects.
func checkCover(r *checker, rd *reading.Read) {
	if rd.Directive == nil {
		return // A payload has what a field of Query has.
	}
	if rd.EdgeNode || len(rd.Possible) == 0 {
		return // The nodes are other objects than the items.
	}
	if r.ReturnsIncomplete(rd) {
		return // What the items refer to is not known.
	}
	var others, absent []string
	for _, name := range rd.Types {
		if !slices.Contains(rd.Possible, name) {
			others = append(others, name)
		}
	}
	for _, name := range rd.Possible {
		if !slices.Contains(rd.Types, name) {
			absent = append(absent, name)
		}
	}
	typ := rd.Def.Type.Name()
	if rd.Connection != nil {
		typ = rd.Connection.Node
	}
	if len(others) > 0 {
		fix := "return " + rd.ResultOf(rd.Types[0])
		if len(rd.Types) > 1 {
			fix = fixes.UnionOf(r.Design, rd, rd.Types)
		}
		if sk, ok := narrowed(r, rd); ok {
			fix = fmt.Sprintf("write sk: %q, or return a union or an interface of %s", sk, strings.Join(rd.Types, ", "))
		}
		for _, m := range rd.Matches {
			leading := m.Shape.SK.Leading()
			if rd.Kind == design.Query && len(leading) > len(rd.SK.String()) && selectsOnly(r, rd, leading) {
				fix = "write sk: " + sdl.Quote(leading) + ", or return a union or an interface of " + strings.Join(rd.Types, ", ")
				break
			}
		}
		what := fmt.Sprintf("the collection has %s, but the field returns %s", sdl.OneOf(rd.Types), typ)
		r.find(rd.Def.Position, rd.Coordinate(), what, fix)
		return
	}
	if len(absent) == 0 {
		return
	}
	what := fmt.Sprintf("no %s is stored under pk %q, sk %q, but the field returns %s", sdl.OneOf(absent), rd.PK, rd.SK,
		typ)
	if rd.Kind == design.Get {
		r.find(rd.Def.Position, rd.Coordinate(), what, "return "+rd.Types[0])
		return
	}
	if typ == "Node" { // It is of all types; no collection is meant to have them all.
		fix := fixes.Returning(rd, rd.Types[0])
		if len(rd.Types) > 1 {
			fix = fixes.UnionOf(r.Design, rd, rd.Types)
		}
		r.find(rd.Def.Position, rd.Coordinate(), what, fix)
		return
	}
	if likely, fix := fixes.MisspeltStored(r.Design, rd, absent); fix != "" {
		r.find(rd.Def.Position, rd.Coordinate(), finding.IsLikely(likely, what), fix)
		return
	}
	if sk, ok := widened(r, rd); ok {
		r.find(rd.Def.Position, rd.Coordinate(), what, fmt.Sprintf("write sk: %q", sk))
		return
	}
	for _, name := range absent {
		if r.Types[name] == nil || r.Types[name].Broken {
			return
		}
	}
	var lines []string
	for _, name := range absent {
		lines = append(lines, fixes.ProposalFor(r.Design, rd, r.Types[name], true))
	}
	r.find(rd.Def.Position, rd.Coordinate(), what, strings.Join(lines, "\n"))
}

// selectsOnly reports whether a read with another sort key selects types that it returns, and no others.
func selectsOnly(r *checker, rd *reading.Read, sk string) bool {
	other := *rd.Field
	other.SK = keys.MustDelimited(rd.SK.Delimiter(), sk)
	matches := design.FindMatches(r.KeyTypes(), &other)
	return len(matches) > 0 && !slices.ContainsFunc(matches, func(m design.Match) bool {
		return !slices.Contains(rd.Possible, m.Type.Name)
	})
}

// widened returns a shorter sort key of the read that selects all types which the field returns, and no others.
func widened(r *checker, rd *reading.Read) (string, bool) {
	sk, delimiter := rd.SK.String(), rd.SK.Delimiter()
	for sk != "" {
		shorter := strings.TrimSuffix(sk, delimiter)
		sk = shorter[:max(0, strings.LastIndex(shorter, delimiter)+len(delimiter))]
		if !strings.Contains(shorter, delimiter) {
			sk = ""
		}
		parsed, err := r.Parse(sk)
		if err != nil {
			return "", false
		}
		f := *rd.Field
		f.SK = parsed
		var names []string
		for _, m := range design.FindMatches(r.KeyTypes(), &f) {
			names = append(names, m.Type.Name)
		}
		if slices.Sort(names); slices.Equal(names, rd.Possible) {
			return sk, true
		}
	}
	return "", false
}

// narrowed returns a longer sort key of the read that selects only the one type that the field returns, if a literal
// follows in the keys of that.
func narrowed(r *checker, rd *reading.Read) (string, bool) {
	if rd.Kind != design.Query || len(rd.Possible) != 1 {
		return "", false
	}
	n := len(rd.SK.Segments())
	for _, m := range rd.Matches {
		segments := m.Shape.SK.Segments()
		if m.Type.Name != rd.Possible[0] || n == 0 || len(segments) <= n || segments[n].Literal == "" ||
			rd.SK.Segments()[n-1] == (keys.Segment{}) {
			continue
		}
		sk := sdl.Joined(rd.SK.String(), segments[n].Literal, rd.SK.Delimiter())
		if segments[n].Variable == "" && len(segments) > n+1 {
			sk += rd.SK.Delimiter()
		}
		parsed, err := r.Parse(sk)
		if err != nil {
			continue
		}
		f := *rd.Field
		f.SK = parsed
		matches := design.FindMatches(r.KeyTypes(), &f)
		isOther := func(m design.Match) bool { return m.Type.Name != rd.Possible[0] }
		if len(matches) > 0 && !slices.ContainsFunc(matches, isOther) {
			return sk, true
		}
	}
	return "", false
}

// twiceFix returns the literal with which the sort key of the first stored item alone begins, if there is one.
func twiceFix(rd *reading.Read, t *design.Type) string {
	first := rd.Matches[slices.IndexFunc(rd.Matches, func(m design.Match) bool { return m.Type == t })]
	f := *rd.Field
	f.SK = keys.MustDelimited(rd.SK.Delimiter(), first.Shape.SK.Leading())
	if len(design.FindMatches([]*design.Type{t}, &f)) == 1 {
		return fmt.Sprintf("write sk: %q, or another beginning that only one of them has", f.SK)
	}
	return fmt.Sprintf("remove %s from type %s, or read a key that only one of the stored items has", rd.Name, rd.Parent)
}

// checkUndeclared finds reads whose condition selects nothing that is stored: only a Scan could
// serve them.
func checkUndeclared(r *checker) {
	for _, rd := range r.Reads {
		if rd.Directive == nil || len(rd.Matches) > 0 {
			continue
		}
		if r.MaybeBroken(rd) || r.NamesUnknown(rd) || r.ReturnsScalar(rd) {
			continue
		}
		if what, fix := fixes.Undeclared(r.Design, rd); what != "" {
			r.find(rd.Def.Position, rd.Coordinate(), what, fix)
		}
	}
}
