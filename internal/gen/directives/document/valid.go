package document

import (
	"slices"

	"github.com/vektah/gqlparser/v2/ast"
)

// Valid returns the directives of a list that have no faults, as gqlparser's validation would leave them.
func (c *Checker) Valid(list ast.DirectiveList, at ast.DirectiveLocation) ast.DirectiveList {
	var valid ast.DirectiveList
	for _, d := range list {
		def := c.directives[d.Name]
		if def == nil || !slices.Contains(def.Locations, at) || !def.IsRepeatable && valid.ForName(d.Name) != nil {
			continue
		}
		before := len(c.findings)
		if c.checkDirective(d, def, ""); len(c.findings) == before {
			defined := *d
			defined.Definition = def
			valid = append(valid, &defined)
		}
	}
	return valid
}
