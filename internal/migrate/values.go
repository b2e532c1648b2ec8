package migrate

import (
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/item"
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
