package directives

import (
	"maps"
	"slices"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/keys"
)

// source is a schema and its table.
type source struct {
	schema *ast.Schema
	// layout and layoutDirective are those of @table; nil without it.
	layout          *keys.Layout
	layoutDirective *ast.Directive
	declaredIndexes []declaredIndex
	// unreadable are the templates without which reading goes on.
	unreadable []unreadable
}

// objects returns the schema's own object types by name.
func (r *source) objects() []*ast.Definition {
	var objects []*ast.Definition
	for _, name := range slices.Sorted(maps.Keys(r.schema.Types)) {
		if def := r.schema.Types[name]; def.Kind == ast.Object && !def.BuiltIn {
			objects = append(objects, def)
		}
	}
	return objects
}

// satisfies lists the type conditions that hold for an object: its own name
// first.
func (r *source) satisfies(def *ast.Definition) []string {
	var names []string
	for _, abstract := range r.schema.Types {
		if abstract.IsAbstractType() && slices.Contains(r.possible(abstract.Name), def.Name) {
			names = append(names, abstract.Name)
		}
	}
	slices.Sort(names)
	return append([]string{def.Name}, names...)
}

// possible returns the object types that a value of the type can have, sorted.
func (r *source) possible(name string) []string {
	def := r.schema.Types[name]
	if def == nil || !def.IsCompositeType() {
		return nil
	}
	var names []string
	for _, d := range r.schema.GetPossibleTypes(def) {
		names = append(names, d.Name)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// kind returns the kind of key value of a GraphQL type.
func (r *source) kind(t *ast.Type) keys.Kind {
	if t.Elem != nil {
		return keys.Other
	}
	switch t.Name() {
	case "String":
		return keys.String
	case "ID":
		return keys.IDKind
	case "Int":
		return keys.Int
	case "Int64":
		return keys.Int64
	case "Float":
		return keys.Float
	case "Boolean":
		return keys.Boolean
	case "Time":
		return keys.Time
	case "Date":
		return keys.Date
	}
	if def := r.schema.Types[t.Name()]; def != nil && def.Kind == ast.Enum {
		return keys.Enum
	}
	return keys.Other
}

// hasText reports whether a kind has a text whose order is that of its values, so that any key can contain it.
func hasText(k keys.Kind) bool { return k != keys.Other && k != keys.Float }

// argumentKind returns the kind of an argument's value. For a range it is the kind of both ends.
func (r *source) argumentKind(a *ast.ArgumentDefinition) (kind keys.Kind, ranged bool) {
	if end := r.rangeEnd(a.Type); end != nil {
		return r.kind(end), true
	}
	return r.kind(a.Type), false
}

// rangeEnd returns the type of both ends of a range input, or nil for any other type.
func (r *source) rangeEnd(t *ast.Type) *ast.Type {
	def := r.schema.Types[t.Name()]
	if t.Elem != nil || def == nil || def.Kind != ast.InputObject || len(def.Fields) != 2 {
		return nil
	}
	from, to := def.Fields.ForName("from"), def.Fields.ForName("to")
	if from == nil || to == nil || from.Type.NonNull || from.Type.String() != to.Type.String() {
		return nil
	}
	switch r.kind(from.Type) {
	case keys.String, keys.Int, keys.Int64, keys.Float, keys.Time, keys.Date:
		return from.Type
	default:
		return nil
	}
}

func (r *source) queryName() string {
	if r.schema.Query == nil {
		return "Query"
	}
	return r.schema.Query.Name
}
