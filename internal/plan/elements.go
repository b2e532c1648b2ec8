package plan

import (
	"slices"
	"strings"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// checkLengths returns the error of the first list in the input of an action that is empty, or so long that the action
// would not be one transaction.
func checkLengths(m *design.Mutation, input map[string]any) *ArgumentError {
	for _, list := range m.Lists() {
		n, most := len(listOf(input[list])), m.AtMost(list)
		if n < 1 || n > most {
			return &ArgumentError{Err: keys.InputErrorf(inputArgument, "%s.%s must have 1 to %d elements; there are %d",
				inputArgument, list, most, n)}
		}
	}
	return nil
}

// listOf returns the elements of a value of a list type: a value that is no list is its only element.
func listOf(raw any) []any {
	switch raw := raw.(type) {
	case nil:
		return nil
	case []any:
		return raw
	default:
		return []any{raw}
	}
}

// elements reads a list of the input of an action: its length, and the fields of its elements.
func (r *inputReader) elements(list string) {
	all := listOf(r.given[list])
	r.add(list, item.NumberValue(len(all)))
	of := *r
	of.definition = r.AST.Types[r.definition.Fields.ForName(list).Type.Name()]
	for i, raw := range all {
		for _, in := range r.mutation.ActionInputs {
			if in.List != list {
				continue
			}
			name := strings.TrimPrefix(in.Name, list+".")
			of.prefix = strings.TrimSuffix(design.ElementField(list, i, name), name)
			if of.given, _ = raw.(map[string]any); in.IsElement {
				var id keys.ID
				_ = id.UnmarshalGQL(raw) // mutationArguments returns the error
				of.add(name, keys.IDAttribute(r.Design.CurrentID(id)))
				continue
			}
			of.actionInput(in, name)
		}
	}
}

// Elements returns how many objects a field of the payload of an action has, which are those of a list of the input: 1
// for another field.
func (b *Bound) Elements(f *Field) int {
	if f.Read == nil || f.Read.Kind != design.Get || f.Read.Result != design.Many {
		return 1
	}
	n := 0
	for i, of := range b.fields {
		if of.Mutation == nil || len(of.Children) == 0 || of.Children[0].Name != f.Parent {
			continue
		}
		at := slices.IndexFunc(of.Mutation.Steps, func(s design.Step) bool { return s.Object == f.Name })
		n = max(n, b.arguments[i].input.Length(of.Mutation.Steps[at].Each))
	}
	return n
}
