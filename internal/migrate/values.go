package migrate

import (
	"slices"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// UnknownValue returns a value of an object that its enum does not have in the version, with the attribute; "" if there
// is none.
func (v Version) UnknownValue(t *design.Type, object item.Item) (attribute, value string) {
	for _, f := range v.TypeDef(t.Name).Fields {
		if stored, has := object.Get(f.Name); has && t.Attribute(f.Name) != nil {
			if value := v.unknownIn(v.AST.Types[f.Type.Name()], stored); value != "" {
				return f.Name, value
			}
		}
	}
	return "", ""
}

// unknownIn returns a value of an enum within a stored value that the enum does not have.
func (v Version) unknownIn(def *ast.Definition, stored item.Value) string {
	switch {
	case def == nil:
	case stored.Kind == item.List:
		for _, e := range stored.Elements() {
			if value := v.unknownIn(def, e); value != "" {
				return value
			}
		}
	case stored.Kind == item.Map && def.Kind == ast.Object:
		for _, a := range stored.Fields() {
			if f := def.Fields.ForName(a.Name); f != nil {
				if value := v.unknownIn(v.AST.Types[f.Type.Name()], a.Value); value != "" {
					return value
				}
			}
		}
	case stored.Kind == item.String && def.Kind == ast.Enum && def.EnumValues.ForName(stored.Text) == nil:
		return stored.Text
	}
	return ""
}

// valueNames are other names of values of enums, also of those within objects.
type valueNames struct {
	// types are those of the later version. Objects within attributes have the same fields in both.
	types map[string]*ast.Definition
	// of are the names of the values of an enum.
	of map[string]keys.Renaming
}

// valueNames returns the names of values from the former ones by the later ones, as direction turns them.
func (n Names) valueNames(direction func(keys.Renaming) keys.Renaming) valueNames {
	names := valueNames{types: n.to.AST.Types, of: map[string]keys.Renaming{}}
	for enum := range n.to.AST.Types {
		if values := n.formerValues(enum); len(values) > 0 {
			names.of[enum] = direction(values)
		}
	}
	return names
}

// value returns a value of a type, or a list of such values, with the other names.
func (n valueNames) value(typeName string, v item.Value) item.Value {
	if names := n.of[typeName]; len(n.of) == 0 || names != nil {
		return names.Value(v)
	}
	def := n.types[typeName]
	switch {
	case def == nil || def.Kind != ast.Object:
	case v.Kind == item.List:
		elements := slices.Clone(v.Elements())
		for i := range elements {
			elements[i] = n.value(typeName, elements[i])
		}
		return item.ListValue(elements)
	case v.Kind == item.Map:
		fields := slices.Clone(v.Fields())
		for i := range fields {
			if f := def.Fields.ForName(fields[i].Name); f != nil {
				fields[i].Value = n.value(f.Type.Name(), fields[i].Value)
			}
		}
		return item.FieldsValue(fields)
	}
	return v
}
