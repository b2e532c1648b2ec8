package plan

import "github.com/vektah/gqlparser/v2/ast"

// fieldsPerDefinition is the number of fields that an operation may select of each type, field, argument and enum
// value, on average. The introspection query of GraphiQL selects up to seven, and kind, name and ofType for up to
// nine wrappers of a type, while few types have more than three wrappers. An operation may select all of this twice.
const fieldsPerDefinition = 2 * (7 + 3*3)

// maxIntrospected returns the limit of the fields of introspection types in the result of an operation.
func maxIntrospected(schema *ast.Schema) int {
	definitions := len(schema.Types)
	for _, definition := range schema.Types {
		definitions += len(definition.Fields) + len(definition.EnumValues)
		definitions += len(definition.Interfaces) + len(schema.GetPossibleTypes(definition))
		for _, field := range definition.Fields {
			definitions += len(field.Arguments)
		}
	}
	for _, directive := range schema.Directives {
		definitions += 1 + len(directive.Arguments)
	}
	return definitions * fieldsPerDefinition
}

// introspection counts the fields of introspection types in the result of an operation. It ends beyond the limit.
type introspection struct {
	*Bound
	fields int
	// last is the field at the root below which the count was last.
	last *Field
}

// Introspected returns how many objects the result of introspection counts as.
func (b *Bound) Introspected() int { return b.introspected / fieldsPerObject }

func (b *Bound) countIntrospected() *introspection {
	n := &introspection{Bound: b}
	for _, f := range b.introspects {
		n.last = f
		n.value(f, SchemaPart{})
	}
	return n
}

// isTooMuch reports whether there are more fields than the limit.
func (n *introspection) isTooMuch() bool { return n.fields > n.Schema.maxIntrospected }

// IntrospectedTooMuch returns the field at the root below which the result of introspection becomes larger than the
// limit; nil if it is not. The types of a schema refer to each other, so that a short operation could select them many
// times over.
func (b *Bound) IntrospectedTooMuch() *Field {
	if b.introspected <= b.Schema.maxIntrospected {
		return nil
	}
	return b.countIntrospected().last
}

// value counts the fields of the objects that a field returns.
func (n *introspection) value(f *Field, of SchemaPart) {
	if len(f.Children) == 0 {
		return
	}
	switch v := n.Introspect(f, of).(type) {
	case SchemaPart:
		n.object(f.Children[0], v)
	case []SchemaPart:
		for _, part := range v {
			n.object(f.Children[0], part)
		}
	}
}

func (n *introspection) object(o *Object, of SchemaPart) {
	if n.isTooMuch() {
		return
	}
	n.fields += o.width()
	for _, f := range o.Fields {
		n.value(f, of)
	}
}
