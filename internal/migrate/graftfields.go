package migrate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// addFields adds the fields of the API that can be served.
func (g *graft) addFields() {
	for _, f := range g.api.Fields {
		if f.Kind.IsByID() {
			g.fields = append(g.fields, g.byID(f))
			continue
		}
		own, reason := g.payload(f), ""
		if own == nil {
			own, reason = g.asIs(f)
		}
		if own == nil {
			if former := g.former(f); former != nil {
				own = former
			}
		}
		if own != nil {
			if unready := g.unready(f, own); unready != "" {
				own, reason = nil, unready
			}
		}
		if own == nil {
			g.refuseField(f, reason)
			continue
		}
		g.setCursors(own)
		g.setCount(own)
		g.fields = append(g.fields, own)
	}
}

// byID returns a field by global id. It returns the types that are stored.
func (g *graft) byID(f *design.Field) *design.Field {
	own := declared(f)
	own.Types = slices.DeleteFunc(slices.Clone(f.Types), func(name string) bool { return g.byAPI[name] == nil })
	return own
}

// payload returns the field of a payload with the object of its mutation, which the key of its item serves; nil for any
// other field.
func (g *graft) payload(f *design.Field) *design.Field {
	m := g.api.PayloadOf(f.Parent)
	if m == nil || m.Object != f.Name || g.byAPI[m.Type] == nil {
		return nil
	}
	own, t := declared(f), g.byAPI[m.Type]
	own.Index, own.PK, own.SK = "", t.Item.PK, t.Item.SK
	return own
}

// objectOf returns the stored type of a version whose attributes the fields of an object type are, or nil.
func objectOf(v Version, name string) *design.Type {
	if t := v.Type(name); t != nil {
		return t
	}
	if m := v.PayloadOf(name); m != nil {
		return v.Type(m.Type)
	}
	return v.EdgeItem(name)
}

// declared returns a field as NewDesign takes it.
func declared(f *design.Field) *design.Field {
	return &design.Field{
		Parent: f.Parent, Name: f.Name, Kind: f.Kind, Index: f.Index, PK: f.PK, SK: f.SK, Descending: f.Descending,
		AtMost: f.AtMost, Result: f.Result, Types: f.Types, Edge: f.Edge, EdgeNode: f.EdgeNode, Count: f.Count,
		Arguments: f.Arguments, LiveAs: f.LiveAs, Cursors: f.Cursors,
	}
}

func (g *graft) refuseField(f *design.Field, reason string) {
	g.refuse(f.Coordinate(), reason)
	if f.LiveAs != "" {
		g.refuse(design.Subscription+"."+f.LiveAs, reason)
	}
	if !g.isEdge(f.Parent) {
		return
	}
	for _, of := range g.api.Fields { // an event needs the node of its edge
		if of.Edge == f.Parent && of.LiveAs != "" {
			g.refuse(design.Subscription+"."+of.LiveAs, reason)
		}
	}
}

func (g *graft) isEdge(typeName string) bool {
	return slices.ContainsFunc(g.api.Fields, func(f *design.Field) bool { return f.Edge == typeName })
}

// place is a key of items of a type.
type place struct {
	typeName, key string
	shape         keys.Shape
}

func placeOf(t *design.Type, s keys.Shape) place {
	const border = "\x00"
	return place{t.Name, keys.Join(s.PK.Segments(), border) + border + border + keys.Join(s.SK.Segments(), border), s}
}

func hasPlace(places []place, p place) bool {
	return slices.ContainsFunc(places, func(o place) bool { return o.typeName == p.typeName && o.key == p.key })
}

// selected returns the keys that a condition selects among those of types.
func selected(types []*design.Type, f *design.Field) []place {
	var places []place
	for _, m := range design.FindMatches(types, f) {
		places = append(places, placeOf(m.Type, m.Shape))
	}
	return places
}

// beside returns the keys of types that may be in the partitions of a condition.
func beside(types []*design.Type, f *design.Field) []place {
	var places []place
	add := func(t *design.Type, s keys.Shape) {
		if keys.SamePartition(f.PK, s.PK) {
			places = append(places, placeOf(t, s))
		}
	}
	for _, t := range types {
		if f.Index == "" {
			for _, s := range t.Shapes() {
				add(t, s)
			}
		}
		for _, ix := range t.Indexes {
			if ix.Name == f.Index {
				add(t, ix.Shape)
			}
		}
	}
	return places
}

// asIs returns a field with its own condition, if that selects among what is stored the same keys as among those of the
// API, and no other. Otherwise it returns the reason.
//
// What else is in the partition has been checked for the API, but for what only the stored version has there.
func (g *graft) asIs(f *design.Field) (own *design.Field, reason string) {
	if reason := g.lacks(f); reason != "" {
		return nil, reason
	}
	all, of := selected(g.api.Types, f), declared(f)
	got := selected(g.types, of)
	for _, p := range all {
		if slices.Contains(f.Types, p.typeName) && !hasPlace(got, p) {
			return nil, g.missing(f, p.typeName)
		}
	}
	if name := g.renamedLiteral(of); name != "" {
		return nil, fmt.Sprintf("needs %s, which is stored with another name", name)
	}
	for _, p := range got {
		if !hasPlace(all, p) {
			return nil, "needs a key of its own, with which other items are stored now"
		}
	}
	known := beside(g.api.Types, f)
	for _, p := range beside(g.types, of) {
		if !hasPlace(known, p) && !hasPlace(got, p) && keys.Overlap(f.SK.Leading(), p.shape.SK.Leading()) {
			return nil, "needs a key of its own, with which other items are stored now"
		}
	}
	return of, ""
}

// renamedLiteral returns a value of an enum that a condition has as a literal, and that has another name in the stored
// version; "" if there is none.
func (g *graft) renamedLiteral(f *design.Field) string {
	for _, m := range design.FindMatches(g.types, f) {
		for variable, text := range m.Constants {
			if a := m.Type.Attribute(variable); a != nil && a.Values != nil && a.Values.Stored[text] != "" {
				return text
			}
		}
	}
	return ""
}

// lacks returns the reason if a type of a field, or that of its parent, is not stored.
func (g *graft) lacks(f *design.Field) string {
	for _, name := range append(slices.Clone(f.Types), f.Parent) {
		if g.api.Type(name) == nil {
			continue
		}
		if of := g.byAPI[name]; of == nil {
			return fmt.Sprintf("needs the type %s, which the table does not have", name)
		} else if reason := g.notReady[of.Name]; reason != "" {
			return "cannot be read: " + reason
		}
	}
	return ""
}

func (g *graft) missing(f *design.Field, typeName string) string {
	if f.Index != "" {
		return fmt.Sprintf("needs entries of %s in %s, which are not complete", typeName, f.Index)
	}
	return fmt.Sprintf("needs items of %s with the key %s, which are not complete", typeName,
		strings.TrimSuffix(fmt.Sprintf("%q %q", f.PK, f.SK), ` ""`))
}

// former returns a field with the condition of the same field of the stored version; nil if there is none, or if that
// would select something else.
func (g *graft) former(f *design.Field) *design.Field {
	s := g.stored.Field(g.storedType(f.Parent), g.storedField(f.Parent, f.Name))
	if s == nil || g.lacks(f) != "" || s.Kind != f.Kind || s.Result != f.Result || s.EdgeNode != f.EdgeNode ||
		!g.hasTypes(f, s) || !hasArguments(f, s) {
		return nil
	}
	own := declared(f)
	own.Index, own.Descending, own.AtMost = s.Index, s.Descending, max(s.AtMost, f.AtMost)
	own.Arguments = slices.Clone(f.Arguments)
	for _, a := range s.Arguments {
		if f.Argument(a.Name) == nil {
			own.Arguments = append(own.Arguments, a) // it is never given
		}
	}
	name := g.parentNames(s)
	rename := func(t keys.Template) keys.Template {
		for _, variable := range t.Variables() {
			if name(variable) != variable {
				return t.Renamed(name)
			}
		}
		return t
	}
	own.PK, own.SK = rename(s.PK), rename(s.SK)
	return own
}

// hasTypes reports whether a field returns the same types as one of the stored version.
func (g *graft) hasTypes(f, s *design.Field) bool {
	return len(f.Types) == len(s.Types) && !slices.ContainsFunc(f.Types, func(name string) bool {
		return !slices.Contains(s.Types, g.byAPI[name].stored.Name)
	})
}

// hasArguments reports whether a field has the arguments that the condition of another one needs, and no others.
func hasArguments(f, s *design.Field) bool {
	for _, a := range f.Arguments {
		of := s.Argument(a.Name)
		if of == nil || of.Range != a.Range || of.Prefix != a.Prefix || of.Kind != a.Kind || of.Parts != a.Parts {
			return false
		}
	}
	for _, a := range s.Arguments {
		isOptional := s.Kind == design.Query && !slices.Contains(s.PK.Variables(), a.Name)
		if f.Argument(a.Name) == nil && !isOptional {
			return false
		}
	}
	return true
}

// parentNames returns the function from the variables of a field of the stored version to those of the graft.
func (g *graft) parentNames(s *design.Field) func(string) string {
	parent := objectOf(g.stored, s.Parent)
	return func(variable string) string {
		if parent == nil || variable == keys.ViewerVariable || s.Argument(variable) != nil {
			return variable
		}
		return g.own[parent.Name].name(variable)
	}
}

// unready returns the reason if something that a condition needs is not complete.
func (g *graft) unready(f, own *design.Field) string {
	var parent *graftedType
	if of := objectOf(g.api, f.Parent); of != nil {
		parent = g.byAPI[of.Name]
	}
	for _, variable := range slices.Concat(own.PK.Variables(), own.SK.Variables()) {
		if parent != nil && own.Argument(variable) == nil && parent.unread[variable] != "" {
			return fmt.Sprintf("needs %s.%s, which %s", parent.Name, variable, parent.unread[variable])
		}
	}
	for _, m := range design.FindMatches(g.types, own) {
		of := g.byAPI[m.Type.Name]
		if of == nil {
			continue
		}
		if of.inPlace[own.Index] {
			return fmt.Sprintf("needs entries of %s in %s, which are being replaced", of.Name, own.Index)
		}
		for _, variable := range slices.Concat(m.Shape.PK.Variables(), m.Shape.SK.Variables()) {
			switch a := of.api.Attribute(variable); {
			case of.unread[variable] != "":
				return fmt.Sprintf("needs %s.%s, which %s", of.Name, variable, of.unread[variable])
			case a != nil && a.Default.Kind != item.Null && own.Index != "" && !g.isAlwaysStored(of, variable):
				return fmt.Sprintf("needs entries of each %s, which those do not have whose %s is its default",
					of.Name, variable)
			}
		}
	}
	return ""
}

// isAlwaysStored reports whether each item of the type has an attribute, by the stored version.
func (g *graft) isAlwaysStored(of *graftedType, name string) bool {
	return slices.ContainsFunc(of.stored.Attributes, func(s design.Attribute) bool {
		return of.name(s.Name) == name && s.NonNull && s.Default.Kind == item.Null
	})
}

// setCursors makes the cursors of a connection differ from those of another condition that the field has had, or has
// where the API is the stored version.
func (g *graft) setCursors(own *design.Field) {
	if own.Result != design.Connection {
		return
	}
	s := g.stored.Field(g.storedType(own.Parent), g.storedField(own.Parent, own.Name))
	if s == nil {
		return
	}
	name := g.parentNames(s)
	if s.Index != own.Index || s.PK.Renamed(name).String() != own.PK.Renamed(identical).String() ||
		s.SK.Renamed(name).String() != own.SK.Renamed(identical).String() {
		own.Cursors += " " + own.Index + " " + own.PK.String() + " " + own.SK.String()
	}
}

func identical(name string) string { return name }

// setCount refuses the count of a connection if nothing counts it.
func (g *graft) setCount(own *design.Field) {
	of := g.byAPI[own.Parent]
	if own.Count == "" || of == nil {
		return
	}
	if reason := of.unread[own.Count]; reason != "" {
		g.refuse(own.Coordinate()+".totalCount", fmt.Sprintf("needs %s.%s, which %s", of.Name, own.Count, reason))
		return
	}
	isCounted := slices.ContainsFunc(g.api.Counters, func(c *design.Counter) bool {
		return c.Parent == own.Parent && c.Attribute == own.Count
	})
	isStored := slices.ContainsFunc(g.stored.Counters, func(c *design.Counter) bool {
		return c.Parent == of.stored.Name && of.name(c.Attribute) == own.Count
	})
	if isCounted && !isStored {
		g.refuse(own.Coordinate()+".totalCount", fmt.Sprintf("needs the counter %s.%s, which the table does not have",
			of.Name, own.Count))
	}
}
