package reading

import (
	"maps"
	"slices"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/stored"
)

// Source is a schema and its table.
type Source struct {
	Schema *ast.Schema
	// Layout and layoutDirective are those of @table; nil without it.
	Layout          *stored.Layout
	LayoutDirective *ast.Directive
	DeclaredIndexes []DeclaredIndex
	// Unreadable are the templates without which reading goes on.
	Unreadable []unreadable
}

// Objects returns the schema's own object types by name.
func (r *Source) Objects() []*ast.Definition {
	var objects []*ast.Definition
	for _, name := range slices.Sorted(maps.Keys(r.Schema.Types)) {
		if def := r.Schema.Types[name]; def.Kind == ast.Object && !def.BuiltIn {
			objects = append(objects, def)
		}
	}
	return objects
}

// satisfies lists the type conditions that hold for an object: its own name
// first.
func (r *Source) satisfies(def *ast.Definition) []string {
	var names []string
	for _, abstract := range r.Schema.Types {
		if abstract.IsAbstractType() && slices.Contains(r.Possible(abstract.Name), def.Name) {
			names = append(names, abstract.Name)
		}
	}
	slices.Sort(names)
	return append([]string{def.Name}, names...)
}

// Possible returns the object types that a value of the type can have, sorted.
func (r *Source) Possible(name string) []string {
	def := r.Schema.Types[name]
	if def == nil || !def.IsCompositeType() {
		return nil
	}
	var names []string
	for _, d := range r.Schema.GetPossibleTypes(def) {
		names = append(names, d.Name)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// Kind returns the kind of key value of a GraphQL type.
func (r *Source) Kind(t *ast.Type) keys.Kind {
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
	if def := r.Schema.Types[t.Name()]; def != nil && def.Kind == ast.Enum {
		return keys.Enum
	}
	return keys.Other
}

// HasText reports whether a kind has a text whose order is that of its values, so that any key can contain it.
func HasText(k keys.Kind) bool { return k != keys.Other && k != keys.Float }

// ArgumentKind returns the kind of an argument's value. For a range it is the kind of both ends.
func (r *Source) ArgumentKind(a *ast.ArgumentDefinition) (kind keys.Kind, ranged bool) {
	if end := r.RangeEnd(a.Type); end != nil {
		return r.Kind(end), true
	}
	return r.Kind(a.Type), false
}

// IsPrefix reports whether a type is a range input of texts that begin with a text.
func (r *Source) IsPrefix(t *ast.Type) bool {
	def := r.Schema.Types[t.Name()]
	return t.Elem == nil && def != nil && def.Kind == ast.InputObject && len(def.Fields) == 1 &&
		def.Fields[0].Name == "prefix" && def.Fields[0].Type.String() == "String"
}

// RangeEnd returns the type of both ends of a range input, or of its prefix; nil for any other type.
func (r *Source) RangeEnd(t *ast.Type) *ast.Type {
	def := r.Schema.Types[t.Name()]
	if r.IsPrefix(t) {
		return def.Fields[0].Type
	}
	if t.Elem != nil || def == nil || def.Kind != ast.InputObject || len(def.Fields) != 2 {
		return nil
	}
	from, to := def.Fields.ForName("from"), def.Fields.ForName("to")
	if from == nil || to == nil || from.Type.NonNull || from.Type.String() != to.Type.String() {
		return nil
	}
	switch r.Kind(from.Type) {
	case keys.String, keys.Int, keys.Int64, keys.Float, keys.Time, keys.Date, keys.Enum:
		return from.Type
	default:
		return nil
	}
}

// QueryName returns the name of the root of queries.
func (r *Source) QueryName() string {
	if r.Schema.Query == nil {
		return "Query"
	}
	return r.Schema.Query.Name
}

// DeclaredIndex is one of the indexes of @table. The layout has those without a fault.
type DeclaredIndex struct {
	stored.IndexLayout
	Fault indexFault
}

// indexFault is why an index cannot be read.
type indexFault int

const (
	// NoFault is that of an index that can be read.
	NoFault indexFault = iota
	// NamelessIndex has no name, or no attribute of its partition key.
	NamelessIndex
	// SecondIndex has the name of another one.
	SecondIndex
	// WrongInclude is a list of attributes without the projection INCLUDE, or that projection without a list.
	WrongInclude
	wrongKeys
)

// unreadable is a pk or sk that cannot be read: it has an error, or there is no sort key, or it or a part of it is
// empty.
type unreadable struct {
	Directive              *ast.Directive
	Coordinate, Name, Text string
	Err                    error
	HasNoSortKey           bool
}
