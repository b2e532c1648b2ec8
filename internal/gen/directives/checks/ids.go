package checks

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/partita/partita/internal/gen/directives/reading"
	"github.com/partita/partita/internal/gen/directives/sdl"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/predicate"
)

// checkIDs finds stored IDs whose type no key shows: in the API they would be the stored texts, among IDs that are
// opaque. The id of a viewer is such a text by what the identity provider writes into tokens.
func checkIDs(r *checker) {
	if len(r.findings) > 0 {
		return // Keys that are missing or wrong may be those that say it.
	}
	c := &idChecker{checker: r, reads: slices.Clone(r.Reads)}
	for _, m := range r.Members {
		c.reads = append(c.reads, m.Read)
	}
	c.readPlaces()
	c.readKnown()
	for _, t := range r.SortedTypes() {
		for _, a := range t.Attributes {
			if a.Kind == keys.IDKind && a.Ref == "" && !c.known[c.places.find(t.Name+"."+a.Name)] {
				c.findUnknown(t, a.Name)
			}
		}
	}
}

type idChecker struct {
	*checker
	reads  []*reading.Read
	places *placeTypes
	// known has the groups of places with ids that are known, or about which there is another finding.
	known map[string]bool
}

// readPlaces groups what has the same ids: by keys, and by filters.
func (c *idChecker) readPlaces() {
	c.places = groupPlaces(c.Access, c.reads)
	for _, t := range c.SortedTypes() {
		for _, a := range t.Attributes {
			c.places.add(t.Name+"."+a.Name, t.Def.Fields.ForName(a.Name).Type.Name(), t, a.Name)
		}
	}
	for _, rd := range c.Reads {
		for _, a := range rd.Arguments {
			if a.Filter {
				coordinate := rd.Coordinate() + "(" + a.Name + ")"
				c.places.add(coordinate, rd.Def.Arguments.ForName(a.Name).Type.Name(), nil, a.Name)
				c.places.groups[c.places.find(coordinate)] = c.places.find(rd.Matches[0].Type.Name + "." + a.Name)
			}
		}
	}
}

func (c *idChecker) isKnown(typ, attribute string) { c.isKnownAt(typ + "." + attribute) }

func (c *idChecker) isKnownAt(coordinate string) {
	if c.places.types[coordinate] != "" {
		c.known[c.places.find(coordinate)] = true
	}
}

func (c *idChecker) readKnown() {
	c.known = map[string]bool{}
	for _, t := range c.SortedTypes() {
		for _, a := range t.Attributes {
			if a.Ref != "" {
				c.isKnown(t.Name, a.Name)
			}
		}
	}
	for _, u := range c.Unclear {
		c.isKnown(u.Of.Name, u.Variable)
	}
	for _, rd := range c.reads {
		for _, m := range rd.Matches {
			c.isKnown(m.Type.Name, reading.Attribute(m, keys.ViewerVariable))
		}
	}
	c.readOwners()
	c.readSteps()
}

// readOwners adds what is compared with the viewer by rules.
func (c *idChecker) readOwners() {
	for _, def := range c.Objects() {
		if d := def.Directives.ForName("allow"); d != nil {
			c.isKnown(def.Name, sdl.Text(d, "owner"))
		}
		for _, f := range def.Fields {
			if d := f.Directives.ForName("allow"); d != nil {
				c.isKnown(def.Name, sdl.Text(d, "owner"))
				c.isKnownAt(def.Name + "." + f.Name + "(" + sdl.Text(d, "owner") + ")")
			}
		}
	}
}

// readSteps adds what actions compare with the viewer, or set to the viewer.
func (c *idChecker) readSteps() {
	isViewer := func(o predicate.Operand) bool { return o.Kind == predicate.Variable && o.Text == predicate.Viewer }
	for _, a := range c.Actions {
		for _, s := range a.Steps {
			for _, v := range slices.Concat(s.Key, s.Set) {
				if isViewer(v.Operand) {
					c.isKnown(s.Type, v.Name)
				}
			}
			for _, of := range s.If.Comparisons {
				if slices.ContainsFunc(of.Values, isViewer) {
					c.isKnown(s.Type, of.Field)
				}
			}
		}
	}
}

// findUnknown finds a stored ID, once for all that are in the same place of keys.
func (c *idChecker) findUnknown(t *reading.Type, attribute string) {
	coordinate := t.Name + "." + attribute
	group := c.places.find(coordinate)
	c.known[group] = true
	var edits []string
	for _, of := range slices.Sorted(maps.Keys(c.places.types)) {
		if c.places.find(of) == group && c.places.types[of] == "ID" {
			edits = append(edits, c.asString(of))
		}
	}
	c.find(t.Def.Fields.ForName(attribute).Position, coordinate,
		"no key shows the type of this id, so it would be a stored text among opaque ids",
		strings.Join(edits, "\n"))
}

// asString returns the edit that makes a field or an argument a String.
func (c *idChecker) asString(coordinate string) string {
	field, argument, isArgument := strings.Cut(strings.TrimSuffix(coordinate, ")"), "(")
	typ, name, _ := strings.Cut(field, ".")
	f := c.Schema.Types[typ].Fields.ForName(name)
	if !isArgument {
		return sdl.Retype(typ, f, sdl.WithNullability("String", f.Type))
	}
	a := f.Arguments.ForName(argument)
	return fmt.Sprintf("on field %s replace %s: %s with %[2]s: %[4]s", field, argument, a.Type,
		sdl.WithNullability("String", a.Type))
}
