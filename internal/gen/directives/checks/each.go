package checks

import (
	"fmt"
	"maps"
	"slices"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/gen/directives/reading"
)

// checkEach finds a list of whose elements nothing is used.
func (c *stepChecker) checkEach() {
	isElement := func(in reading.ActionInput) bool { return in.List == c.Each }
	if c.Each != "" && !slices.ContainsFunc(c.InputsOf(c.Action), isElement) {
		c.wrong(fmt.Sprintf("the step uses nothing of the elements of %s", c.Each), "remove each from @step")
	}
}

// listType returns the type of the list in the input that has an input in its elements.
func (a *actionChecker) listType(in reading.ActionInput) *ast.Type {
	element := a.ElementName(in.List)
	if f := a.InputDef.Fields.ForName(in.List); in.IsElement {
		element = "ID"
	} else if f != nil && f.Type.Elem != nil && a.Schema.Types[f.Type.Name()].Kind == ast.InputObject {
		element = f.Type.Name() // a name of its own
	}
	return ast.NonNullListType(ast.NonNullNamedType(element, nil), nil)
}

// checkElements compares the declared inputs of the elements of lists with the fields that the steps need.
func (a *actionChecker) checkElements(lists map[string][]inputField) {
	for _, list := range slices.Sorted(maps.Keys(lists)) {
		f := a.InputDef.Fields.ForName(list)
		if f == nil {
			continue
		}
		if def := a.Schema.Types[f.Type.Name()]; def.Kind == ast.InputObject {
			checkInputObject(a.checker, a.asMutation(), def, lists[list], "any step", map[string]bool{})
		}
	}
}
