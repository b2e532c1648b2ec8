package migrate

import (
	"fmt"
	"slices"

	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// GraftOptions are what a graft has to know beside the two versions.
type GraftOptions struct {
	// Migration is the difference between the sides of the Record; nil without a migration. An item may have the type's
	// name by either side.
	Migration *Difference
	// InPlaceReady is what State.InPlaceReady returns. Without it, fields that need a part that changes in place are not
	// ready.
	InPlaceReady bool
}

// Graft returns the design with which a gateway serves an API over what another version stores: types, fields, rules
// and mutations of the API with the keys, entries, claims, counters, names and formats of the stored version. Fields
// that cannot be served are not ready: see design.WithNotReady. If both store the same, it is the design of the API.
//
// A field is served as it is if its condition selects the same keys of what is stored, or else by the condition that
// the stored version has for the same field.
func Graft(api, stored Version, o GraftOptions) (*design.Design, design.NotReady, error) {
	g := newGraft(api, stored, o)
	isSame := g.isSame()
	if isSame && o.Migration == nil {
		return api.Design, nil, nil
	}
	g.addTypes()
	g.addFields()
	g.refuseActions()
	if isSame && !slices.ContainsFunc(g.types, isChanging) {
		return api.Design, g.notReady, nil
	}
	layout := stored.Layout
	if !stored.HasOtherWriters() {
		layout = nil // that of a table that Partita has created
	}
	d, err := design.NewDesign(layout, g.types, g.fields, g.rules()...)
	if err != nil {
		return nil, nil, fmt.Errorf("migrate: bug: a graft selects what is not stored: %w", err)
	}
	mutations, counters := g.mutations(d)
	return d.WithMutations(mutations, counters).WithGoOf(api.Design), g.notReady, nil
}

// isChanging reports whether items, ids or values of a type have more than one form.
func isChanging(t *design.Type) bool {
	hasNames := func(a design.Attribute) bool { return a.Values != nil }
	return len(t.Values) > 0 || len(t.FormerIDs) > 0 || slices.ContainsFunc(t.Attributes, hasNames) ||
		slices.ContainsFunc(t.Objects, func(o design.Object) bool { return slices.ContainsFunc(o.Attributes, hasNames) })
}

// graft is what Graft makes.
type graft struct {
	api, stored Version
	naming
	GraftOptions
	types    []*design.Type
	fields   []*design.Field
	notReady design.NotReady
	// own are the types by the names of the stored version.
	own map[string]*graftedType
	// byAPI are those that the API has, by their names.
	byAPI map[string]*graftedType
}

func newGraft(api, stored Version, o GraftOptions) *graft {
	return &graft{
		api: api, stored: stored, naming: newNaming(api, stored), GraftOptions: o, notReady: design.NotReady{},
		own: map[string]*graftedType{}, byAPI: map[string]*graftedType{},
	}
}

// isSame reports whether the versions store the same under the same names.
func (g *graft) isSame() bool {
	if g.api.SDL == g.stored.SDL {
		return true
	}
	d := Compare(g.stored, g.api)
	return d.IsEmpty() && len(g.api.Types) == len(g.stored.Types)
}

// naming finds what the stored version calls what the API has. Either may be the later one.
type naming struct{ later, former Names }

func newNaming(api, stored Version) naming {
	return naming{NewNames(stored, api), NewNames(api, stored)}
}

// storedType returns the stored name of a type of the API, "" if the stored version does not have it.
func (n naming) storedType(api string) string {
	if name := n.later.FormerType(api); name != "" {
		return name
	}
	return n.former.LaterType(api)
}

// storedField returns the stored name of a field of a type of the API, "" if the stored version does not have it.
func (n naming) storedField(apiType, api string) string {
	if name := n.later.FormerField(apiType, api); name != "" {
		return name
	}
	return n.former.LaterField(apiType, api)
}

// apiField returns the name that the API has for a stored attribute of a type, or that itself.
func (n naming) apiField(t *design.Type, stored string) string {
	for i := range t.Attributes {
		if name := t.Attributes[i].Name; n.storedField(t.Name, name) == stored {
			return name
		}
	}
	return stored
}

// values returns the stored names of the values of an enum of the API, for those that have others.
func (n naming) values(apiEnum string) keys.Renaming {
	if values := n.later.formerValues(apiEnum); len(values) > 0 {
		return values
	}
	return n.former.formerValues(n.storedType(apiEnum)).Inverse()
}

// refuse sets why a field of the API is not ready, unless there is a reason already.
func (g *graft) refuse(coordinate, reason string) {
	if g.notReady[coordinate] == "" {
		g.notReady[coordinate] = coordinate + " " + reason
	}
}
