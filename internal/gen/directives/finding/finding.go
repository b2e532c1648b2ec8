// Package finding has what is wrong with a schema, with its place and a fix, and likely names.
package finding

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
)

// Finding is one fault of a design.
type Finding struct {
	// File, Line and Column (both from 1) are the place in the schema.
	File         string
	Line, Column int
	// Coordinate is the type or the field at fault, such as User.orders.
	Coordinate string
	// What is wrong, and how to Fix it: an instruction of one line or more.
	What, Fix string
}

// Findings are all faults of one run by file, line and column.
type Findings []Finding

// Error returns the finding in the format of a compiler's errors, with the fix indented below.
func (f Finding) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s: %s\n    %s",
		f.File, f.Line, f.Column, f.Coordinate, f.What, strings.ReplaceAll(f.Fix, "\n", "\n    "))
}

// Error returns all findings, one below the other.
func (fs Findings) Error() string {
	lines := make([]string, len(fs))
	for i, f := range fs {
		lines[i] = f.Error()
	}
	return strings.Join(lines, "\n")
}

// Sort sorts findings by their places in the schema.
func (fs Findings) Sort() {
	slices.SortStableFunc(fs, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
}

// At returns the finding of a place, which may be nil.
func At(at *ast.Position, coordinate, what, fix string) Finding {
	f := Finding{Coordinate: coordinate, What: what, Fix: fix}
	if at != nil {
		f.Line, f.Column = at.Line, at.Column
		if at.Src != nil {
			f.File = at.Src.Name
		}
	}
	return f
}

// PlaceOf returns a place in the schema, as findings begin with it.
func PlaceOf(at *ast.Position) string {
	if at == nil || at.Src == nil {
		return "?"
	}
	return fmt.Sprintf("%s:%d:%d", at.Src.Name, at.Line, at.Column)
}
