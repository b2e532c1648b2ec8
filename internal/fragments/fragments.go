// Package fragments finds the fragments that a part of a document uses.
package fragments

import (
	"slices"

	"github.com/vektah/gqlparser/v2/ast"
)

// Used returns the fragments that a selection uses, directly or not, in the order of their first use. Those that are
// not among all are left out, so that the document need not be valid.
func Used(selection ast.SelectionSet, all ast.FragmentDefinitionList) ast.FragmentDefinitionList {
	return use(selection, all, nil)
}

// use adds the fragments that a selection uses to those found so far.
func use(selection ast.SelectionSet, all, found ast.FragmentDefinitionList) ast.FragmentDefinitionList {
	for _, s := range selection {
		switch s := s.(type) {
		case *ast.Field:
			found = use(s.SelectionSet, all, found)
		case *ast.InlineFragment:
			found = use(s.SelectionSet, all, found)
		case *ast.FragmentSpread:
			if f := all.ForName(s.Name); f != nil && !slices.Contains(found, f) {
				found = use(f.SelectionSet, all, append(found, f))
			}
		}
	}
	return found
}
