package edits

import (
	"strings"
	"unicode/utf8"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/gen/directives/finding"
)

// Change is what a fix changes in a file: the bytes from Start to End of its text become Text.
type Change struct {
	File       *ast.Source
	Start, End int
	Text       string
}

// Changes returns what Fix changes, one Change for each file. There are none if a person has to decide.
func Changes(sources []*ast.Source, f finding.Finding, check func([]*ast.Source) finding.Findings) []Change {
	fixed, ok := Fix(sources, f, check)
	if !ok {
		return nil
	}
	var changes []Change
	for i, s := range sources {
		if fixed[i].Input != s.Input {
			changes = append(changes, difference(s, fixed[i].Input))
		}
	}
	return changes
}

// Title returns the fix of a finding in one line.
func Title(f finding.Finding) string {
	var steps []string
	for _, step := range Steps(f) {
		steps = append(steps, step.Fix)
	}
	return strings.Join(steps, "; ")
}

// difference returns what is between the common beginning and end of two texts.
func difference(file *ast.Source, to string) Change {
	from, start := file.Input, 0
	for start < min(len(from), len(to)) && from[start] == to[start] {
		start++
	}
	for start > 0 && start < len(from) && !utf8.RuneStart(from[start]) {
		start--
	}
	end := 0
	for end < min(len(from), len(to))-start && from[len(from)-1-end] == to[len(to)-1-end] {
		end++
	}
	for end > 0 && !utf8.RuneStart(from[len(from)-end]) {
		end--
	}
	return Change{file, start, len(from) - end, to[start : len(to)-end]}
}
