package directives

import (
	"slices"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/keys"
)

// supplyItems gives the types that reads return but that have no @item the one that is proposed, so that what else is
// missing shows. A read that returns what cannot be stored is none.
func (r *access) supplyItems() {
	wrong := map[*read]bool{}
	for _, rd := range r.reads {
		for _, name := range rd.possible {
			def := r.schema.Types[name]
			if r.types[name] != nil || rd.directive == nil || r.connections[name] != nil ||
				def.Directives.ForName("item") != nil {
				continue // checkResults finds a list of connections.
			}
			if other, isOther := r.otherResult(rd, def); isOther {
				r.misreads = append(r.misreads, misread{rd, notStored, other})
				wrong[rd] = true
				continue
			}
			shape := r.readShape(def)
			keyType := &keys.Type{Name: name, Satisfies: r.satisfies(def), MaxBytes: 1, Item: shape}
			t := &storedType{
				Type: keyType, def: def, neededBy: rd, broken: hasAny(def, "copy", "index", "mutable"),
			}
			t.storedKeys = []*storedKey{{of: t, shards: 1, Shape: shape}}
			r.types[name] = t
			r.complete(t)
		}
	}
	r.reads = slices.DeleteFunc(r.reads, func(rd *read) bool { return wrong[rd] })
}

// otherResult reports whether a read returns what is no object of its own, and the type that is stored where it reads.
func (r *access) otherResult(rd *read, def *ast.Definition) (stored string, isOther bool) {
	isRoot := def == r.schema.Query || def == r.schema.Mutation || def == r.schema.Subscription
	if len(rd.possible) > 1 || !isRoot && def.Fields.ForName("id") != nil {
		return "", false
	}
	for _, m := range keys.FindMatches(r.keyTypes(), rd.Field) {
		return m.Type.Name, true
	}
	return "", isRoot
}

// readShape returns the key of the objects of a type without @item: one by which a field finds an object, if the type
// has its values, otherwise that of a partition of its own.
func (r *access) readShape(def *ast.Definition) keys.Shape {
	own := r.ownShape(def.Name)
	for _, rd := range r.reads {
		shape := keys.Shape{PK: rd.PK, SK: rd.SK}
		isKey := len(identity(shape)) > 0 && !slices.ContainsFunc(rd.variables(), func(name string) bool {
			field := def.Fields.ForName(name)
			return field == nil || !isAttribute(field) || rd.def.Arguments.ForName(name) == nil
		})
		if rd.directive != nil && rd.directive.Name == "get" && isKey && slices.Equal(rd.possible, []string{def.Name}) {
			return shape
		}
	}
	for _, rd := range r.reads {
		if def.Fields.ForName("id") == nil && slices.Contains(rd.possible, def.Name) {
			return keys.Shape{PK: rd.PK, SK: rd.SK}
		}
	}
	return own
}

// hasAny reports whether a type has one of the directives.
func hasAny(def *ast.Definition, names ...string) bool {
	return slices.ContainsFunc(def.Directives, func(d *ast.Directive) bool { return slices.Contains(names, d.Name) })
}

// ownShape returns the key of an object that has a partition of its own.
func (r *source) ownShape(typ string) keys.Shape {
	t := keys.MustDelimited(r.names().Delimiter, constantCase(typ)+r.names().Delimiter+"{id}")
	if !r.names().HasSortKey() {
		return keys.Shape{PK: t}
	}
	return keys.Shape{PK: t, SK: t}
}
