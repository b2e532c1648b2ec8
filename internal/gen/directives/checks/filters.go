package checks

import (
	"fmt"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/gen/directives/fixes"
	"github.com/partita/partita/internal/gen/directives/reading"
)

// filterFault returns why an argument that is not part of the key condition cannot be a filter. byKey is the fix that
// makes do without one.
func filterFault(r *checker, rd *reading.Read, a *ast.ArgumentDefinition, byKey string) (what, fix string) {
	remove := fixes.Remove(rd, a)
	switch r.FilterFault(rd, a) {
	case reading.NoFilterFault:
		return "", ""
	case reading.BoundFault:
		return needsFilter, byKey + ". Where the collection has few items, atMost lets it be read as a whole and filtered"
	case reading.TypeFault:
		f := r.Types[rd.Matches[0].Type.Name].Def.Fields.ForName(a.Name)
		if f.Type.Elem != nil && f.Type.Elem.Elem != nil || rd.AtMost <= 0 {
			return needsFilter, byKey
		}
		of := ast.NamedType(f.Type.Name(), nil)
		if retyped := (&ast.ArgumentDefinition{Name: a.Name, Type: of}); r.FilterFault(rd, retyped) == reading.TypeFault {
			return needsFilter, byKey
		}
		return fmt.Sprintf("filters by %s of %s, which has another type", a.Name, rd.Matches[0].Type.Name),
			fmt.Sprintf("write %s: %s", a.Name, of)
	case reading.RuleFault:
		return "would show which objects have a value that not everybody may read", remove
	case reading.BucketFault:
		return "cannot be a filter, because each time bucket is a collection of its own", remove
	case reading.ProjectionFault:
		return fmt.Sprintf("cannot be a filter, because the entries in index %s do not have all attributes", rd.Index), remove
	case reading.LiveFault:
		return "is a filter, which the events of a live field do not have",
			fmt.Sprintf("remove @live from field %s, or the argument", rd.Coordinate())
	default:
		return needsFilter, byKey
	}
}
