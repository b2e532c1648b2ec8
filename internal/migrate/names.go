package migrate

import (
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/keys"
)

// wasDirective names what a type, a field or a value of an enum was called in the version before.
const wasDirective = "was"

// Names are the former names of what a later version has renamed: its types, stored fields and values of enums.
type Names struct {
	from, to Version
}

// NewNames returns the names between two versions. What has no @was, or one that names nothing of the former version,
// has kept its name.
func NewNames(from, to Version) Names { return Names{from, to} }

// FormerType returns the former name of a type, "" if the former version does not have the type.
func (n Names) FormerType(later string) string {
	def := n.to.AST.Types[later]
	if def == nil {
		return ""
	}
	if was := formerName(def.Directives); was != "" && n.from.AST.Types[was] != nil && n.to.AST.Types[was] == nil {
		return was
	}
	if n.from.AST.Types[later] == nil {
		return ""
	}
	return later
}

// LaterType returns the later name of a type, "" if the later version does not have the type.
func (n Names) LaterType(former string) string {
	for name := range n.to.AST.Types {
		if n.FormerType(name) == former {
			return name
		}
	}
	return ""
}

// FormerField returns the former name of a field of a later type, "" if the former version does not have the field.
func (n Names) FormerField(laterType, later string) string {
	from, to := n.from.AST.Types[n.FormerType(laterType)], n.to.AST.Types[laterType]
	if from == nil || to == nil {
		return ""
	}
	field := to.Fields.ForName(later)
	if field == nil {
		return ""
	}
	if was := formerName(field.Directives); was != "" && from.Fields.ForName(was) != nil && to.Fields.ForName(was) == nil {
		return was
	}
	if from.Fields.ForName(later) == nil {
		return n.sameStored(from.Name, laterType, later)
	}
	return later
}

// sameStored returns the former name of a field that has kept the name of its attribute, "" if there is none.
func (n Names) sameStored(formerType, laterType, later string) string {
	from, to := n.from.Type(formerType), n.to.Type(laterType)
	if from == nil || to == nil {
		return ""
	}
	a := to.Attribute(later)
	if a == nil || a.InKeys {
		return ""
	}
	for i := range from.Attributes {
		b := &from.Attributes[i]
		if !b.InKeys && b.StoredName() == a.StoredName() && n.to.AST.Types[laterType].Fields.ForName(b.Name) == nil {
			return b.Name
		}
	}
	return ""
}

// LaterField returns the later name of a field of a former type, "" if the later version does not have the field.
func (n Names) LaterField(formerType, former string) string {
	laterType := n.LaterType(formerType)
	if laterType == "" {
		return ""
	}
	for _, f := range n.to.AST.Types[laterType].Fields {
		if n.FormerField(laterType, f.Name) == former {
			return f.Name
		}
	}
	return ""
}

// formerValues returns the former values of the later enum by the later ones, for those that were renamed. One that
// takes the place of another one that was there before is not renamed: nobody would know which of both an object had.
func (n Names) formerValues(laterEnum string) keys.Renaming {
	from, to := n.from.AST.Types[n.FormerType(laterEnum)], n.to.AST.Types[laterEnum]
	if from == nil || to == nil || to.Kind != ast.Enum {
		return nil
	}
	values := keys.Renaming{}
	for _, v := range to.EnumValues {
		was := formerName(v.Directives)
		if was != "" && from.EnumValues.ForName(was) != nil && to.EnumValues.ForName(was) == nil &&
			from.EnumValues.ForName(v.Name) == nil {
			values[v.Name] = was
		}
	}
	return values
}

// valueType returns the name of the type of a field of the later version without its wrappers, "" if there is no such
// field.
func (n Names) valueType(laterType, field string) string {
	if def := n.to.FieldDef(laterType, field); def != nil {
		return def.Type.Name()
	}
	return ""
}

func formerName(l ast.DirectiveList) string {
	d := l.ForName(wasDirective)
	if d == nil {
		return ""
	}
	if name := d.Arguments.ForName("name"); name != nil {
		return name.Value.Raw
	}
	return ""
}
