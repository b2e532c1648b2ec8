package checks

import (
	"fmt"
	"slices"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/gen/directives/reading"
	"github.com/partita/partita/internal/gen/directives/sdl"
	"github.com/partita/partita/keys"
)

// checkReservedKeys finds partition keys of the table that can be the one of the engine's own items: what callers write
// there would be in no export and no check, and could stop the readers of the stream. A template of one variable is
// left to the writes, which do not accept this value, and so are the keys of an existing table: they are as they are.
func checkReservedKeys(r *checker) {
	if r.Layout != nil {
		return
	}
	for _, f := range r.StoredKeys() {
		if f.Index == "" && !f.Derived {
			checkReservedKey(r, f.Of, f.PK, f.Position(), f.Of.Name)
		}
	}
	for _, t := range r.SortedTypes() {
		for _, u := range t.Uniques {
			checkReservedKey(r, t, u.Key, t.Def.Fields.ForName(u.Attribute).Position, t.Name+"."+u.Attribute)
		}
	}
}

func checkReservedKey(r *checker, t *reading.Type, pk keys.Template, at *ast.Position, where string) {
	lease := string(r.Numbered().LeaseKey(0).PK)
	reserved, err := keys.ParseDelimited(pk.Delimiter(), lease)
	isFree := func(s keys.Segment) bool { return s.Variable != "" && s.Literal == "" }
	if err != nil || len(reserved.Segments()) == 1 || !slices.ContainsFunc(pk.Segments(), isFree) ||
		!r.CanBeEqual(t.Segments(pk), t.Segments(reserved)) {
		return
	}
	r.find(at, where, fmt.Sprintf("the key %q can be %q, which is reserved for the leases of live data", pk, lease),
		fmt.Sprintf("write %q in place of %q in all files", r.Join(sdl.ConstantCase(t.Name), pk.String()), pk))
}
