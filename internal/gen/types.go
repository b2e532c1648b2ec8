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
	in *schema
	*design.Type
	Name, GoName string
	// Key, Attributes and Stored are the functions' names, Var that of the variable with the type.
	Key, Attributes, Stored, Var string
	Params                       []param
}

func newStoredTypes(s *schema) storedTypes {
	var out storedTypes
	for _, t := range s.Types {
		stored := storedType{in: s, Type: t, Name: t.Name, GoName: goName(s.object(t.Name).Type),
			Key: keyFunc(t.Name), Stored: storedFunc(t.Name), Attributes: attributesFunc(t.Name),
			Var: "type" + templates.ToGo(t.Name)}
		taken := packagesOfTyped(s)
		taken[stored.Var] = true
		for _, variable := range t.Identity {
			name, typ := paramName(variable, taken), s.field(t.Name, variable).TypeReference.GO
			value := keyValue(t.Attribute(variable).Kind, typ, name)
			stored.Params = append(stored.Params, param{Name: name, Variable: variable, Type: typ, Value: value})
		}
		out.Types = append(out.Types, stored)
	}
	for _, name := range embedded(s) {
		out.Embedded = append(out.Embedded, storedType{in: s, Name: name, GoName: goName(s.object(name).Type)})
	}
	return out
}

// GoType returns the Go type of the objects.
func (t storedType) GoType() types.Type { return t.in.object(t.Name).Type }

// Properties returns the attributes with the expressions of their values, of an object named o. It
// is called while the file is rendered.
func (t storedType) Properties() ([]property, error) {
	var list []property
	for _, f := range t.in.object(t.Name).Fields {
		if f.IsResolver {
			continue
		}
		expression := "o." + f.GoFieldName
		if t.Type != nil {
			a := t.Attribute(f.Name)
			if a == nil {
				continue // The global ID or a difference, which follow from other attributes.
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
		value, err := storedValue(t.in.Schema, f.Type, f.TypeReference.GO, expression)
		if err != nil {
			return nil, fmt.Errorf("%s.%s: %w", t.Name, f.Name, err)
		}
		list = append(list, property{f.Name, value})
	}
	return list, nil
}
