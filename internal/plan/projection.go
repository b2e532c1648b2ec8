package plan

import (
	"slices"

	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// NeedsItems reports whether the entries of an index that a Query of read returns for the field lack something that is
// selected below it, so that their items are read by key as well. Go code may use each attribute.
func (s *Schema) NeedsItems(f *Field, read *design.Field) bool {
	return f.needsItems || f.Kind == GoField && s.hasEntries(read)
}

// HasEntries reports whether a condition selects entries that do not have all attributes of their items.
func (s *Schema) HasEntries(c *design.Condition) bool { return s.hasEntries(c.Field) }

func (s *Schema) hasEntries(read *design.Field) bool {
	return read.Kind == design.Query && s.Design.IsProjected(read.Index)
}

// entriesLack reports whether something that is selected below a field does not follow from the entries that its Query
// returns.
func (s *Schema) entriesLack(f *Field) bool {
	if f.Read == nil || !s.hasEntries(f.Read) {
		return false
	}
	if f.Read.IsVerified() {
		return true
	}
	return slices.ContainsFunc(f.Read.Types, func(name string) bool {
		has := s.projected[entry{f.Read.Index, name}]
		t := s.Design.Type(name)
		if ruleLacks(t.Rule, nil, has) {
			return true
		}
		if t.Expires != "" && has.lacks(t.Expires) {
			return true
		}
		if f.Read.Result == design.Connection {
			return s.pageLacks(f, name, has)
		}
		return len(has) == 0 || s.itemLacks(f.Child(name), has)
	})
}

// pageLacks reports whether something that is selected on a page lacks a value for items of the type.
func (s *Schema) pageLacks(f *Field, typeName string, has projected) bool {
	if len(has) == 0 {
		return f.SelectsPage()
	}
	return slices.ContainsFunc(f.Children[0].Fields, func(part *Field) bool {
		switch {
		case part.Kind == EdgesField:
			return s.objectLacks(part.Children[0], typeName, has)
		case part.Kind != NodesField:
			return false
		case f.Read.EdgeNode:
			return conditionLacks(s.Design.Field(f.Read.Edge, NodeName), has)
		}
		return s.itemLacks(part.Child(typeName), has)
	})
}

// itemLacks is objectLacks for an item that is an object itself; nil if nothing is selected of its type.
func (s *Schema) itemLacks(o *Object, has projected) bool {
	return o != nil && s.objectLacks(o, o.Name, has)
}

// objectLacks reports whether a field of an object whose attributes are those of an entry of the type has no value.
func (s *Schema) objectLacks(o *Object, typeName string, has projected) bool {
	return slices.ContainsFunc(o.Fields, func(f *Field) bool {
		if ruleLacks(f.Rule, f.Read, has) {
			return true
		}
		switch {
		case f.Kind == NodeField:
			return s.itemLacks(f.Child(typeName), has)
		case f.Kind == AttributeField:
			return has.lacks(f.Name)
		case f.Kind == DifferenceField:
			return has.lacks(f.difference.Of) || has.lacks(f.difference.Less)
		case f.Kind == IdentityField:
			return slices.ContainsFunc(s.Design.Type(typeName).Identity, has.lacks)
		case f.Read != nil:
			return conditionLacks(f.Read, has) || f.Read.Count != "" && f.selectsCount() && has.lacks(f.Read.Count)
		}
		return f.Kind == GoField
	})
}

// conditionLacks reports whether a variable of a key condition that is an attribute of the parent has no value.
func conditionLacks(read *design.Field, has projected) bool {
	names := append(slices.Concat(read.PK.Variables(), read.SK.Variables()), read.SinceVariable())
	return slices.ContainsFunc(names, func(name string) bool {
		return name != "" && name != keys.ViewerVariable && read.Argument(name) == nil && has.lacks(name)
	})
}

// ruleLacks reports whether a value that a rule decides by, and that is no argument of a field, has no value.
func ruleLacks(r *design.Rule, read *design.Field, has projected) bool {
	if r.IsPublic() {
		return false
	}
	var names []string
	if r.Owner != "" {
		names = append(names, r.Owner)
	}
	for _, m := range r.Members {
		names = append(append(names, m.PK.Variables()...), m.SK.Variables()...)
	}
	for _, g := range r.Go {
		names = append(names, g.By...)
	}
	return slices.ContainsFunc(names, func(name string) bool {
		return name != keys.ViewerVariable && (read == nil || read.Argument(name) == nil) && has.lacks(name)
	})
}
