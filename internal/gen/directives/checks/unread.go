package checks

import (
	"strings"

	"github.com/partita/partita/internal/gen/directives/finding"
	"github.com/partita/partita/internal/gen/directives/fixes"
	"github.com/partita/partita/internal/gen/directives/sdl"
)

// checkUnread finds fields that return stored objects without a directive: objects are not inside of the
// item of another, but have keys of their own. On Query, and with arguments, Go code may read them: see
// Schema.Unread.
func checkUnread(r *checker) {
	for _, def := range r.Objects() {
		t := r.Types[def.Name]
		if t == nil && def != r.Schema.Query {
			continue
		}
		for _, f := range def.Fields {
			isNode := def == r.Schema.Query && r.IsNodeField(f)
			isInKey := t != nil && r.IsInKey(t, f.Name) // checkFormats finds this.
			if sdl.ReadDirective(f) != nil || isNode || isInKey || !r.ReturnsStored(f) {
				continue
			}
			what := f.Type.Name() + " is stored as items of its own, but has no directive that reads it"
			if r.Connections[f.Type.Name()] != nil {
				what = f.Type.Name() + " is a page of items, but has no directive that reads it"
			}
			fix := strings.Join(fixes.ReadProposal(r.Design, t, def, f), "\n")
			if t != nil && len(f.Arguments) == 0 {
				r.find(f.Position, def.Name+"."+f.Name, what, fix)
			} else if f.Directives.ForName("cost") == nil {
				r.unread = append(r.unread, finding.At(f.Position, def.Name+"."+f.Name, what, fix))
			}
		}
	}
}
