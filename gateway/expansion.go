package gateway

import "github.com/vektah/gqlparser/v2/ast"

// expansion counts the fields that an operation selects once its fragments stand where they are spread: fragments that spread each
// other twice make a document of a few lines select millions. What was counted of a fragment is remembered, so that
// counting itself takes no longer than the document is. Validation has refused fragments that spread themselves.
type expansion struct {
	most      int
	fragments map[*ast.FragmentDefinition]int
}

// expandsBeyond tells whether a selection set has more than most fields.
func expandsBeyond(set ast.SelectionSet, most int) bool {
	e := expansion{most: most, fragments: map[*ast.FragmentDefinition]int{}}
	return e.count(set) > most
}

// count stops beyond most, where the sum could overflow.
func (e *expansion) count(set ast.SelectionSet) int {
	n := 0
	for _, selection := range set {
		switch s := selection.(type) {
		case *ast.Field:
			n += 1 + e.count(s.SelectionSet)
		case *ast.InlineFragment:
			n += e.count(s.SelectionSet)
		case *ast.FragmentSpread:
			if _, counted := e.fragments[s.Definition]; !counted {
				e.fragments[s.Definition] = e.count(s.Definition.SelectionSet)
			}
			n += e.fragments[s.Definition]
		}
		if n > e.most {
			return n
		}
	}
	return n
}
