package checks

import "github.com/partita/partita/internal/gen/directives/fixes"

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
