package plan

import (
	"slices"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys/design"
)

// keyNames are the key-only attributes of an object without their values. They are compared by their address: the Gets
// of a type whose keys have the variables of its global id share those of the type.
type keyNames struct {
	item.Item
	of *design.Type
	// number is the index of the type in the design.
	number int
}

// keyNamesOf returns the keyNames of an object that a Get reads: for the type of its key the variables of that key,
// for others those of the global id.
func (s *Schema) keyNamesOf(get *design.Field, typeName string) *keyNames {
	if names := s.getNames[get]; names != nil && names.of.Name == typeName {
		return names
	}
	return s.idNames[typeName]
}

// newKeyNames sets the keyNames of all types and Gets.
func (s *Schema) newKeyNames() {
	s.idNames = make(map[string]*keyNames, len(s.Design.Types))
	s.getNames = make(map[*design.Field]*keyNames)
	for i, t := range s.Design.Types {
		s.idNames[t.Name] = &keyNames{design.KeyOnly(t), t, i}
	}
	for _, f := range slices.Concat(s.Design.Fields, s.Design.Live) {
		if f.Kind == design.Get {
			s.getNames[f] = s.keyNamesOfMatch(f.Matches()[0])
		}
	}
}

func (s *Schema) keyNamesOfMatch(m design.Match) *keyNames {
	id := s.idNames[m.Type.Name]
	names := &keyNames{item.Item{{Name: item.EntityType, Value: item.StringValue(m.Type.Name)}}, id.of, id.number}
	for _, variables := range []map[string]string{m.Variables, m.Constants} {
		for name := range variables {
			names.Item = append(names.Item, item.Attribute{Name: name, Value: item.StringValue("")})
		}
	}
	isNew := func(a item.Attribute) bool {
		_, found := id.Get(a.Name)
		return !found
	}
	if len(names.Item) == len(id.Item) && !slices.ContainsFunc(names.Item, isNew) {
		return id
	}
	return names
}
