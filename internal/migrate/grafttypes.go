package migrate

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/keys/predicate"
)

// graftedType is a type of the graft.
type graftedType struct {
	*design.Type
	stored *design.Type
	// api is that of the API; nil for a type that only the stored version has.
	api *design.Type
	// names are those of the attributes by their stored names.
	names map[string]string
	// unread are the attributes of the API that cannot be read, with the reasons; unwritten those that cannot be written
	// either.
	unread, unwritten map[string]string
	// inPlace are the indexes whose entries change in place.
	inPlace map[string]bool
}

// addTypes adds the types of the stored version, by the names of the API.
func (g *graft) addTypes() {
	for _, t := range g.api.Types {
		if s := g.stored.Type(g.storedType(t.Name)); s != nil && g.own[s.Name] == nil {
			g.addType(s, t)
		}
	}
	for _, s := range g.stored.Types {
		if g.own[s.Name] == nil {
			g.addType(s, nil)
		}
	}
	for _, t := range g.api.Types {
		switch of := g.byAPI[t.Name]; {
		case of == nil:
			g.notReady[t.Name] = fmt.Sprintf("the table does not have the type %s", t.Name)
		default:
			g.differences(of)
			g.refuseAttributes(of)
		}
	}
}

func (g *graft) addType(s, api *design.Type) {
	of := &graftedType{
		stored: s, api: api, names: map[string]string{},
		unread: map[string]string{}, unwritten: map[string]string{}, inPlace: map[string]bool{},
	}
	own := *s
	of.Type, g.own[s.Name], g.types = &own, of, append(g.types, &own)
	if api == nil {
		for own.Name = s.Name; g.api.AST.Types[own.Name] != nil; {
			own.Name += "_" // another type has its name now
		}
		for i := range s.Attributes {
			of.names[s.Attributes[i].Name] = s.Attributes[i].Name
		}
		own.Rule, own.Satisfies = nil, []string{own.Name}
		if own.Name != s.Name {
			own.Value = s.TypeValue()
		}
		return
	}
	g.byAPI[api.Name] = of
	own.Name, own.Satisfies, own.Rule, own.MaxBytes = api.Name, api.Satisfies, api.Rule, max(s.MaxBytes, api.MaxBytes)
	if own.Value = s.TypeValue(); own.Value == own.Name {
		own.Value = ""
	}
	own.Values = g.otherValues(of)
	g.attributes(of)
	g.objects(of)
	of.rename()
	g.formerIDs(of)
	g.markInPlace(of)
}

// otherValues returns the value of the type attribute by the other side of a migration.
func (g *graft) otherValues(of *graftedType) []string {
	if g.Migration == nil {
		return nil
	}
	var values []string
	for _, v := range [...]Version{g.Migration.from, g.Migration.to} {
		other := v.Type(newNaming(g.api, v).storedType(of.api.Name))
		if other != nil && other.TypeValue() != of.stored.TypeValue() {
			values = append(values, other.TypeValue())
		}
	}
	return values
}

// attributes sets the attributes: those of the API as they are stored, then those that only the stored version has.
func (g *graft) attributes(of *graftedType) {
	own := of.Type
	own.Attributes = nil
	for _, a := range of.api.Attributes {
		s := g.storedAttribute(of, &a)
		switch {
		case s == nil:
			g.newAttribute(of, &a)
		case g.conflict(of, s, &a) != "":
			reason := g.conflict(of, s, &a)
			of.unread[a.Name], of.unwritten[a.Name], of.names[s.Name] = reason, reason, a.Name
			a.Kind, a.Object = s.Kind, s.Object
			a.Stored, a.As, a.InKeys, a.Places = s.StoredName(), s.As, s.InKeys, s.Places
		default:
			of.names[s.Name] = a.Name
			a.Stored, a.As, a.InKeys, a.Places = s.StoredName(), s.As, s.InKeys, s.Places
			a.Values = g.valueNames(of.api.Name, a.Name)
		}
		if a.Stored == a.Name {
			a.Stored = ""
		}
		own.Attributes = append(own.Attributes, a)
	}
	for _, s := range of.stored.Attributes {
		if of.names[s.Name] != "" {
			continue
		}
		if s.Stored == "" {
			s.Stored = s.Name
		}
		name := s.Name
		for own.Attribute(name) != nil {
			name += "_" // the API has another attribute with its name
		}
		of.names[s.Name], s.Name = name, name
		if s.Stored == s.Name {
			s.Stored = ""
		}
		own.Attributes = append(own.Attributes, s)
	}
}

// differences sets the differences of the API, and which are not ready because an attribute is not.
func (g *graft) differences(of *graftedType) {
	of.Differences = of.api.Differences
	for _, d := range of.Differences {
		for _, name := range [...]string{d.Of, d.Less} {
			if reason := of.unread[name]; reason != "" {
				of.unread[d.Name] = fmt.Sprintf("needs %s.%s, which %s", of.Name, name, reason)
			}
		}
	}
}

// storedAttribute returns what is stored for an attribute of the API: that of the same field, or of the same stored
// name; nil for an attribute that the stored version does not have.
func (g *graft) storedAttribute(of *graftedType, a *design.Attribute) *design.Attribute {
	if s := of.stored.Attribute(g.storedField(of.api.Name, a.Name)); s != nil {
		return s
	}
	for i := range of.stored.Attributes {
		s := &of.stored.Attributes[i]
		if s.StoredName() == a.StoredName() && !s.InKeys && !a.InKeys {
			return s
		}
	}
	return nil
}

// newAttribute sets what is not ready of an attribute that the stored version does not have.
func (g *graft) newAttribute(of *graftedType, a *design.Attribute) {
	isCounter := slices.ContainsFunc(g.api.Counters, func(c *design.Counter) bool {
		return c.Parent == of.api.Name && c.Attribute == a.Name
	})
	switch {
	case isCounter: // no input has it, so that a creation has to go without it
		a.NonNull = false
		of.unread[a.Name] = "is a counter that the table does not have"
	case a.InKeys:
		of.unread[a.Name] = "is part of keys that the table does not have"
	case a.Name == of.api.Version:
		a.NonNull = false
		of.unread[a.Name] = "is a version that the table does not have"
	case a.NonNull && a.Default.Kind == item.Null:
		of.unread[a.Name] = "is not stored yet, must not be null, and has no @default"
	}
}

// conflict returns why the values of a stored attribute are not those of the API, "" if they are.
func (g *graft) conflict(of *graftedType, s, a *design.Attribute) string {
	def := g.api.FieldDef(of.api.Name, a.Name)
	storedDef := g.stored.FieldDef(of.stored.Name, s.Name)
	switch {
	case def == nil || storedDef == nil:
		return ""
	case depth(def.Type) != depth(storedDef.Type) || (a.Object == "") != (s.Object == "") || !hasSameValues(s, a):
		return fmt.Sprintf("is stored as %s, not as %s", storedDef.Type, def.Type)
	}
	return ""
}

// valueNames returns the stored names of the values of an attribute of the API, nil if all are those of the API.
func (g *graft) valueNames(typeName, name string) *keys.ValueNames {
	def := g.api.FieldDef(typeName, name)
	if def == nil {
		return nil
	}
	n := &keys.ValueNames{Stored: g.values(def.Type.Name())}
	n.Own = n.Stored.Inverse()
	if g.Migration != nil { // A value may have the name by either side.
		for _, v := range [...]Version{g.Migration.from, g.Migration.to} {
			values := newNaming(g.api, v).values(def.Type.Name())
			n.Others = append(n.Others, values)
			maps.Copy(n.Own, values.Inverse())
		}
	}
	if len(n.Own) == 0 {
		return nil
	}
	return n
}

// depth returns how many lists a type has around its values.
func depth(t *ast.Type) int {
	n := 0
	for ; t.Elem != nil; t = t.Elem {
		n++
	}
	return n
}

// hasSameValues reports whether what is stored of the one attribute can be read as the other one, or is an error of the
// single object.
func hasSameValues(s, a *design.Attribute) bool {
	isText := func(k keys.Kind) bool { return k == keys.String || k == keys.IDKind || k == keys.Enum }
	isInt := func(k keys.Kind) bool { return k == keys.Int || k == keys.Int64 }
	return s.Kind == a.Kind || s.As == keys.Plain && (isText(s.Kind) && isText(a.Kind) ||
		isInt(s.Kind) && (isInt(a.Kind) || a.Kind == keys.Float))
}

// objects sets the object types within attributes: those of the API with the names and formats that are stored.
func (g *graft) objects(of *graftedType) {
	own := of.Type
	own.Objects = nil
	for _, o := range of.api.Objects {
		o.Attributes = slices.Clone(o.Attributes)
		s := of.stored.Object(g.storedType(o.Name))
		for i := range o.Attributes {
			a := &o.Attributes[i]
			if was := s.Attribute(g.storedField(o.Name, a.Name)); was != nil {
				a.Stored, a.As = was.StoredName(), was.As
			}
			a.Values = g.valueNames(o.Name, a.Name)
			if a.Stored == a.Name {
				a.Stored = ""
			}
		}
		own.Objects = append(own.Objects, o)
	}
	for _, o := range of.stored.Objects {
		if own.Object(o.Name) == nil {
			own.Objects = append(own.Objects, o)
		}
	}
	slices.SortFunc(own.Objects, func(a, b design.Object) int {
		if a.Name < b.Name {
			return -1
		}
		return 1
	})
}

// rename gives the variables of keys, and all else that names attributes, the names of the API.
func (of *graftedType) rename() {
	own := of.Type
	own.Item = of.shape(own.Item)
	own.Identity = slices.Clone(own.Identity)
	for i, name := range own.Identity {
		own.Identity[i] = of.name(name)
	}
	own.Copies = slices.Clone(own.Copies)
	for i := range own.Copies {
		c := &own.Copies[i]
		c.Shape, c.Latest = of.shape(c.Shape), of.name(c.Latest)
	}
	own.Indexes = slices.Clone(own.Indexes)
	for i := range own.Indexes {
		own.Indexes[i].Shape = of.shape(own.Indexes[i].Shape)
	}
	own.Uniques = slices.Clone(own.Uniques)
	for i := range own.Uniques {
		u := &own.Uniques[i]
		u.Attribute, u.Key, u.SK = of.name(u.Attribute), of.template(u.Key), of.template(u.SK)
		u.Where = of.predicate(u.Where)
	}
	own.Version, own.Expires = of.name(own.Version), of.name(own.Expires)
}

// name returns the name of a stored attribute in the graft.
func (of *graftedType) name(stored string) string {
	if name := of.names[stored]; name != "" {
		return name
	}
	return stored
}

// predicate returns a predicate of the stored version in the names of the graft.
func (of *graftedType) predicate(p predicate.Predicate) predicate.Predicate {
	if len(p.Comparisons) == 0 {
		return p
	}
	return p.Renamed(of.name, func(field string, o predicate.Operand) predicate.Operand {
		a := of.Attribute(of.name(field))
		if a == nil || a.Values == nil || o.Kind != predicate.Name {
			return o
		}
		o.Text = cmp.Or(a.Values.Own[o.Text], o.Text)
		return o
	})
}

func (of *graftedType) shape(s keys.Shape) keys.Shape {
	return keys.Shape{PK: of.template(s.PK), SK: of.template(s.SK)}
}

func (of *graftedType) template(t keys.Template) keys.Template {
	for _, variable := range t.Variables() {
		if of.name(variable) != variable {
			return t.Renamed(of.name)
		}
	}
	return t
}

// formerIDs sets the other forms of global ids: those of the API, and those of both sides of a migration.
func (g *graft) formerIDs(of *graftedType) {
	add := func(v Version, name string) {
		t := v.Type(name)
		if t == nil {
			return
		}
		form := design.IDForm{Type: t.Name}
		names := newNaming(g.api, v)
		for _, variable := range t.Identity {
			form.Identity = append(form.Identity, names.apiField(of.api, variable))
		}
		isKnown := slices.ContainsFunc(of.FormerIDs, func(o design.IDForm) bool {
			return o.Type == form.Type && slices.Equal(o.Identity, form.Identity)
		})
		if !isKnown && (form.Type != of.Name || !slices.Equal(form.Identity, of.Identity)) {
			of.FormerIDs = append(of.FormerIDs, form)
		}
	}
	add(g.api, of.api.Name)
	add(g.stored, of.stored.Name)
	if g.Migration != nil {
		for _, v := range [...]Version{g.Migration.from, g.Migration.to} {
			add(v, newNaming(g.api, v).storedType(of.api.Name))
		}
	}
}

// markInPlace sets which parts of a type are changing in place.
func (g *graft) markInPlace(of *graftedType) {
	if g.Migration == nil || g.InPlaceReady {
		return
	}
	names := newNaming(g.api, g.Migration.to)
	for _, p := range g.Migration.Parts {
		if !p.IsInPlace || p.Change != Changed || p.Type != names.storedType(of.api.Name) {
			continue
		}
		switch p.Kind {
		case IndexEntry:
			of.inPlace[p.Name] = true
		case AttributeOf:
			for _, a := range of.api.Attributes {
				if names.storedField(of.api.Name, a.Name) == p.Name && of.unread[a.Name] == "" {
					of.unread[a.Name] = "is being stored in another form"
				}
			}
		}
	}
}

// refuseAttributes sets which attributes of a type are not ready, also as those of its edges.
func (g *graft) refuseAttributes(of *graftedType) {
	for name, reason := range of.unread {
		if name == "id" && !slices.Equal(of.Identity, []string{"id"}) {
			continue // the global id consists of other attributes
		}
		if r := of.Rule; r != nil && r.Owner == name {
			g.notReady[of.Name] = fmt.Sprintf("the owner of a %s is not known: %s %s", of.Name, name, reason)
		}
		if isMemberVariable(of.Rule, name) {
			g.notReady[of.Name] = fmt.Sprintf("the members of a %s are not known: %s %s", of.Name, name, reason)
		}
		g.refuse(of.Name+"."+name, reason)
		for _, f := range g.api.Fields {
			if f.Edge == "" || g.api.EdgeItem(f.Edge) != of.api || g.api.FieldDef(f.Edge, name) == nil ||
				g.api.Field(f.Edge, name) != nil {
				continue
			}
			g.refuse(f.Edge+"."+name, reason)
		}
	}
}
