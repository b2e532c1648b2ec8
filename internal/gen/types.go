package gen

import (
	"fmt"
	"go/types"

	"github.com/99designs/gqlgen/codegen/templates"

	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// storedTypes is the data of the template of the functions that build keys and stored items.
type storedTypes struct {
	Types    []storedType
	Embedded []storedType
}

// storedType is a stored type, or an object inside of one.
type storedType struct {
	p *Plugin
	*design.Type
	Name, GoName string
	// Key and Stored are the functions' names, Var that of the variable with the
	// type.
	Key, Stored, Var string
	Params           []param
}

func (p *Plugin) storedTypes() storedTypes {
	var out storedTypes
	for _, t := range p.schema.Types {
		s := storedType{p: p, Type: t, Name: t.Name, GoName: goName(p.object(t.Name).Type),
			Key: keyFunc(t.Name), Stored: storedFunc(t.Name), Var: "type" + templates.ToGo(t.Name)}
		taken := p.packagesOfTyped()
		taken[s.Var] = true
		for _, variable := range t.Identity {
			name, typ := paramName(variable, taken), p.field(t.Name, variable).TypeReference.GO
			value := keyValue(t.Attribute(variable).Kind, typ, name)
			s.Params = append(s.Params, param{Name: name, Variable: variable, Type: typ, Value: value})
		}
		out.Types = append(out.Types, s)
	}
	for _, name := range p.embedded() {
		out.Embedded = append(out.Embedded, storedType{p: p, Name: name, GoName: goName(p.object(name).Type)})
	}
	return out
}

func keyFunc(typ string) string { return templates.ToGo(typ) + "Key" }

func storedFunc(typ string) string { return "Stored" + templates.ToGo(typ) }

// GoType returns the Go type of the objects.
func (s storedType) GoType() types.Type { return s.p.object(s.Name).Type }

// Properties returns the attributes with the expressions of their values, of an object named o. It
// is called while the file is rendered.
func (s storedType) Properties() ([]property, error) {
	var list []property
	for _, f := range s.p.object(s.Name).Fields {
		if f.IsResolver {
			continue
		}
		expression := "o." + f.GoFieldName
		if s.Type != nil {
			a := s.Attribute(f.Name)
			if a == nil {
				continue // The global ID, which consists of other attributes.
			}
			if a.Kind == keys.IDKind {
				value := "keys.IDAttribute(" + expression + ")"
				if isPointer(f.TypeReference.GO) {
					value = "item.NullableValue(" + expression + ", keys.IDAttribute)"
				}
				list = append(list, property{f.Name, value})
				continue
			}
		}
		value, err := s.p.value(f.Type, f.TypeReference.GO, expression)
		if err != nil {
			return nil, fmt.Errorf("%s.%s: %w", s.Name, f.Name, err)
		}
		list = append(list, property{f.Name, value})
	}
	return list, nil
}
