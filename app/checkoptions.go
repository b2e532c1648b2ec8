package app

import (
	"slices"

	"github.com/partita/partita/internal/plan"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/table/check"
)

// checkOptions returns the options of all checks of the table. An item that a read would find damaged is invalid.
func (a *Application) checkOptions() check.Options {
	compiled := plan.NewSchema(a.Design, a.Schema.Schema())
	return check.Options{Design: a.Design, Rules: a.Rules, Decode: func(it item.Item) error {
		if err := compiled.CheckAttributes(it); err != nil {
			return err
		}
		return a.decodeNode(it)
	}}
}

// decodeNode returns an error for an item of a type with global IDs that Decode returns an error for. The generated
// function that Decode uses fills no others.
func (a *Application) decodeNode(it item.Item) error {
	t := a.Design.Type(it.Type())
	if a.Decode == nil || t == nil || !isNode(t) {
		return nil
	}
	return a.Decode(it)
}

// isNode reports whether objects of a stored type have global IDs.
func isNode(t *design.Type) bool { return slices.Contains(t.Satisfies, "Node") }
