package plan

import (
	"slices"

	"github.com/vektah/gqlparser/v2/ast"
)

// ArgumentProblem is a field that is not read, because of one of its arguments.
type ArgumentProblem struct {
	// Coordinate is its schema coordinate.
	Coordinate string
	Position   *ast.Position
	// Err says what is wrong about the argument, or missing.
	Err error
}

// ArgumentProblems returns the fields of an operation whose arguments are wrong, as far as that is known without
// reading anything, in the order of the document.
func (b *Bound) ArgumentProblems() []ArgumentProblem {
	var problems []ArgumentProblem
	for i, f := range b.fields {
		isKnown := func(p ArgumentProblem) bool { return p.Position == f.Position }
		a := b.arguments[i]
		if a == nil || slices.ContainsFunc(problems, isKnown) {
			continue
		}
		if err := a.problem(f); err != nil {
			problems = append(problems, ArgumentProblem{f.Parent + "." + f.Name, f.Position, err})
		}
	}
	return problems
}

// problem returns what is wrong about the arguments of a field, or nil.
func (a *Arguments) problem(f *Field) error {
	if a.Err != nil {
		return a.Err
	}
	for _, v := range a.values {
		if v.Err() != nil {
			return v.Err()
		}
	}
	if f.SelectsPage() {
		return a.WindowErr
	}
	return nil
}
