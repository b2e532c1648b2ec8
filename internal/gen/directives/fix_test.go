package directives_test

import (
	"fmt"
	"regexp"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/gen/directives"
	"github.com/partita/partita/internal/gen/directives/edits"
)

// namesItsPlace are the edits that say where to do them, so that two with the same words are one.
var namesItsPlace = regexp.MustCompile(`^(add|on|remove @.* from) `)

// apply applies the fix of a finding to the schema's text, literally. An edit that is done already, for another
// finding, is not done again.
func apply(text string, f directives.Finding, done map[string]bool) (string, error) {
	edited := []*ast.Source{{Name: f.File, Input: text}}
	for i, step := range edits.Steps(f) {
		if done[step.Fix] {
			continue
		}
		done[step.Fix] = namesItsPlace.MatchString(step.Fix)
		after, ok := edits.Apply(edited, step)
		if !ok {
			return "", fmt.Errorf("line %d of the fix cannot be applied:\n%w\nto\n%s", i+1, f, edited[0].Input)
		}
		edited = after
	}
	return edited[0].Input, nil
}
