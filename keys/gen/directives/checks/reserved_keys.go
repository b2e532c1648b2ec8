package directives

import (
	"fmt"
	"slices"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/keys"
)

// checkReservedKeys finds partition keys of the table that can be the one of the engine's own items: what callers write
// there would be in no export and no check, and could stop the readers of the stream. A template of one variable is
// left to the writes, which do not accept this value, and so are the keys of an existing table: they are as they are.
func (r *checker) checkReservedKeys() {
	if r.layout != nil {
		return
	}
	for _, f := range r.storedKeys() {
		if f.index == "" && !f.derived {
			r.checkReservedKey(f.of, f.PK, f.position(), f.of.Name)
		}
	}
	for _, t := range r.sortedTypes() {
		for _, u := range t.Uniques {
			r.checkReservedKey(t, u.Key, t.def.Fields.ForName(u.Attribute).Position, t.Name+"."+u.Attribute)
		}
	}
}

func (r *checker) checkReservedKey(t *storedType, pk keys.Template, at *ast.Position, where string) {
	lease := string(r.numbered().LeaseKey(0).PK)
	reserved, err := keys.ParseDelimited(pk.Delimiter(), lease)
	isFree := func(s keys.Segment) bool { return s.Variable != "" && s.Literal == "" }
	if err != nil || len(reserved.Segments()) == 1 || !slices.ContainsFunc(pk.Segments(), isFree) ||
		!r.canBeEqual(t.segments(pk), t.segments(reserved)) {
		return
	}
	r.find(at, where, fmt.Sprintf("the key %q can be %q, which is reserved for the leases of live data", pk, lease),
		fmt.Sprintf("write %q in place of %q in all files", r.join(constantCase(t.Name), pk.String()), pk))
}
