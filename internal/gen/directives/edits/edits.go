// Package edits carries out the fixes of findings in the texts of schema files.
//
// A fix is an instruction for people, one line or more, in the words of packages checks, document and fixes. Each of
// its lines is one edit here, known by its words. The tests of findings apply each fix in this way, so that it does
// what it says; an editor offers those after which the finding is gone.
package edits

import (
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/parser"

	"github.com/partita/partita/internal/gen/directives/finding"
)

// Steps returns the finding once for each line of its fix, with that line.
func Steps(f finding.Finding) []finding.Finding {
	var steps []finding.Finding
	for line := range strings.SplitSeq(strings.ReplaceAll(f.Fix, "\nwith ", " with "), "\n") {
		step := f
		step.Fix = line
		steps = append(steps, step)
	}
	return steps
}

// Apply returns the files with the fix of a finding, in the same order. It reports false if a line of the fix is
// nothing that can be done without a person, or is about what the files do not have.
func Apply(sources []*ast.Source, f finding.Finding) ([]*ast.Source, bool) {
	for _, step := range Steps(f) {
		var ok bool
		if sources, ok = applyLine(sources, step); !ok {
			return nil, false
		}
	}
	return sources, true
}

// Fix returns the files with the fix of one of the findings that check returns for them, in the same order. It reports
// false if a person has to decide: after what can be done, the finding is still there, or the files are no GraphQL.
func Fix(
	sources []*ast.Source, f finding.Finding, check func([]*ast.Source) finding.Findings,
) (fixed []*ast.Source, ok bool) {
	fixed, ok = Apply(sources, f)
	if !ok {
		return nil, false
	}
	if _, err := parser.ParseSchemas(fixed...); err != nil {
		return nil, false
	}
	return fixed, number(check(fixed), f) < number(check(sources), f)
}

// number returns how many findings are like one.
func number(findings finding.Findings, f finding.Finding) int {
	n := 0
	for _, other := range findings {
		if other.Identity() == f.Identity() {
			n++
		}
	}
	return n
}

// applyLine carries out a fix of one line: in all files, or else in the finding's, or in the first of the others that
// defines what the line names.
func applyLine(sources []*ast.Source, f finding.Finding) ([]*ast.Source, bool) {
	for _, l := range lines {
		words := l.words.FindStringSubmatch(f.Fix)
		if words == nil {
			continue
		}
		var edited []*ast.Source
		changed := false
		for _, s := range sources {
			text, ok := s.Input, false
			if l.where == everywhere || !changed && (l.where == named || s.Name == f.File) {
				text, ok = l.edit(s.Input, f, words)
			}
			if ok && text != s.Input {
				s, changed = &ast.Source{Name: s.Name, Input: text}, true
			}
			edited = append(edited, s)
		}
		return edited, changed
	}
	return nil, false
}
