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
	"github.com/partita/partita/keys/stored"
)

// checkIndexLimits finds more indexes, and more attributes in their projections, than a table can have.
//
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ServiceQuotas.html#limits-secondary-indexes
func checkIndexLimits(r *checker) {
	local, included := 0, 0
	for i, ix := range r.DeclaredIndexes {
		if ix.Fault != reading.NoFault {
			continue
		}
		if ix.Local {
			local++
		}
		included += len(ix.Include)
		switch global := ix.IndexLayout; {
		case ix.Local && local > stored.MaxLocalIndexes:
			global.Local = false
			r.find(r.LayoutDirective.Position, "schema",
				fmt.Sprintf("index %s is local index %d: a table has at most %d", ix.Name, local, stored.MaxLocalIndexes),
				fixes.WriteIndexes(r.Design, i, fixes.IndexText(global))+", as a global index")
		case included > stored.MaxIncluded && included-len(ix.Include) <= stored.MaxIncluded:
			global.Projection, global.Include = stored.All, nil
			r.find(r.LayoutDirective.Position, "schema",
				fmt.Sprintf("with index %s, the lists include have %d attributes: those of all indexes have at most %d",
					ix.Name, included, stored.MaxIncluded),
				fixes.WriteIndexes(r.Design, i, fixes.IndexText(global))+", which projects all attributes")
		}
	}
	checkIndexCount(r)
}

// checkIndexCount finds the first entry in each index beyond those that a table can have. An index that is declared in
// @table is there: the quota of its account is higher.
func checkIndexCount(r *checker) {
	first := firstEntries(r)
	for i, f := range first {
		isDeclared := func(ix reading.DeclaredIndex) bool { return ix.Name == f.Index }
		if i < stored.MaxGlobalIndexes || slices.ContainsFunc(r.DeclaredIndexes, isDeclared) {
			continue
		}
		r.find(f.Position(), f.Of.Name,
			fmt.Sprintf("%s is index %d: a table has at most %d global indexes, unless its quota was raised", f.Index, i+1,
				stored.MaxGlobalIndexes), shareIndex(r, f, first[:stored.MaxGlobalIndexes]))
	}
}

// firstEntries returns the first entry in each global index, in the order of the schema.
func firstEntries(r *checker) []*reading.Key {
	var first []*reading.Key
	for _, f := range r.StoredKeys() {
		if f.Index == "" || f.Directive == nil || r.Layout != nil && r.Layout.Index(f.Index).Local {
			continue
		}
		first = append(first, f)
	}
	seen := map[string]bool{}
	return slices.DeleteFunc(first, func(f *reading.Key) bool {
		isSeen := seen[f.Index]
		seen[f.Index] = true
		return isSeen
	})
}

// shareIndex returns the fix that moves all entries of an index, and the fields that read them, to another one in which
// their types have no entries and their partition keys no others.
func shareIndex(r *checker, f *reading.Key, others []*reading.Key) string {
	to := others[0].Index
	if i := slices.IndexFunc(others, func(o *reading.Key) bool { return canShare(r, f.Index, o.Index) }); i >= 0 {
		to = others[i].Index
	}
	var lines []string
	for _, k := range entriesOf(r, f.Index) {
		lines = append(lines, fmt.Sprintf("on type %s replace %s\nwith %s", k.Of.Name, k.Source(), inIndex(k, to)))
	}
	for _, rd := range r.Reads {
		if rd.Index == f.Index {
			lines = append(lines, fmt.Sprintf("on field %s replace index: %q with index: %q", rd.Coordinate(), f.Index, to))
		}
	}
	return strings.Join(lines, "\n")
}

// inIndex returns the @index of an entry with the name of another index.
func inIndex(k *reading.Key, name string) string {
	d := *k.Directive
	d.Arguments = slices.Clone(d.Arguments)
	i := slices.IndexFunc(d.Arguments, func(a *ast.Argument) bool { return a.Name == "name" })
	if i < 0 {
		return strings.Replace(k.Source(), "(", fmt.Sprintf("(name: %q, ", name), 1)
	}
	argument := *d.Arguments[i]
	argument.Value = &ast.Value{Kind: ast.StringValue, Raw: name}
	d.Arguments[i] = &argument
	return sdl.DirectiveText(&d)
}

func entriesOf(r *checker, index string) []*reading.Key {
	return slices.DeleteFunc(r.StoredKeys(), func(k *reading.Key) bool { return k.Index != index || k.Directive == nil })
}

// canShare reports whether the entries of one index may be in another one, too.
func canShare(r *checker, index, other string) bool {
	for _, a := range entriesOf(r, index) {
		for _, b := range entriesOf(r, other) {
			if a.Of == b.Of || keys.SamePartition(a.Partition(), b.Partition()) {
				return false
			}
		}
	}
	return true
}
