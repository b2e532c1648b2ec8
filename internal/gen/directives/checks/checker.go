package checks

import (
	"slices"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/gen/directives/finding"
	"github.com/partita/partita/internal/gen/directives/reading"
)

// checker is one run of the rules over a design.
type checker struct {
	*reading.Design
	findings, unread finding.Findings
	// ambiguous are the reads that also select items that do not match.
	ambiguous map[*reading.Read]bool
}

func (r *checker) find(at *ast.Position, coordinate, what, fix string) {
	r.findings = append(r.findings, finding.At(at, coordinate, what, fix))
}

// hasFinding reports whether there is a finding at the place of a directive; nil is that of an item that is only
// proposed, so there is one.
func (r *checker) hasFinding(d *ast.Directive) bool {
	return d == nil || slices.ContainsFunc(r.findings, func(f finding.Finding) bool {
		return f.File == d.Position.Src.Name && f.Line == d.Position.Line && f.Column == d.Position.Column
	})
}

func place(f *reading.Key) string {
	at := f.Position()
	if at == nil || at.Src == nil {
		return f.Of.Name
	}
	return finding.PlaceOf(at)
}
