package fixes

import (
	"fmt"
	"maps"
	"slices"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/gen/directives/reading"
	"github.com/partita/partita/internal/gen/directives/sdl"
	"github.com/partita/partita/keys"
)

// Remove returns the fix that removes an argument of a field.
func Remove(rd *reading.Read, a *ast.ArgumentDefinition) string {
	return fmt.Sprintf("remove the argument %s of %s", a.Name, rd.Coordinate())
}

// RangeOf returns the input that is a range of a scalar: one of the schema, or one that is built in. It is "" if there
// are no ranges of it.
func RangeOf(r *reading.Design, scalar string) string {
	for _, name := range slices.Sorted(maps.Keys(r.Schema.Types)) {
		if end := r.RangeEnd(ast.NamedType(name, nil)); end != nil && end.Name() == scalar {
			return name
		}
	}
	if name := scalar + "Range"; sdl.Types().Definitions.ForName(name) != nil {
		return name
	}
	return ""
}

// Before returns the beginning of a template up to a variable.
func Before(t keys.Template, variable string) string {
	var segments []keys.Segment
	for _, s := range t.Segments() {
		if s.Variable == variable {
			if s.Literal != "" {
				segments = append(segments, keys.Segment{Glued: s.Glued, Literal: s.Literal})
			}
			break
		}
		segments = append(segments, s)
	}
	return keys.Join(segments, t.Delimiter())
}
