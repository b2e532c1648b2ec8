package plan

import (
	"slices"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys/design"
)

// KeyNames are the key-only attributes of an object without their values. They are compared by their address: the Gets
// of a type whose keys have the variables of its global id share those of the type.
type KeyNames struct {
	item.Item
	Of *design.Type
	// number is the index of the type in the design.
	number int
}

// KeyNames returns the KeyNames of an object that a Get reads: for the type of its key the variables of that key,
// for others those of the global id.
func (s *Schema) KeyNames(get *design.Field, typeName string) *KeyNames {
	if names := s.getNames[get]; names != nil && names.Of.Name == typeName {
		return names
	}
	return s.idNames[typeName]
}

// KeyNamesOfID returns the KeyNames of an object that a global id names.
func (s *Schema) KeyNamesOfID(typeName string) *KeyNames { return s.idNames[typeName] }

// newKeyNames sets the KeyNames of all types and Gets.
func (s *Schema) newKeyNames() {
	s.idNames = make(map[string]*KeyNames, len(s.Design.Types))
	s.getNames = make(map[*design.Field]*KeyNames)
	for i, t := range s.Design.Types {
		s.idNames[t.Name] = &KeyNames{design.KeyOnly(t), t, i}
	}
	for _, f := range slices.Concat(s.Design.Fields, s.Design.Live) {
		if f.Kind == design.Get {
			s.getNames[f] = s.keyNamesOfMatch(f.Matches()[0])
		}
	}
}

func (s *Schema) keyNamesOfMatch(m design.Match) *KeyNames {
	id := s.idNames[m.Type.Name]
	names := &KeyNames{item.Item{{Name: item.EntityType, Value: item.StringValue(m.Type.Name)}}, id.Of, id.number}
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
